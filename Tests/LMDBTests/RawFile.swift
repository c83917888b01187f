// A data file as bytes, for tests that damage it: numbers at places that are found as liblmdb finds them.

import Foundation

/// The bytes of a data file, with the few steps through its pages that a test needs.
struct RawFile {
    static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    var bytes: [UInt8]

    init(_ path: String) throws { bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

    func write(to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    var pageSize: Int { Self.pageSize }
    var pageCount: Int { bytes.count / pageSize }

    subscript(page: Int) -> Range<Int> { page * pageSize..<(page + 1) * pageSize }

    func number(_ width: Int, at offset: Int) -> Int {
        (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    mutating func set(_ value: Int, _ width: Int, at offset: Int) {
        for index in 0..<width { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    // MARK: Places

    /// The offset of the meta page of the last commit, and of the one before.
    var newestMeta: Int { number(8, at: 144) < number(8, at: pageSize + 144) ? pageSize : 0 }
    var olderMeta: Int { pageSize - newestMeta }

    /// The offsets of the records of the two trees of a meta page.
    var freeRecord: Int { newestMeta + 40 }
    var mainRecord: Int { newestMeta + 88 }

    /// The root page of the tree whose record stands at an offset.
    func root(_ record: Int) -> Int { number(8, at: record + 40) }

    func kind(_ page: Int) -> Int { number(2, at: page * pageSize + 10) }

    func nodeCount(_ page: Int) -> Int { (number(2, at: page * pageSize + 12) - 16) / 2 }

    /// The offset of a node in the file.
    func node(_ page: Int, _ index: Int) -> Int {
        page * pageSize + number(2, at: page * pageSize + 16 + 2 * index)
    }

    /// The offset of a node's key, or of the value behind it.
    func key(_ page: Int, _ index: Int) -> Int { node(page, index) + 8 }
    func value(_ page: Int, _ index: Int) -> Int { key(page, index) + number(2, at: node(page, index) + 6) }

    func child(_ page: Int, _ index: Int) -> Int { number(6, at: node(page, index)) }

    /// The offset of the record of a table in the main tree, which must be a single leaf.
    func record(ofTable index: Int) -> Int { value(root(mainRecord), index) }

    /// The leaves below a page, from left to right.
    func leaves(below page: Int) -> [Int] {
        kind(page) == 2 ? [page] : (0..<nodeCount(page)).flatMap { leaves(below: child(page, $0)) }
    }

    mutating func swapPages(_ first: Int, _ second: Int) {
        let kept = Array(bytes[self[first]])
        bytes.replaceSubrange(self[first], with: bytes[self[second]])
        bytes.replaceSubrange(self[second], with: kept)
    }
}
