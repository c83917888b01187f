// A data file as bytes, for tests that damage it. Offsets are found as liblmdb finds them.

import Foundation

/// The bytes of a data file, with the accessors to its pages that tests need.
public struct RawFile: Sendable {
    /// The size of a page.
    public static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// The bytes of the file.
    public var bytes: [UInt8]

    /// The size of a page's header: 16 bytes in files of LMDB 0.9, 24 in those of 1.0.
    public let headerSize: Int

    /// Reads a file.
    public init(_ path: String) throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        self.bytes = bytes
        // The magic number follows the header of the first page.
        headerSize = bytes.count > 24 && Array(bytes[24..<28]) == [0xDE, 0xC0, 0xEF, 0xBE] ? 24 : 16
    }

    /// Writes the bytes to a file.
    public func write(to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    /// The size of a page.
    public var pageSize: Int { Self.pageSize }

    /// The number of whole pages.
    public var pageCount: Int { bytes.count / pageSize }

    /// The range of a page's bytes.
    public subscript(page: Int) -> Range<Int> { page * pageSize..<(page + 1) * pageSize }

    /// Returns the integer of `width` bytes at an offset.
    public func number(_ width: Int, at offset: Int) -> Int {
        (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    /// Overwrites the integer of `width` bytes at an offset.
    public mutating func set(_ value: Int, _ width: Int, at offset: Int) {
        for index in 0..<width { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    /// Stores the last commit again under the next number, in the place of the commit before, while programs have the
    /// file open. So does a writer that is killed after it has stored a meta page, and before it has published the
    /// number that reads take.
    public static func putUnpublishedCommit(in path: String) throws {
        var file = try RawFile(path)
        let (newest, older) = (file.newestMeta, file.olderMeta)
        // The header is the page's own.
        let (header, end) = (file.headerSize, file.headerSize + 136)
        for offset in header..<end { file.bytes[older + offset] = file.bytes[newest + offset] }
        file.set(file.transaction(newest) + 1, 8, at: older + end - 8)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: UInt64(older))
        try handle.write(contentsOf: file.bytes[older..<older + end])
        try handle.close()
    }

    // MARK: Places

    /// The offset of the meta page of the last commit.
    public var newestMeta: Int { transaction(0) < transaction(pageSize) ? pageSize : 0 }

    /// Returns the number of the commit of the meta page at an offset.
    public func transaction(_ meta: Int) -> Int { number(8, at: meta + headerSize + 128) }

    /// The offset of the meta page of the commit before.
    public var olderMeta: Int { pageSize - newestMeta }

    /// The offset of the record of the freelist's tree.
    public var freeRecord: Int { newestMeta + headerSize + 24 }

    /// The offset of the record of the main tree.
    public var mainRecord: Int { mainRecord(in: newestMeta) }

    /// Returns the root page of the tree with a record at an offset.
    public func root(_ record: Int) -> Int { number(8, at: record + 40) }

    /// Returns the kind of a page: 1 for a branch, 2 for a leaf, 4 for a large value.
    public func kind(_ page: Int) -> Int { number(2, at: kindPlace(page)) }

    /// Returns the offset of the kind of a page. The bounds of its free space follow.
    public func kindPlace(_ page: Int) -> Int { page * pageSize + headerSize - 6 }

    /// Returns the number of nodes of a page.
    public func nodeCount(_ page: Int) -> Int { (number(2, at: lowerPlace(page)) + offsetBase - headerSize) / 2 }

    /// Returns the place of the offset of a page's node.
    public func offsetPlace(_ page: Int, _ index: Int = 0) -> Int { page * pageSize + headerSize + 2 * index }

    /// Returns the place of the start of a page's free space, or of the number of a large value's pages.
    public func lowerPlace(_ page: Int) -> Int { kindPlace(page) + 2 }

    /// Returns the offset of the record of the main tree in the meta page at an offset.
    public func mainRecord(in meta: Int) -> Int { meta + headerSize + 72 }

    /// The place in a page from which its offsets count.
    public var offsetBase: Int { headerSize == 16 ? 0 : headerSize }

    /// Returns the offset of a node in the file.
    public func node(_ page: Int, _ index: Int) -> Int {
        page * pageSize + offsetBase + number(2, at: offsetPlace(page, index))
    }

    /// Returns the offset of a node's key.
    public func key(_ page: Int, _ index: Int) -> Int { node(page, index) + 8 }

    /// Returns the offset of a node's value.
    public func value(_ page: Int, _ index: Int) -> Int {
        let end = key(page, index) + number(2, at: node(page, index) + 6)
        return headerSize == 16 ? end : (end + 1) & ~1
    }

    /// Returns the child page of a node of a branch.
    public func child(_ page: Int, _ index: Int) -> Int { number(6, at: node(page, index)) }

    /// Returns the offset of a table's record in the main tree, which must be a single leaf.
    public func record(ofTable index: Int) -> Int { value(root(mainRecord), index) }

    /// Returns the leaves of a subtree, from left to right.
    public func leaves(below page: Int) -> [Int] {
        kind(page) == 2 ? [page] : (0..<nodeCount(page)).flatMap { leaves(below: child(page, $0)) }
    }

    /// Exchanges two pages.
    public mutating func swapPages(_ first: Int, _ second: Int) {
        let kept = Array(bytes[self[first]])
        bytes.replaceSubrange(self[first], with: bytes[self[second]])
        bytes.replaceSubrange(self[second], with: kept)
    }

    // MARK: Damage

    /// Damages the file in a random way: flipped bits, other bytes in the heads of pages, zeroed or exchanged pages, a
    /// missing end.
    public mutating func damage(using generator: inout SeededGenerator) {
        let kind = Int.random(in: 0..<5, using: &generator)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let page = Int.random(in: 0..<pageCount, using: &generator)
            switch kind {
            case 0:
                bytes[page * pageSize + Int.random(in: 0..<pageSize, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            case 1:
                let offset = page * pageSize + Int.random(in: 0..<64, using: &generator)
                bytes[offset] = UInt8.random(in: 0...255, using: &generator)
            case 2: for offset in self[page] { bytes[offset] = 0 }
            case 3: swapPages(page, Int.random(in: 0..<pageCount, using: &generator))
            default: bytes.removeLast(Int.random(in: 1..<max(2, bytes.count / 3), using: &generator))
            }
        }
    }
}
