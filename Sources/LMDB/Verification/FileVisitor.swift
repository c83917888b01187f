// What a walk over a file shows to whom wants to see the entries of its tables.

/// Sees the tables of a file while their pages are walked.
public protocol FileVisitor: AnyObject {
    /// What ends the walk; `Never` where nothing does.
    associatedtype Failure: Error = Never

    /// A walk begins. It can be one more over the same file, after another process has changed it: what was shown
    /// before counts no more.
    func begin()
    /// So many pages of so many are done.
    func advance(to pages: UInt64, of total: UInt64)
    /// The entries of a table follow.
    func beginTable(_ name: String) throws(Failure)
    /// An entry, whose bytes are whatever stands there.
    ///
    /// - Returns: What is wrong with it, where something is.
    func visit(_ entry: FileEntry) throws(Failure) -> FileFinding?
    /// All that could be reached has been shown.
    ///
    /// - Returns: What is wrong with the whole.
    func end() throws(Failure) -> [FileFinding]
}

extension FileVisitor {
    /// Does nothing.
    public func begin() {}
    /// Does nothing.
    public func advance(to pages: UInt64, of total: UInt64) {}
    /// Does nothing.
    public func beginTable(_ name: String) throws(Failure) {}
    /// Finds nothing.
    public func end() throws(Failure) -> [FileFinding] { [] }
}

/// For walks whose entries are of no interest.
final class NoVisitor: FileVisitor {
    typealias Failure = Never

    func visit(_ entry: FileEntry) -> FileFinding? { nil }
}

/// An entry of a table, as it lies in a leaf page.
public struct FileEntry: Sendable {
    /// The table; nil for an entry of a page that no tree leads to.
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

/// The value of an entry: bytes of a page, or of the pages that a large one fills.
public struct FileValue: Sendable {
    private enum Place {
        case page([UInt8], offset: Int)
        case file(PagedFile, offset: Int)
    }

    /// The number of bytes.
    public let size: Int
    private let place: Place

    /// The most bytes that are read at once.
    private static let pieceSize = 1 << 16

    init(_ page: Page, _ range: Range<Int>) {
        size = range.count
        place = .page(page.bytes, offset: range.lowerBound)
    }

    /// A value that begins behind the header of its first page; all its pages lie in the file.
    init(_ file: PagedFile, firstPage: UInt64, size: Int) {
        self.size = size
        place = .file(file, offset: Int(firstPage) * file.pageSize + Page.headerSize)
    }

    /// Calls a closure with the bytes, piece by piece: a large value is never in memory as a whole.
    ///
    /// All pieces but the last have the same size, a multiple of 8.
    ///
    /// - Returns: False when the disk could not read them all.
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
