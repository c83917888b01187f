// Lookups of many keys: by a step, by the cursor's page, or from the root. All of them find the same.

import Testing
import TroveTestSupport

@testable import LMDB

@Suite struct PointLookupTests {
    private let test: TestEnvironment
    private let table: Database

    /// A database with every third key, with values of several sizes.
    init() throws {
        test = try TestEnvironment()
        table = try test.environment.createDatabase("table")
        try test.environment.write { transaction in
            for number in stride(from: 0, to: 3000, by: 3) {
                try transaction.put(value(number), for: key(number), in: table)
            }
        }
    }

    private func value(_ number: Int) -> [UInt8] { Array(repeating: UInt8(number % 251), count: number % 90) }

    private func stored(_ number: Int) -> [UInt8]? {
        number >= 0 && number < 3000 && number % 3 == 0 ? value(number) : nil
    }

    /// Expects what the database has for numbers, looked up in order.
    private func expect(_ numbers: [Int], in core: TransactionCore, seed: UInt64? = nil) throws {
        guard var lookups = try PointLookup(core, table) else {
            Issue.record("the database is missing")
            return
        }
        for (place, number) in numbers.enumerated() {
            let found = try ByteView.with(key(number)) { try lookups.value(of: $0)?.copy() }
            #expect(
                found == stored(number),
                "lookup \(place), of \(number)\(seed.map { ": TROVE_TEST_SEED=\($0)" } ?? "")")
        }
    }

    /// Returns runs of stored and absent numbers: upward with steps of all kinds, downward, repeated and scattered.
    private func numbers(_ random: inout some RandomNumberGenerator) -> [Int] {
        (0..<Int.random(in: 1...12, using: &random)).flatMap { _ -> [Int] in
            let start = Int.random(in: -3...3003, using: &random)
            let step = [3, 3, 3, 1, 6, 0, -3, 333].randomElement(using: &random)!
            return (0..<Int.random(in: 1...40, using: &random)).map { max(0, start + $0 * step) }
        }
    }

    @Test func lookupsInAnyOrder_findWhatIsStored() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<100 {
            let numbers = numbers(&random)
            try test.environment.read { try expect(numbers, in: $0.core.checked(), seed: seed) }
            try test.environment.write { try expect(numbers, in: $0.core.checked(), seed: seed) }
        }
    }

    #if DEBUG
    @Test func keysThatFollowEachOther_areFoundBySteps() throws {
        try test.environment.read { transaction in
            let core = try transaction.core.checked()
            core.cursorMoves = CursorMoves()
            try expect(Array(stride(from: 0, to: 3000, by: 3)), in: core)
            #expect(core.cursorMoves.seeks < 10)
            // Every second record: few steps are tried in vain.
            core.cursorMoves = CursorMoves()
            try expect(Array(stride(from: 0, to: 3000, by: 6)), in: core)
            #expect(core.cursorMoves.seeks == 500)
            #expect(core.cursorMoves.steps < 100)
        }
    }
    #endif
}
