// Cursors of a transaction that writes between their moves.

import Testing
import TroveTestSupport

@testable import LMDB

@Suite struct CursorTests {
    private let test: TestEnvironment
    private let table: Database

    init() throws {
        test = try TestEnvironment()
        table = try test.environment.createDatabase("table")
    }

    private func key(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// Stores more entries than a page holds.
    private func put(_ numbers: Range<Int>, in transaction: borrowing WriteTransaction) throws {
        for number in numbers {
            try transaction.put([UInt8](repeating: 1, count: 400), for: key(number), in: table)
        }
    }

    @Test func aCursorAtTheEnd_findsTheNewLastKey() throws {
        try test.environment.write { transaction in
            try put(0..<3, in: transaction)
            var cursor = try transaction.cursor(on: table)
            #expect(try cursor.moveToLast())
            #expect(try !cursor.moveToNext())
            try put(3..<100, in: transaction)
            #expect(try cursor.moveToPrevious())
            #expect(cursor.key == key(99))
            #expect(try !cursor.moveToNext())
            for number in 2..<100 { try transaction.delete(key(number), from: table) }
            #expect(try cursor.moveToLast())
            #expect(cursor.key == key(1))
        }
    }

    @Test func aCursorThatFoundNothing_findsTheNewFirstKey() throws {
        try test.environment.write { transaction in
            try put(0..<40, in: transaction)
            var cursor = try transaction.cursor(on: table)
            #expect(try !cursor.seek(key(1000)))
            for number in 0..<38 { try transaction.delete(key(number), from: table) }
            #expect(try cursor.moveToNext())
            #expect(cursor.key == key(38))
            #expect(try !cursor.seek(key(1000)))
            try put(0..<38, in: transaction)
            #expect(try cursor.moveToNext())
            #expect(cursor.key == key(0))
        }
    }

    @Test func aSeekThatFoundNothing_findsWhatIsWrittenAfterwards() throws {
        try test.environment.write { transaction in
            try put(0..<3, in: transaction)
            let core = try transaction.core.checked()
            guard var cursor = try SeekCursor(core, table) else {
                Issue.record("The table is there.")
                return
            }
            func seek(_ number: Int) throws -> [UInt8]? {
                guard let found = try ByteView.with(key(number), { try cursor.seek($0) }) else { return nil }
                var bytes: [UInt8] = []
                found.key.append(to: &bytes)
                return bytes
            }
            #expect(try seek(50) == nil)
            try put(3..<100, in: transaction)
            #expect(try seek(50) == key(50))
            #expect(try seek(100) == nil)
            for number in 1..<100 { try transaction.delete(key(number), from: table) }
            #expect(try seek(1) == nil)
            #expect(try seek(0) == key(0))
        }
    }
}
