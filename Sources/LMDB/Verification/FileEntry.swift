// An entry in a file under verification.

/// An entry of a table, as stored in a leaf page.
public struct FileEntry: Sendable {
    /// The table; nil for an entry of an unreferenced page.
    public let table: String?
    /// The value.
    public let value: FileValue
    /// The leaf page.
    public let page: UInt64
    /// The number of the node in the page.
    public let index: Int
    private let pageBytes: [UInt8]
    private let keyRange: Range<Int>

    init(table: String?, key: Range<Int>, value: FileValue, page: Page, index: Int) {
        self.table = table
        self.value = value
        self.page = page.number
        self.index = index
        pageBytes = page.bytes
        keyRange = key
    }

    /// The key.
    ///
    /// - Complexity: O(*n*) in the number of bytes, which are copied from the page.
    public var key: [UInt8] { Array(pageBytes[keyRange]) }

    /// Calls a closure with the bytes of the key, without a copy.
    package func withKey<R, Failure: Error>(_ body: (RawSpan) throws(Failure) -> R) throws(Failure) -> R {
        try body(unsafe pageBytes.span.bytes.extracting(keyRange))
    }
}
