// The file formats of LMDB.

/// A file format of LMDB: the data version in the head of a file.
///
/// The formats are incompatible: a liblmdb opens the files of its own format only.
public enum FileFormat: UInt32, Hashable, Sendable, Codable, CaseIterable {
    /// The format of LMDB 0.9.
    case version1 = 1
    /// The format of LMDB 1.0.
    case version3 = 3
}

extension FileFormat: CustomStringConvertible {
    /// The name of the releases that write the format: `LMDB 0.9`.
    public var description: String {
        switch self {
        case .version1: "LMDB 0.9"
        case .version3: "LMDB 1.0"
        }
    }
}
