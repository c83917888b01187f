// Random operations on a database, compared with a sorted array: puts, deletes, scans that write in between, cursors,
// and nested transactions that roll back.

import LMDB
import Testing
import TroveTestSupport

@Suite struct ModelTests {
    @Test(arguments: 0..<4)
    func randomWork_equalsASortedArray(_: Int) throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        try work(generator, seed)
    }

    /// Work after which liblmdb's cursor, left without a position, read a page that was no longer in the tree.
    @Test(arguments: 0..<8)
    func workThatLeftACursorStale_equalsASortedArray(_: Int) throws {
        let seed: UInt64 = 14_664_348_604_792_851_209
        try work(SeededGenerator(seed: seed), seed)
    }

    private func work(_ generator: SeededGenerator, _ seed: UInt64) throws {
        try withKnownSeed(seed) {
            let test = try TestEnvironment()
            let table = try test.environment.createDatabase("table")
            var work = RandomWork(table: table, generator: generator)
            for _ in 0..<40 {
                let before = work.model
                do {
                    try test.environment.write { transaction in
                        try work.run(in: transaction, steps: 40, depth: 0)
                        if work.chance(8) { throw Rollback() }
                    }
                } catch is Rollback {
                    work.model = before
                }
                try test.environment.read { transaction in
                    try work.compareScans(in: transaction)
                    #expect(try transaction.count(of: table) == work.model.pairs.count)
                }
            }
            #expect(try test.pairs(of: table) == work.model.pairs)
        }
    }

    /// Reports the seed on failure.
    private func withKnownSeed(_ seed: UInt64, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            Issue.record("TROVE_TEST_SEED=\(seed): \(error)")
        }
    }
}

/// A difference between the database and the model.
struct Difference: Error {
    var what: String
}

struct RandomWork {
    let table: Database
    var model = SortedModel()
    private var generator: SeededGenerator

    init(table: Database, generator: SeededGenerator) {
        self.table = table
        self.generator = generator
    }

    mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &generator) == 0 }

    // MARK: Material

    /// Returns one of a few keys, so that keys repeat. Their lengths make pages split early, and some have the maximum
    /// size.
    private mutating func randomKey() -> [UInt8] {
        let number = Int.random(in: 0..<300, using: &generator)
        let lengths = [1, 2, 8, 40, 200, 511]
        let length = lengths[number % lengths.count]
        let digits = [UInt8(number % 17), UInt8(number / 17)]
        return Array((digits + [UInt8](repeating: UInt8(number % 7), count: 510)).prefix(length))
    }

    private mutating func randomBound() -> [UInt8] {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: []
        case 1: randomKey() + [UInt8](repeating: 1, count: Int.random(in: 1...600, using: &generator))
        case 2: Array(randomKey().prefix(1))
        default: randomKey()
        }
    }

    private mutating func randomRange() -> ScanRange {
        ScanRange(
            from: chance(3) ? [] : randomBound(), upTo: chance(3) ? nil : randomBound(), isDescending: chance(2))
    }

    private mutating func randomValue() -> [UInt8] {
        let most = chance(20) ? 9000 : 300
        let count = Int.random(in: 0...most, using: &generator)
        return [UInt8](repeating: UInt8.random(in: 0...255, using: &generator), count: count)
    }

    private func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        guard condition else { throw Difference(what: what()) }
    }

    // MARK: Work

    mutating func run(in transaction: borrowing WriteTransaction, steps: Int, depth: Int) throws {
        var cursor = try transaction.cursor(on: table)
        for _ in 0..<steps {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0: try nested(in: transaction, depth: depth)
            case 1: try scanAndWrite(in: transaction)
            case 2: try deleteRange(in: transaction)
            case 3: try deleteGreatest(in: transaction)
            case 4, 5: try moveCursor(&cursor)
            case 6 where chance(10):
                try transaction.removeAll(from: table)
                model.deleteAll()
            case 7: try compareScans(in: transaction)
            default: try writeOne(in: transaction)
            }
        }
    }

    private mutating func writeOne(in transaction: borrowing WriteTransaction) throws {
        let (key, value) = (randomKey(), randomValue())
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1:
            let wasThere = try transaction.delete(key, from: table)
            try require(wasThere == model.delete(key), "delete \(key.prefix(4))")
        case 2:
            let isNew = model.value(for: key) == nil
            try require(try transaction.putIfAbsent(value, for: key, in: table) == isNew, "keep \(key.prefix(4))")
            if isNew { model.put(value, for: key) }
        case 3:
            let sortsLast = model.pairs.last.map { $0.key.lexicographicallyPrecedes(key) } ?? true
            let error = transaction.failure { try $0.append(value, for: key, in: table) }
            try require(error?.code == (sortsLast ? nil : .notAscending), "append \(key.prefix(4))")
            if sortsLast { model.put(value, for: key) }
        case 4:
            // The cursor's position is only a hint, whatever key follows.
            _ = try transaction.core.checked().put(
                table, unsafe key.span.bytes, size: value.count, mode: .replaceNext
            ) { destination in
                copyBytes(unsafe value.span.bytes, into: &destination)
            }
            model.put(value, for: key)
        default:
            try transaction.put(value, for: key, in: table)
            model.put(value, for: key)
        }
        try require(try transaction.get(key, from: table) == model.value(for: key), "get \(key.prefix(4))")
    }

    private mutating func deleteGreatest(in transaction: borrowing WriteTransaction) throws {
        guard let last = model.pairs.last else { return }
        try require(try transaction.delete(last.key, from: table), "delete the greatest")
        _ = model.delete(last.key)
    }

    private mutating func deleteRange(in transaction: borrowing WriteTransaction) throws {
        var range = randomRange()
        // Most ranges are short, so that enough entries remain.
        if !chance(4), let first = model.pair(after: nil, in: range) {
            range = ScanRange(from: first.key, upTo: first.key + [5], isDescending: range.isDescending)
        }
        let expected = model.delete(range)
        let count = try transaction.delete(range, from: table)
        try require(count == expected, "deleted \(count) of \(expected)")
        try require(try transaction.count(of: table) == model.pairs.count, "count after a range delete")
    }

    private mutating func nested(in transaction: borrowing WriteTransaction, depth: Int) throws {
        guard depth < 3 else { return }
        let before = model
        do {
            try transaction.nested { child in
                try run(in: child, steps: 8, depth: depth + 1)
                if chance(2) { throw Rollback() }
            }
        } catch is Rollback {
            model = before
        }
    }

    private mutating func scanAndWrite(in transaction: borrowing WriteTransaction) throws {
        let range = randomRange()
        var last: [UInt8]?
        var isStopped = false
        try transaction.scan(table, range) { key, value in
            let pair = Pair(key: copiedBytes(key), value: copiedBytes(value))
            let expected = model.pair(after: last, in: range)
            try require(pair == expected, "the scan shows \(pair.key.prefix(4)) after \(last?.prefix(4) ?? [])")
            last = pair.key
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                try transaction.delete(pair.key, from: table)
                _ = model.delete(pair.key)
            case 1: try writeOne(in: transaction)
            case 2:
                guard let next = model.pair(after: pair.key, in: range) else { break }
                try transaction.delete(next.key, from: table)
                _ = model.delete(next.key)
            case 3 where chance(3): try nested(in: transaction, depth: 2)
            case 4: isStopped = chance(10)
            default: break
            }
            try require(copiedBytes(key) == pair.key && copiedBytes(value) == pair.value, "a lent span changed")
            return isStopped ? .stop : .continue
        }
        if !isStopped { try require(model.pair(after: last, in: range) == nil, "the scan ends early") }
    }

    private mutating func moveCursor(_ cursor: inout Cursor) throws {
        let isForward = chance(2)
        for _ in 0..<3 {
            let expected: Pair?
            let found: Bool
            if chance(4) {
                let bound = randomBound()
                expected = model.pair(after: nil, in: ScanRange(from: bound))
                found = try cursor.seek(bound)
            } else {
                expected = model.pair(after: cursor.key, in: ScanRange(isDescending: !isForward))
                found = try isForward ? cursor.moveToNext() : cursor.moveToPrevious()
            }
            try require(
                found == (expected != nil) && cursor.key == expected?.key,
                "the cursor moved \(isForward ? "forward" : "back") to \(cursor.key?.prefix(4) ?? []), not to \(expected?.key.prefix(4) ?? [])"
            )
            try require(try cursor.value() == expected?.value, "the cursor's value")
        }
    }

    mutating func compareScans<T: Transaction & ~Copyable>(in transaction: borrowing T) throws {
        for _ in 0..<4 {
            let range = randomRange()
            let pairs = model.pairs(of: range)
            try require(try transaction.pairs(of: table, range) == pairs, "a scan of \(range)")
            try require(try transaction.count(of: table, in: range) == pairs.count, "a count of \(range)")
        }
    }
}
