// Several programs on the same store during a migration: the old program goes on reading, and new programs share the
// work.

import Foundation
import LMDB
import Testing
import Trove
import TroveStoreWorker
import TroveTestSupport

@Suite("Migrations across processes", .serialized) struct MigrationProcessTests {
    private let prefix = OldItem.keyPrefix

    /// A process of the old program, which answers commands.
    private struct OldProcess {
        private let child: ChildProcess

        init(_ file: MigratedFile, count: Int) throws {
            child = try ChildProcess(["old-program", file.path, "", "\(count)"], executable: "TroveStoreWorker")
            #expect(child.readLine() == "ready")
        }

        func ask(_ question: String) throws { try child.writeLine(question) }
        func answer() -> String? { child.readLine() }

        func answer(_ question: String) throws -> String? {
            try ask(question)
            return answer()
        }
    }

    @Test func theOldProgram_readsByTheRules_fromBeginningToEnd_andCanNoLongerWrite() throws {
        let count = 4000
        let file = try MigratedFile(of: OldItem.all(count))
        let old = try OldProcess(file, count: count)
        #expect(try old.answer("read") == "right \(count)")
        #expect(try old.answer("write") == "written")
        let gate = MigrationGate()
        let store = try file.open(NewItem.self, migrations: .background, progress: gate.pass)
        gate.waitUntilReached()
        // The layout is known from the first transaction on, when some records were not yet rewritten.
        #expect(try store.storedType(prefix).migration != nil)
        #expect(try old.answer("read") == "right \(count)")
        #expect(try old.answer("write") == "newer")
        #expect(try old.answer("delete") == "newer")
        try old.ask("watch")
        gate.open()
        while try !store.storedType(prefix).isMigrated { sched_yield() }
        #expect(old.answer() == "right \(count)")
        #expect(try old.answer("write") == "newer")
        #expect(try NewItem.query().resolve(in: store) == (0..<count).map { NewItem(number: $0) })
    }

