// Keys without values, stored in a single call.

import LMDB
import Testing
import TroveTestSupport

@Suite struct KeysAtOnceTests {
    private let test: TestEnvironment
    private let table: Database

    init() throws {
        test = try TestEnvironment()
        table = try test.environment.createDatabase("table")
    }

    @Test func keysInAnyOrder_areStored_besideThoseThatWereThere() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        var model: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<20 {
            let other = key(Int.random(in: 0..<5000, using: &random))
            var keys = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                key(Int.random(in: 0..<5000, using: &random))
            }
            if Bool.random(using: &random) { keys.sort { $0.lexicographicallyPrecedes($1) } }
            try test.environment.write { transaction in
                try transaction.put([1], for: other, in: table)
                try transaction.put(keys, in: table)
                // After any keys, the greatest key is known again.
                try transaction.put([2], for: key(6000), in: table)
            }
            model[other] = [1]
            for key in keys { model[key] = [] }
            model[key(6000)] = [2]
            let expected = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            #expect(
                try test.pairs(of: table) == expected.map { Pair(key: $0.key, value: $0.value) },
                "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test func ascendingKeys_fillTheirPages_alsoBehindOthers() throws {
        let count = 10_000
        let pages = try test.environment.write { transaction in
            for number in 0..<10 { try transaction.put([], for: key(number), in: table) }
            try transaction.put((5..<count).map { key($0) }, in: table)
            return try transaction.statistics(of: table).leafPages
        }
        // An entry takes 8 bytes, a node header of 8 and its slot of 2; a page has a header of 16.
        #expect(pages <= count / ((4096 - 16) / 18) + 1)
    }

    @Test func aKeyThatCannotBeStored_leavesTheTransactionUsable() throws {
        try test.environment.write { transaction in
            let error = transaction.failure { try $0.put([[1], [2], [], [3]], in: table) }
            #expect(error?.code == .badKeySize)
            try transaction.put([[0], [4]], in: table)
            try transaction.put([], for: [5], in: table)
        }
        #expect(try test.pairs(of: table).map(\.key) == [[0], [1], [2], [4], [5]])
    }
}

extension WriteTransaction {
    fileprivate borrowing func put(_ keys: [[UInt8]], in table: Database) throws {
        // The keys lie in a single buffer, which does not move.
        let bytes = Array(keys.joined())
        try ByteView.with(bytes) { bytes in
            var (rest, start) = (keys[...], 0)
            try core.checked().putKeys(table) {
                guard let key = rest.popFirst() else { return nil }
                defer { start += key.count }
                return bytes[start..<start + key.count]
            }
        }
    }
}
