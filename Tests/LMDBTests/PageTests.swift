// Pages by their bytes: whether the nodes fill a page, so that no offset leads to the remains of another node.

import Testing

@testable import LMDB

@Suite struct PageTests {
    /// The bytes of a page, as liblmdb writes them in a format.
    private struct PageBytes {
        static let size = 128

        let layout: PageLayout
        var bytes = [UInt8](repeating: 0, count: size)

        /// Creates a page with nodes, the first at its end.
        init(_ format: FileFormat, _ nodes: [[UInt8]], kind: UInt16 = PageKind.leaf) {
            layout = PageLayout(format: format)
            var upper = Self.size
            for (index, node) in nodes.enumerated() {
                upper -= (node.count + 1) & ~1
                bytes.replaceSubrange(upper..<upper + node.count, with: node)
                store(upper - layout.offsetBase, at: offset(index))
            }
            store(Int(kind), at: layout.kindOffset)
            store(layout.headerSize - layout.offsetBase + 2 * nodes.count, at: layout.lowerOffset)
            store(upper - layout.offsetBase, at: layout.upperOffset)
        }

        /// Returns the bytes of a node.
        static func node(
            _ format: FileFormat, _ key: [UInt8], _ value: [UInt8], size: Int? = nil, flags: UInt16 = 0
        ) -> [UInt8] {
            var header = [UInt8](repeating: 0, count: 8)
            header[0...1] = littleEndian(size ?? value.count)
            header[4...5] = littleEndian(Int(flags))
            header[6...7] = littleEndian(key.count)
            let space = PageLayout(format: format).valueStart(afterKeyEnd: key.count) - key.count
            return header + key + [UInt8](repeating: 0xFF, count: space) + value
        }

        private static func littleEndian(_ number: Int) -> ArraySlice<UInt8> {
            [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        }

        /// Returns the place of the offset of a node.
        func offset(_ index: Int) -> Int { layout.headerSize + 2 * index }

        func number(at place: Int) -> Int { Int(bytes.integer(UInt16.self, at: place) ?? 0) }

        mutating func store(_ number: Int, at place: Int) {
            bytes.replaceSubrange(place..<place + 2, with: Self.littleEndian(number))
        }

        var lower: Int { number(at: layout.lowerOffset) }
        var upper: Int { number(at: layout.upperOffset) }
        var isFilled: Bool { Page(number: 1, bytes: bytes, layout: layout).isFilled }
    }

    @Test(arguments: FileFormat.allCases) func aPageOfWholeNodes_isFilled(format: FileFormat) {
        func node(_ key: [UInt8], _ value: [UInt8], size: Int? = nil, flags: UInt16 = 0) -> [UInt8] {
            PageBytes.node(format, key, value, size: size, flags: flags)
        }
        #expect(PageBytes(format, []).isFilled)
        #expect(PageBytes(format, [node([1], [])]).isFilled)
        // Nodes begin at even offsets.
        #expect(PageBytes(format, [node([1, 2], [1, 2, 3]), node([3], [1]), node([4, 5, 6], [])]).isFilled)
        // A value in pages of its own takes the size of a reference here.
        let reference = [UInt8](repeating: 0, count: PageLayout(format: format).referenceSize)
        let large = node([2], reference, size: 10_000, flags: NodeFlags.bigValue)
        #expect(PageBytes(format, [node([1], [9]), large]).isFilled)
        // The nodes of a branch have a page number in place of the size of a value.
        let branch = [node([], [], size: 4), node([7], [], size: 5)]
        #expect(PageBytes(format, branch, kind: PageKind.branch).isFilled)
    }

    @Test(arguments: FileFormat.allCases) func aPageInAnyOrderOfItsNodes_isFilled(format: FileFormat) {
        var page = PageBytes(format, [[2], [1]].map { PageBytes.node(format, $0, [1, 2]) })
        let (first, second) = (page.number(at: page.offset(0)), page.number(at: page.offset(1)))
        page.store(second, at: page.offset(0))
        page.store(first, at: page.offset(1))
        #expect(page.isFilled)
    }

    @Test(arguments: FileFormat.allCases) func aPageWithASpaceAmongItsNodes_isNotFilled(format: FileFormat) {
        let page = PageBytes(format, (1...3).map { PageBytes.node(format, [$0], [$0]) })
        for removed in 0..<3 {
            var page = page
            // The offset is removed, and the bytes of its node remain.
            for index in removed..<2 { page.store(page.number(at: page.offset(index + 1)), at: page.offset(index)) }
            page.store(page.lower - 2, at: page.layout.lowerOffset)
            #expect(!page.isFilled)
        }
        var early = page
        early.store(page.upper - 2, at: page.layout.upperOffset)
        #expect(!early.isFilled)
    }

    @Test(arguments: FileFormat.allCases) func aPageWithTwoOffsetsToANode_isNotFilled(format: FileFormat) {
        var page = PageBytes(
            format, [PageBytes.node(format, [1], [1]), PageBytes.node(format, [2], [2, 3, 4, 5])])
        page.store(page.number(at: page.offset(1)), at: page.offset(0))
        #expect(!page.isFilled)
    }

    @Test(arguments: FileFormat.allCases) func impossibleBounds_areNotFilled(format: FileFormat) {
        let page = PageBytes(format, [PageBytes.node(format, [1], [1]), PageBytes.node(format, [2], [2])])
        let layout = page.layout
        let end = PageBytes.size - layout.offsetBase
        let bounds = [
            (page.lower + 1, page.upper), (layout.headerSize - layout.offsetBase - 2, page.upper),
            (end + 2, page.upper),
            (page.lower, page.lower - 2), (page.lower, page.upper + 2), (page.lower, end), (page.lower + 2, page.upper),
        ]
        for (lower, upper) in bounds {
            var page = page
            page.store(lower, at: layout.lowerOffset)
            page.store(upper, at: layout.upperOffset)
            #expect(!page.isFilled, "\(lower) to \(upper)")
        }
        // An offset, a key and a value that do not lie in the page.
        let last = page.upper + layout.offsetBase
        for (place, number) in [
            (page.offset(0), 2), (page.offset(0), end - 1), (page.offset(1), 400), (last + 6, 90), (last, 90),
        ] {
            var page = page
            page.store(number, at: place)
            #expect(!page.isFilled, "\(number) at \(place)")
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
