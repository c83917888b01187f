// A visitor of the entries of a file's tables during verification.

/// Receives the tables of a file while their pages are verified.
public protocol FileVisitor: AnyObject {
    /// The error that ends the verification; `Never` if there is none.
    associatedtype Failure: Error = Never

    /// Called at the beginning of a verification. If another process changes the file, the verification begins again,
    /// and all earlier entries are void.
    func begin()
    /// Reports progress: the number of pages done, and their total.
    func advance(to pages: UInt64, of total: UInt64)
    /// Called before the entries of a table.
    func beginTable(_ name: String) throws(Failure)
    /// Called with an entry, whose bytes are unverified.
    ///
    /// - Returns: A finding about the entry, if it is damaged.
    func visit(_ entry: FileEntry) throws(Failure) -> FileFinding?
    /// Called after all reachable entries.
    ///
    /// - Returns: Findings about the file as a whole.
    func end() throws(Failure) -> [FileFinding]
}

extension FileVisitor {
    /// Does nothing.
    public func begin() {}
    /// Does nothing.
    public func advance(to pages: UInt64, of total: UInt64) {}
    /// Does nothing.
    public func beginTable(_ name: String) throws(Failure) {}
    /// Returns no findings.
    public func end() throws(Failure) -> [FileFinding] { [] }
}

/// A visitor that ignores all entries.
final class NoVisitor: FileVisitor {
    typealias Failure = Never

    func visit(_ entry: FileEntry) -> FileFinding? { nil }
}

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

/// The value of an entry: bytes of a leaf page, or of the pages of a large value.
public struct FileValue: Sendable {
    private enum Place {
        case page([UInt8], offset: Int)
        case file(PagedFile, offset: Int)
    }

    /// The number of bytes.
    public let size: Int
    private let place: Place

    /// The maximum number of bytes per read.
    private static let pieceSize = 1 << 16

    init(_ page: Page, _ range: Range<Int>) {
        size = range.count
        place = .page(page.bytes, offset: range.lowerBound)
    }

    /// Creates a value beginning after the header of its first page. All its pages lie in the file.
    init(_ file: PagedFile, firstPage: UInt64, size: Int) {
        self.size = size
        place = .file(file, offset: Int(firstPage) * file.pageSize + Page.headerSize)
    }

    /// Calls a closure with the bytes, piece by piece: a large value is never in memory as a whole.
    ///
    /// All pieces except the last have the same size, a multiple of 8.
    ///
    /// - Returns: False if not all bytes could be read from disk.
    /// - Complexity: O(*n*) in the number of bytes.
    public func forEachPiece<E: Error>(_ body: (RawSpan) throws(E) -> Void) throws(E) -> Bool {
        switch place {
        case .page(let bytes, let offset):
            try body(unsafe bytes.span.bytes.extracting(offset..<offset + size))
        case .file(let file, let offset):
            var done = 0
            while done < size {
                let count = min(size - done, Self.pieceSize)
                guard let piece = try? file.file.bytes(at: offset + done, count: count), piece.count == count else {
                    return false
                }
                try body(unsafe piece.span.bytes)
                done += count
            }
        }
        return true
    }
}
