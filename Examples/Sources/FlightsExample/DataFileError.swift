// The error for a data file that cannot be read.

/// An error in a data file.
struct DataFileError: Error, CustomStringConvertible {
    let description: String
}
