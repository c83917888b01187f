// An entry in a file under verification.

/// An entry of a table, as stored in a leaf page.
public struct FileEntry: Sendable {
    /// The table; nil for an entry of an unreferenced page.
    public var table: String?
    /// The key.
    public var key: [UInt8]
    /// The value.
    public var value: FileValue
    /// The leaf page.
    public var page: UInt64
    /// The number of the node in the page.
    public var index: Int
}
