// A value in a file under verification.

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
        place = .file(file, offset: Int(firstPage) * file.pageSize + file.layout.headerSize)
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
                // The caller reports a value that cannot be read.
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