    @Test func theOldProgram_isRefused_underANewerLayoutThatItCannotRead() throws {
        let file = try MigratedFile(of: OldItem.all(100))
        let old = try OldProcess(file, count: 100)
        #expect(try old.answer("read") == "right 100")
        let store = try file.open(RenamedItem.self)
        for question in ["read", "write", "delete"] { #expect(try old.answer(question) == "newer") }
        #expect(try RenamedItem.query().count(in: store) == 100)
    }

    @Test func theOldProgram_seesTheOldOrderOrNone() throws {
        let file = try MigratedFile(of: OldItem.all(100))
        let old = try OldProcess(file, count: 100)
        #expect(try old.answer("read") == "right 100")
        let store = try file.open(SortedItem.self)
        for question in ["read", "write", "delete"] { #expect(try old.answer(question) == "newer") }
        #expect(try SortedItem.query().count(in: store) == 100)
    }

    @Test(arguments: ["new", "sorted"]) func newPrograms_thatMigrateAtOnce_shareTheWork(layout: String) throws {
        let count = 20_000
        let file = try MigratedFile(of: OldItem.all(count))
        let children = try (0..<2).map { _ in
            let child = try ChildProcess(["migrate", file.path, layout, "1"], executable: "TroveStoreWorker")
            #expect(child.readLine() == "ready")
            return child
        }
        for child in children { try child.writeLine("go") }
        for child in children {
            var done = 0
            while let line = child.readLine(), line != "migrated \(count)" {
                let numbers = line.split(separator: " ").compactMap { Int($0) }
                #expect(numbers.count == 2 && numbers[1] == count && (done...count).contains(numbers[0]), "\(line)")
                done = numbers.first ?? done
            }
            #expect(child.readLine() == "done")
            #expect(child.wait() == 0)
        }
        let numbers = (0..<count)
        let expected =
            layout == "new"
            ? try MigratedFile(of: numbers.map { NewItem(number: $0) })
            : try MigratedFile(of: numbers.map { SortedItem(number: $0) })
        #expect(try file.stored(prefix) == expected.stored(prefix))
        #expect(try file.type(prefix).isMigrated)
    }

    /// In the middle of a migration, another program gives the type another layout. The other layout stays.
    @Test(arguments: [("new", "sorted"), ("sorted", "new")])
    func aMigrationUnderWay_givesWayToANewerLayout(mine: String, theirs: String) throws {
        let types: [String: any IndexKeyRecord.Type] = ["new": NewItem.self, "sorted": SortedItem.self]
        let (mine, newest) = (try #require(types[mine]), try #require(types[theirs]).schema)
        let count = 20_000
        let file = try MigratedFile(of: OldItem.all(count))
        let gate = MigrationGate()
        let opening = RunningThread { try file.open(mine, progress: gate.pass) }
        gate.waitUntilReached()
        let child = try ChildProcess(["migrate", file.path, theirs, "1"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        try child.writeLine("go")
        #expect(child.wait() == 0)
        gate.open()
        let expected = StoreError.schema(
            .schemaNewer(path: file.path, type: mine.schema.name, stored: newest.layout, declared: mine.schema.layout))
        #expect(storeError { try opening.value() } == expected)
        let records = try file.stored(prefix)
        #expect(records.count == count && records.allSatisfy { $0.fieldsVersion == newest.fieldsVersion })
        #expect(try file.type(prefix).isMigrated)
        #expect(try file.damage() == [])
    }

    // MARK: Records changed by another process meanwhile

    /// The record has a value that only the type refuses. It must not be rewritten as a record that no program can
    /// read.
    @Test func aRecordThatTheTypeWouldRefuse_isNotRewritten() throws {
        let count = 1000
        let file = try MigratedFile(of: (0..<count).map { TextItem(number: $0, text: "\($0 % 7)") })
        let child = try ChildProcess(["texts", file.path, "", "0"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        let gate = MigrationGate(afterValidationOf: count)
        let opening = RunningThread { try file.open(LevelItem.self, progress: gate.pass) }
        gate.waitUntilReached()
        try child.writeLine("\(count) word")
        #expect(child.readLine() == "written")
        gate.open()
        guard
            case .schema(.unconvertible(_, TextItem.fieldsVersion, let key, let reason))? = storeError({
                try opening.value()
            })
        else {
            Issue.record("the type was migrated")
            return
        }
        #expect(key.bytes == KeyWriter.bytes(of: count) && reason.field == "text")
        let last = try #require(try file.stored(TextItem.keyPrefix).last)
        #expect(last.fieldsVersion == TextItem.fieldsVersion && last["text"] == .string("word"))
    }

    /// The old program makes a record unconvertible right after all records were validated. The migration stops at this
    /// record.
    @Test(arguments: [NumberItem.self, ItemByNumber.self] as [any IndexKeyRecord.Type])
    func aRecordMadeUnconvertible_stopsTheMigration_andTheOthersAreRead(_ type: any IndexKeyRecord.Type) throws {
        let count = 20_000
        let file = try MigratedFile(of: (0..<count).map { TextItem(number: $0, text: "\($0 % 7)") })
        let before = try file.stored(TextItem.keyPrefix)
        let child = try ChildProcess(["texts", file.path, "", "0"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        let gate = MigrationGate(afterValidationOf: count)
        let opening = RunningThread { try file.open(type, progress: gate.pass) }
        gate.waitUntilReached()
        #expect(gate.steps.allSatisfy { $0.phase == .validating })
        try child.writeLine("\(count) word")
        #expect(child.readLine() == "written")
        gate.open()
        guard
            case .schema(.unconvertible(_, TextItem.fieldsVersion, let key, let reason))? = storeError({
                try opening.value()
            })
        else {
            Issue.record("the type was migrated")
            return
        }
        #expect(key.bytes == KeyWriter.bytes(of: count) && reason.field == "text")
        // The layout is already the newest layout.
        try child.writeLine("0 1")
        #expect(child.readLine() == "newer")
        if type == NumberItem.self {
            let migration = try #require(try file.type(TextItem.keyPrefix).migration)
            #expect((1..<count).contains(migration.done))
            let store = try file.open()
            #expect(try NumberItem.query(number: .range(0..<count)).resolve(in: store) == NumberItem.all(count))
            #expect(try store.get(NumberItem.self, key: 0) == NumberItem(number: 0, text: 0))
            // The new program can delete the record.
            try store.delete(NumberItem.self, key: count)
        } else {
            // Nothing of the new order is left, and the old order is unchanged.
            #expect(try file.tables().values.sorted() == [0, count + 1])
            #expect(try file.stored(TextItem.keyPrefix).dropLast() == before[...])
            _ = try file.open(migrations: .allowOlderLayout).delete(TextItem.self, key: count)
        }
        _ = try file.open(type, migrations: .allowOlderLayout)
        #expect(try file.type(TextItem.keyPrefix).isMigrated)
        #expect(try file.stored(TextItem.keyPrefix).count == count)
        #expect(try file.damage() == [])
    }
}

/// Items whose texts become cases of an enum. No rule notices a text outside the cases.
@IndexKeyRecord(keyPrefix: 4_000_005, "number")
struct LevelItem {
    enum Level: String, RecordValue {
        case monday = "0", tuesday = "1", wednesday = "2", thursday = "3", friday = "4", saturday = "5", sunday = "6"
    }

    let number: Int
    var text: Level
    var body: Data
}

/// Items with numbers instead of texts.
@IndexKeyRecord(keyPrefix: 4_000_005, "number")
struct NumberItem: Hashable {
    let number: Int
    var text: Int
    var body: Data

    init(number: Int, text: Int) {
        self.number = number
        self.text = text
        body = OldItem(number: number).body
    }

    static func all(_ count: Int) -> [NumberItem] { (0..<count).map { NumberItem(number: $0, text: $0 % 7) } }
}

/// The same items, sorted by the numbers.
@IndexKeyRecord(keyPrefix: 4_000_005, "text", "number")
struct ItemByNumber: Hashable {
    let text: Int
    let number: Int
    var body: Data
}
