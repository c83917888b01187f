// Scans with bounds at the edges, and the effect of appends on pages.

@testable import LMDB
import Testing
import TroveTestSupport

@Suite struct ScanTests {
    private let test: TestEnvironment
    private let table: Database

    init() throws {
        test = try TestEnvironment()
        table = try test.environment.createDatabase("table")
    }

    private func keys(_ range: ScanRange) throws -> [[UInt8]] {
        try test.environment.read { try $0.pairs(of: table, range).map(\.key) }
    }

    @Test func boundsLongerThanAnyKey_separateAsTheirBytesDo() throws {
        let longest = [UInt8](repeating: 7, count: 511)
        let neighbours = [longest.dropLast() + [6], longest, longest.dropLast() + [8]].map(Array.init)
        try test.environment.write { transaction in
            for key in neighbours { try transaction.put([], for: key, in: table) }
        }
        let beyond = longest + [0]
        #expect(try keys(ScanRange(from: beyond)) == [neighbours[2]])
        #expect(try keys(ScanRange(upTo: beyond)) == Array(neighbours[..<2]))
        #expect(try keys(ScanRange(from: beyond, isDescending: true)) == [neighbours[2]])
        #expect(try keys(ScanRange(upTo: beyond, isDescending: true)) == [neighbours[1], neighbours[0]])
        let deleted = try test.environment.write { try $0.delete(ScanRange(upTo: beyond), from: table) }
        #expect(deleted == 2)
    }

    @Test func emptyAndInvertedRanges_showNothing() throws {
        try test.environment.write { transaction in
            for number in 0..<10 { try transaction.put([], for: [UInt8(number)], in: table) }
            for range in [ScanRange(upTo: []), ScanRange(from: [5], upTo: [5]), ScanRange(from: [6], upTo: [2])] {
                for isDescending in [false, true] {
                    var range = range
                    range.isDescending = isDescending
                    #expect(try transaction.pairs(of: table, range).isEmpty)
                    #expect(try transaction.count(of: table, in: range) == 0)
                    #expect(try transaction.delete(range, from: table) == 0)
                }
            }
        }
        #expect(try keys(ScanRange()).count == 10)
    }

    @Test func descendingRange_isDeletedWithinItsBounds() throws {
        try test.environment.write { transaction in
            for number in 0..<10 { try transaction.put([], for: [UInt8(number)], in: table) }
            #expect(try transaction.delete(ScanRange(from: [3], upTo: [6], isDescending: true), from: table) == 3)
        }
        #expect(try keys(ScanRange()) == [0, 1, 2, 6, 7, 8, 9].map { [$0] })
    }

    @Test func throwingBody_endsTheWalk_andTheNextOneWorks() throws {
        try test.environment.write { transaction in
            try transaction.put([1], for: [1], in: table)
            #expect(throws: Rollback.self) { try transaction.scan(table) { _, _ in throw Rollback() } }
            #expect(try transaction.pairs(of: table).count == 1)
        }
        let pairs = try test.environment.read { transaction in
            #expect(throws: Rollback.self) { try transaction.scan(table) { _, _ in throw Rollback() } }
            return try transaction.pairs(of: table)
        }
        #expect(pairs.count == 1)
    }

    @Test func scansInScans_doNotDisturbEachOther() throws {
        try test.environment.write { transaction in
            for number in 0..<50 { try transaction.put([], for: key(number), in: table) }
        }
        try test.environment.read { transaction in
            var pairs = 0
            try transaction.scan(table) { outer, _ in
                let outer = copiedBytes(outer)
                try transaction.scan(table, ScanRange(from: outer)) { _, _ in
                    pairs += 1
                    return .continue
                }
                return .continue
            }
            #expect(pairs == 50 * 51 / 2)
        }
    }

    @Test func ascendingInserts_fillTheirPages() throws {
        let random = try test.environment.createDatabase("random")
        let count = 10_000
        let (ascending, shuffled) = try test.environment.write { transaction in
            var generator = SeededGenerator(seed: 1)
            let value = [UInt8](repeating: 1, count: 62)
            for number in 0..<count { try transaction.put(value, for: key(number), in: table) }
            for number in (0..<count).shuffled(using: &generator) {
                try transaction.put(value, for: key(number), in: random)
            }
            return (try transaction.statistics(of: table), try transaction.statistics(of: random))
        }
        #expect(ascending.entries == count)
        #expect(shuffled.entries == count)
        #expect(Double(ascending.leafPages) < 0.8 * Double(shuffled.leafPages))
        // An entry takes 8 + 62 bytes and a node header of 8 and its slot of 2; a page has a header.
        let pairsOfAFullPage = (4096 - PageLayout.loaded.headerSize) / 80
        #expect(ascending.leafPages <= count / pairsOfAFullPage + 1)
    }
}
