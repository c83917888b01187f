// The rules of transactions: no other threads, no use after the end, no use during a nested transaction, no half-done
// work.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct TransactionRuleTests {
    private let test: TestEnvironment
    private let environment: Environment
    private let table: Database

    init() throws {
        test = try TestEnvironment()
        environment = test.environment
        table = try environment.createDatabase("table")
        try environment.write { try $0.put([0], for: [0], in: table) }
    }

    private func use(_ core: TransactionCore, _ lease: UInt64) -> LMDBError.Code? {
        failure { try core.check(lease) }?.code
    }

    @Test func write_commitsWhenItReturns_andRollsBackWhenItThrows() throws {
        #expect(throws: Rollback.self) {
            try environment.write { transaction in
                try transaction.put([1], for: [1], in: table)
                throw Rollback()
            }
        }
        #expect(try test.pairs(of: table).count == 1)
        let result = try environment.write { transaction in
            try transaction.put([1], for: [1], in: table)
            return "kept"
        }
        #expect(result == "kept")
        #expect(try test.pairs(of: table).count == 2)
    }

    @Test func readInsideAWrite_seesTheLastCommit() throws {
        try environment.write { transaction in
            try transaction.put([9], for: [0], in: table)
            #expect(try environment.read { try $0.get([0], from: table) } == [0])
            #expect(try transaction.get([0], from: table) == [9])
        }
    }

    @Test func nestedRead_isASnapshotOfItsOwn() throws {
        try environment.read { outer in
            try environment.write { try $0.put([5], for: [0], in: table) }
            #expect(try outer.get([0], from: table) == [0])
            #expect(try environment.read { try $0.get([0], from: table) } == [5])
        }
    }

    @Test func secondWriteOnAThread_isRefused_andSoIsAllElseThatWouldWait() throws {
        try environment.write { _ in
            #expect(failure { try environment.write { _ in } }?.code == .nestedWrite)
            #expect(failure { _ = try environment.createDatabase("other") }?.code == .nestedWrite)
            #expect(failure { _ = try environment.openDatabase("other") }?.code == .nestedWrite)
            #expect(failure { try environment.dropDatabase("table") }?.code == .nestedWrite)
            #expect(failure { try environment.copy(to: test.directory.path("copy")) }?.code == .nestedWrite)
        }
        #expect(try test.directory.names() == ["test.mdb", "test.mdb-lock"])
    }

    @Test func job_ownsItsTurn() throws {
        let codes = try onAnotherThread { [environment] in
            let done = DispatchSemaphore(value: 0)
            let codes = Mutexed<[LMDBError.Code?]>([])
            environment.writers.enqueue {
                codes.append(failure { try environment.write { _ in } }?.code)
                done.signal()
            }
            done.wait()
            return codes.value
        }
        #expect(codes == [.nestedWrite])
    }

    @Test func afterItsEnd_aTransactionIsRefused() throws {
        let reader = try environment.shared.beginRead()
        let lease = reader.currentLease
        reader.endRead()
        #expect(use(reader, lease) == .transactionEnded)

        let writer = try environment.shared.beginWrite()
        let writerLease = writer.currentLease
        try writer.commit()
        #expect(failure { try writer.commit() }?.code == .transactionEnded)
        writer.endWrite()
        #expect(use(writer, writerLease) == .transactionEnded)
        writer.endWrite()  // a second call is harmless
        try environment.write { _ in }
    }

    @Test func pooledReader_servesItsNewUserOnly() throws {
        let first = try environment.shared.beginRead()
        let lease = first.currentLease
        first.endRead()
        let second = try environment.shared.beginRead()
        #expect(first === second)
        #expect(use(second, second.currentLease) == nil)
        #expect(use(first, lease) == .transactionEnded)
        second.endRead()
    }

    @Test func cursorThatOutlivesItsReader_isRefused_andItsReaderStaysWhole() throws {
        var cursor: Cursor?
        try environment.read { transaction in
            cursor = try transaction.cursor(on: table)
            #expect(try cursor?.moveToFirst() == true)
        }
        let pairs = try environment.read { transaction in
            #expect(failure { _ = try cursor?.moveToNext() }?.code == .transactionEnded)
            cursor = nil
            return try transaction.pairs(of: table)
        }
        #expect(pairs.count == 1)
    }

    @Test func cursorThatOutlivesItsWriter_isRefused_andClosedOnce() throws {
        for nests in [false, true] {
            var cursor: Cursor?
            try environment.write { transaction in
                if nests {
                    try transaction.nested { cursor = try $0.cursor(on: table) }
                } else {
                    cursor = try transaction.cursor(on: table)
                }
            }
            #expect(failure { _ = try cursor?.moveToFirst() }?.code == .transactionEnded)
            cursor = nil
        }
        #expect(try test.pairs(of: table).count == 1)
    }

    @Test func anotherThread_isRefused() throws {
        for core in [try environment.shared.beginRead(), try environment.shared.beginWrite()] {
            let lease = core.currentLease
            #expect(try onAnotherThread { failure { try core.check(lease) }?.code } == .wrongThread)
            #expect(use(core, lease) == nil)
            core.endRead()  // each method ends only its own kind of transaction
            core.endWrite()
        }
    }

    @Test func everyRefusal_namesThePath() throws {
        let reader = try environment.shared.beginRead()
        let lease = reader.currentLease
        let onOtherThread = try onAnotherThread { failure { try reader.check(lease) } }
        reader.endRead()
        let ended = failure { try reader.check(lease) }
        var nestedWrite: LMDBError?
        var nestedOpen: LMDBError?
        try environment.write { transaction in
            nestedWrite = failure { try environment.write { _ in } }
            try transaction.nested { _ in nestedOpen = transaction.failure { _ = try $0.get([0], from: table) } }
        }
        let errors = [onOtherThread, ended, nestedWrite, nestedOpen]
        #expect(errors.map { $0?.code } == [.wrongThread, .transactionEnded, .nestedWrite, .nestedTransactionOpen])
        for error in errors { #expect(error?.path == environment.path) }
    }

    @Test func parent_isRefusedWhileANestedTransactionIsOpen() throws {
        try environment.write { parent in
            try parent.nested { child in
                try child.put([1], for: [1], in: table)
                #expect(parent.failure { try $0.put([2], for: [2], in: table) }?.code == .nestedTransactionOpen)
                #expect(parent.failure { _ = try $0.get([0], from: table) }?.code == .nestedTransactionOpen)
                #expect(parent.failure { try $0.nested { _ in } }?.code == .nestedTransactionOpen)
            }
            #expect(try parent.get([1], from: table) == [1])
        }
    }

    @Test func nestedTransaction_rollsBackAlone() throws {
        try environment.write { parent in
            try parent.put([1], for: [1], in: table)
            #expect(throws: Rollback.self) {
                try parent.nested { child in
                    try child.put([2], for: [2], in: table)
                    try child.delete([1], from: table)
                    try child.nested { try $0.put([3], for: [3], in: table) }
                    throw Rollback()
                }
            }
            try parent.nested { try $0.put([4], for: [4], in: table) }
        }
        #expect(try test.pairs(of: table).map(\.key) == [[0], [1], [4]])
    }

    @Test func valueBeingWritten_bars_theTransaction() throws {
        try environment.write { transaction in
            try transaction.put(unsafe ([1] as [UInt8]).span.bytes, size: 1, in: table) { span in
                #expect(transaction.failure { try $0.put([2], for: [2], in: table) }?.code == .valueOpen)
                #expect(transaction.failure { try $0.nested { _ in } }?.code == .valueOpen)
                copyBytes(unsafe ([7] as [UInt8]).span.bytes, into: &span)
            }
            #expect(try transaction.get([1], from: table) == [7])
        }
    }

    @Test func valueLent_survivesWritesOfItsKey() throws {
        try environment.write { transaction in
            for size in [1, 100, 5000] {
                let value = [UInt8](repeating: 1, count: size)
                try transaction.put(value, for: [5], in: table)
                _ = try transaction.withValue(for: unsafe ([5] as [UInt8]).span.bytes, in: table) { span in
                    for round in 0..<50 {
                        try transaction.put([UInt8](repeating: 2, count: round), for: [5], in: table)
                    }
                    try transaction.delete([5], from: table)
                    #expect(copiedBytes(span) == value)
                }
            }
        }
    }

    @Test func throwingFill_cannotCommit_evenWhenItsErrorIsSwallowed() throws {
        let error = failure {
            try environment.write { transaction in
                try transaction.put([1], for: [1], in: table)
                try? transaction.put(unsafe ([2] as [UInt8]).span.bytes, size: 8, in: table) { _ in throw Rollback() }
            }
        }
        #expect(error?.code == .badTransaction)
        #expect(error?.cause == "Rollback()")
        #expect(error?.description.contains("Rollback()") == true)
        #expect(try test.pairs(of: table).count == 1)
    }

    @Test func throwingFill_whoseErrorIsLMDBs_isThatErrorFromThenOn() throws {
        let cause = LMDBError(.keyNotFound, in: "fill")
        let error = failure {
            try environment.write { transaction in
                let key = unsafe ([2] as [UInt8]).span.bytes
                let first = transaction.failure { try $0.put(key, size: 8, in: table) { _ in throw cause } }
                #expect(first == cause)
                #expect(transaction.failure { try $0.delete([0], from: table) } == cause)
                #expect(transaction.failure { _ = try $0.createDatabase("other") } == cause)
            }
        }
        #expect(error == cause)
    }

    @Test func throwingFill_inANestedTransaction_leavesItsParentUsable() throws {
        try environment.write { transaction in
            try? transaction.nested { child in
                try child.put(unsafe ([2] as [UInt8]).span.bytes, size: 8, in: table) { _ in throw Rollback() }
            }
            try transaction.put([1], for: [1], in: table)
        }
        #expect(try test.pairs(of: table).map(\.key) == [[0], [1]])
    }

    @Test func poison_isThrownAgainByEveryUse_andByCommit() throws {
        let writer = try environment.shared.beginWrite()
        defer { writer.endWrite() }
        let lease = writer.currentLease
        writer.poison(LMDBError(.diskFull, in: "test"))
        #expect(use(writer, lease) == .diskFull)
        #expect(failure { try writer.commit() }?.code == .diskFull)
        #expect(failure { _ = try writer.beginNested() }?.code == .diskFull)
    }

    @Test func refusals_leaveTheTransactionUsable() throws {
        let long = [UInt8](repeating: 1, count: 512)
        let badNames = ["", "a\0b", String(repeating: "x", count: 512)]
        let errors = try environment.write { transaction in
            var errors = badNames.map { name in transaction.failure { _ = try $0.createDatabase(name) } }
            errors.append(transaction.failure { try $0.put([1], for: [], in: table) })
            errors.append(transaction.failure { try $0.put([1], for: long, in: table) })
            errors.append(transaction.failure { try $0.append([1], for: [0], in: table) })
            try transaction.put([2], for: Array(long.dropLast()), in: table)
            return errors
        }
        let codes = [LMDBError.Code](repeating: .badDatabaseName, count: 3) + [.badKeySize, .badKeySize, .notAscending]
        #expect(errors.map { $0?.code } == codes)
        #expect(errors[4]?.limit == 511)
        #expect(try test.pairs(of: table).count == 2)
    }

    /// liblmdb 0.9.24 writes such a value with a single call, of which the system writes only a part.
    @Test func valueThatNoSystemWritesAtOnce_isRefused_beforeAnythingIsWritten() throws {
        let size = Environment.maximumValueSize + 1
        try environment.write { transaction in
            let name: [UInt8] = [7]
            let error = transaction.failure { try $0.put(unsafe name.span.bytes, size: size, in: table) { _ in } }
            #expect(error?.code == .badValueSize)
            #expect(error?.limit == Environment.maximumValueSize)
            try transaction.put([2], for: [8], in: table)
        }
        #expect(try test.pairs(of: table).map(\.key) == [[0], [8]])
        #expect(Environment.maximumValueSize < 1 << 31 - 4096)
    }

    @Test func putIfAbsent_keepsWhatIsThere() throws {
        #expect(try environment.write { try $0.putIfAbsent([1], for: [0], in: table) } == false)
        #expect(try environment.write { try $0.putIfAbsent([1], for: [1], in: table) } == true)
        #expect(try test.pairs(of: table).map(\.value) == [[0], [1]])
    }

    @Test func keysThatCannotExist_areNotFound() throws {
        let long = [UInt8](repeating: 1, count: 512)
        for key in [[], long] {
            #expect(try environment.write { try $0.get(key, from: table) } == nil)
            #expect(try environment.write { try $0.delete(key, from: table) } == false)
        }
        #expect(try environment.read { try $0.get(long, from: table) } == nil)
    }

    @Test func identifier_isTheSnapshots() throws {
        let before = try environment.read { try $0.identifier }
        let writing = try environment.write { transaction in
            try transaction.put([1], for: [1], in: table)
            return try transaction.identifier
        }
        #expect(writing == before + 1)
        #expect(try environment.read { try $0.identifier } == writing)
        #expect(try environment.info.lastTransaction == writing)
    }
}
