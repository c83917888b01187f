// Pages by their bytes: whether the nodes fill a page, so that no offset leads to the remains of another node.

import Testing

@testable import LMDB

@Suite struct PageTests {
    private static let size = 128

    /// Returns a leaf page with nodes, the first at its end, as liblmdb writes them.
    ///
    /// - Parameter kind: The kind of the page.
    private func page(_ nodes: [[UInt8]], kind: UInt16 = PageKind.leaf) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        var upper = Self.size
        for (index, node) in nodes.enumerated() {
            upper -= (node.count + 1) & ~1
            bytes.replaceSubrange(upper..<upper + node.count, with: node)
            store(UInt16(upper), at: Page.headerSize + 2 * index, in: &bytes)
        }
        store(kind, at: 10, in: &bytes)
        store(UInt16(Page.headerSize + 2 * nodes.count), at: 12, in: &bytes)
        store(UInt16(upper), at: 14, in: &bytes)
        return bytes
    }

    private func store(_ number: UInt16, at offset: Int, in bytes: inout [UInt8]) {
        withUnsafeBytes(of: number) { unsafe bytes.replaceSubrange(offset..<offset + 2, with: $0) }
    }

    private func number(at offset: Int, in bytes: [UInt8]) -> UInt16 { bytes.integer(UInt16.self, at: offset) ?? 0 }

    private func node(_ key: [UInt8], _ value: [UInt8], size: Int? = nil, flags: UInt16 = 0) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 8)
        store(UInt16(size ?? value.count), at: 0, in: &header)
        store(flags, at: 4, in: &header)
        store(UInt16(key.count), at: 6, in: &header)
        return header + key + value
    }

    private func isFilled(_ bytes: [UInt8]) -> Bool { Page(number: 1, bytes: bytes).isFilled }

    @Test func aPageOfWholeNodes_isFilled() {
        #expect(isFilled(page([])))
        #expect(isFilled(page([node([1], [])])))
        // Nodes begin at even offsets.
        #expect(isFilled(page([node([1, 2], [1, 2, 3]), node([3], [1]), node([4, 5, 6], [])])))
        // A value in pages of its own takes 8 bytes here.
        let large = node([2], [UInt8](repeating: 0, count: 8), size: 10_000, flags: NodeFlags.bigValue)
        #expect(isFilled(page([node([1], [9]), large])))
        // The nodes of a branch have a page number in place of the size of a value.
        #expect(isFilled(page([node([], [], size: 4), node([7], [], size: 5)], kind: PageKind.branch)))
    }

    @Test func aPageInAnyOrderOfItsNodes_isFilled() {
        var bytes = page([node([2], [1]), node([1], [2, 3])])
        let (first, second) = (number(at: 16, in: bytes), number(at: 18, in: bytes))
        store(second, at: 16, in: &bytes)
        store(first, at: 18, in: &bytes)
        #expect(isFilled(bytes))
    }

    @Test func aPageWithASpaceAmongItsNodes_isNotFilled() {
        let nodes = [node([1], [1]), node([2], [2]), node([3], [3])]
        let bytes = page(nodes)
        for removed in nodes.indices {
            var bytes = bytes
            // The offset is removed, and the bytes of its node remain.
            for index in removed..<2 { store(number(at: 18 + 2 * index, in: bytes), at: 16 + 2 * index, in: &bytes) }
            store(20, at: 12, in: &bytes)
            #expect(!isFilled(bytes))
        }
        var early = bytes
        store(number(at: 14, in: bytes) - 2, at: 14, in: &early)
        #expect(!isFilled(early))
    }

    @Test func aPageWithTwoOffsetsToANode_isNotFilled() {
        var bytes = page([node([1], [1]), node([2], [2, 3, 4, 5])])
        store(number(at: 18, in: bytes), at: 16, in: &bytes)
        #expect(!isFilled(bytes))
    }

    @Test func impossibleBounds_areNotFilled() {
        let bytes = page([node([1], [1]), node([2], [2])])
        let (lower, upper) = (number(at: 12, in: bytes), number(at: 14, in: bytes))
        let bounds: [(UInt16, UInt16)] = [
            (lower + 1, upper), (14, upper), (UInt16(Self.size) + 2, upper), (lower, lower - 2), (lower, upper + 2),
            (lower, UInt16(Self.size)), (lower + 2, upper),
        ]
        for (lower, upper) in bounds {
            var bytes = bytes
            store(lower, at: 12, in: &bytes)
            store(upper, at: 14, in: &bytes)
            #expect(!isFilled(bytes), "\(lower) to \(upper)")
        }
        // An offset, a key and a value that do not lie in the page.
        for (offset, number) in [(16, 8), (16, 127), (18, 400), (Int(upper) + 6, 90), (Int(upper), 90)] {
            var bytes = bytes
            store(UInt16(number), at: offset, in: &bytes)
            #expect(!isFilled(bytes), "\(number) at \(offset)")
        }
    }

    @Test func pagesOfLMDB_areFilled() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        for round in 0..<4 {
            try test.environment.write { transaction in
                for number in stride(from: round, to: 3000, by: 3) {
                    let value = [UInt8](repeating: 1, count: number % 97 == 0 ? 9000 : number % 50)
                    try transaction.put(value, for: key(number * 7919 % 3000), in: table)
                    if number % 5 == 0 { _ = try transaction.delete(key(number), from: table) }
                }
            }
        }
        let metas = try MetaPages(test.path)
        var filled = 0
        for number in try 2..<metas.file.pageCount {
            let page = try metas.file.page(number)
            guard let page, page.kind == PageKind.leaf || page.kind == PageKind.branch else { continue }
            guard page.storedNumber == number else { continue }
            #expect(page.isFilled, "page \(number)")
            filled += 1
        }
        #expect(filled > 20)
    }
}
