// The report of a conversion.

/// What a conversion did.
package struct ConversionReport: Hashable, Sendable {
    package var from: FileFormat
    package var to: FileFormat
    package var tables: Int
    package var entries: UInt64
    /// The sizes of the files in bytes.
    package var sizeBefore: Int
    package var sizeAfter: Int
    /// The path of the old file, if it was kept.
    package var original: String?
}
