// The types in a store's catalog: types stay distinct, and every change is noticed.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

private struct Deliberate: Error {}

@Suite("The catalog") struct CatalogTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String = "catalog.trove", readOnly: Bool = false) throws -> Store {
        try Store(path: directory.path(name), options: StoreOptions(durability: .noSync, isReadOnly: readOnly))
    }

    // MARK: Two types, one prefix

    private func collision(in store: Store, free: UInt32 = 577_100_125, isDeclared: Bool = true) -> StoreError {
        .schema(
            .prefixTaken(
                path: store.path, prefix: 577_100_124, type: "TroveTests.Gistun", by: "TroveTests.Fejar", free: free,
                isDeclared: isDeclared))
    }

    @Test func typesThatShareAPrefix_areRefused() throws {
        #expect(Fejar.keyPrefix == Gistun.keyPrefix)
        let store = try open()
        try store.insert(Fejar(id: 1, text: "mine"))
        #expect(storeError { try store.insert(Gistun(id: 1, text: "yours")) } == collision(in: store))
        #expect(storeError { try Gistun.query().resolve(in: store) } == collision(in: store))
        #expect(storeError { try Gistun.query().delete(in: store) } == collision(in: store))
        #expect(try Fejar.query().resolve(in: store) == [Fejar(id: 1, text: "mine")])
    }

    @Test func typesThatShareAPrefix_areRefused_afterReopening() throws {
        try open().insert(Fejar(id: 1, text: "mine"))
        for insert in [false, true] {
            let store = try open()
            let error = storeError {
                if insert {
                    try store.insert(Gistun(id: 1, text: "yours"))
                } else {
                    _ = try Gistun.query().resolve(in: store)
                }
            }
            #expect(error == collision(in: store, isDeclared: false))
        }
        #expect(try Fejar.query().count(in: open()) == 1)
    }

    /// Only the program knows whether the type is the stored type. Each advice does what it says.
    @Test func aTypeUnderAnotherName_isReportedBothCases() throws {
        try open().insert(Fejar(id: 1, text: "mine"))
        let text = "\(storeError { try Gistun.query().count(in: open()) }.debugDescription)"
        #expect(text.contains("renamed or moved, keep its records: @IndexKeyRecord(keyPrefix: 577100124, …)"))
        #expect(text.contains("another type, give it its own prefix: @IndexKeyRecord(keyPrefix: 577100125, …)"))
        #expect(try Renamed.query().keys(in: open()) == [1])
        #expect(try FirstNeighbour.query().keys(in: open()) == [])
        try open().insert(Renamed(id: 2, text: "renamed"))
        #expect(storeError { try Fejar.query().count(in: open()) } != nil)
    }

    /// The advice for a renamed type would lead to the same error again.
    @Test func aTypeBesideTheOther_isReportedOnlyToTakeItsOwnPrefix() throws {
        let store = try open()
        try store.insert(Fejar(id: 1, text: "mine"))
        let text = storeError { try Gistun.query().count(in: store) }.debugDescription
        #expect(text.contains("@IndexKeyRecord(keyPrefix: 577100125, …)"))
        #expect(!text.contains("keyPrefix: 577100124, …"))
    }

    @Test func theProposedPrefix_isFree() throws {
        // The first is only stored; the second is known only to this process.
        try open().insert(FirstNeighbour(id: 1))
        let store = try open()
        #expect(try SecondNeighbour.query().count(in: store) == 0)
        try store.insert(Fejar(id: 1, text: "mine"))
        #expect(
            storeError { try store.insert(Gistun(id: 1, text: "yours")) } == collision(in: store, free: 577_100_127))
    }

    @Test func typesThatShareAPrefix_areRefused_withinOneTransaction() throws {
        let store = try open()
        try store.write { context in
            #expect(throws: Deliberate.self) {
                try context.nested { nested in
                    try nested.insert(Fejar(id: 1, text: "undone"))
                    throw Deliberate()
                }
            }
            #expect(
                storeError { try context.nested { try $0.insert(Gistun(id: 1, text: "")) } } == collision(in: store))
            try context.insert(Fejar(id: 2, text: ""))
            #expect(storeError { try context.insert(Gistun(id: 1, text: "")) } == collision(in: store))
        }
        #expect(try Fejar.query().keys(in: store) == [2])
    }

    @Test func typesOfOneNameInOneModule_areRefused() throws {
        let store = try open()
        try store.write { try Here.insert(in: $0) }
        let error = storeError { try store.write { try There.insert(in: $0) } }
        #expect(
            error
                == .schema(
                    .prefixTaken(
                        path: store.path, prefix: SDBM.hash32("Here.Session"), type: "TroveTests.Here.Session",
                        by: "TroveTests.Here.Session", free: SDBM.hash32("Here.Session") + 1, isDeclared: true)))
    }

    @Test func aTypeOfARolledBackTransaction_isWrittenAgain() throws {
        let store = try open()
        for _ in 0..<3 {
            #expect(throws: Deliberate.self) {
                try store.write { context in
                    try context.insert(Tick(number: 1, note: ""))
                    throw Deliberate()
                }
            }
        }
        #expect(try Tick.query().count(in: store) == 0)
        #expect(try store.commitSequence == 0)
        try store.write { context in
            for number in 0..<3 {
                #expect(throws: Deliberate.self) {
                    try context.nested { nested in
                        try nested.insert(Tick(number: number, note: ""))
                        try nested.insert(Entry(group: 1, word: "", text: "", counts: []))
                        throw Deliberate()
                    }
                }
                #expect(try Tick.query().count(in: context) == 0)
            }
            try context.nested { try $0.insert(Tick(number: 5, note: "")) }
            try context.insert(Tick(number: 6, note: ""))
        }
        #expect(try Tick.query().keys(in: store) == [5, 6])
        #expect(try Entry.query().count(in: store) == 0)
        try store.insert(Entry(group: 1, word: "", text: "", counts: []))
        #expect(try Entry.query().count(in: store) == 1)
    }

    // MARK: Versions

    @Test func anOlderVersion_isReadByItsMigration() throws {
        try open().insert(contentsOf: [Plane1(code: "A", seats: 1, year: 2), Plane1(code: "B", seats: 3, year: 4)])
        let store = try open()
        let migrated = Plane2(code: "A", year: 2, seats: 1, name: "migrated")
        #expect(try store.get(Plane2.self, key: "A") == migrated)
        try store.insert(Plane2(code: "C", year: 5, seats: 6, name: nil))
        #expect(try Plane2.query().resolve(in: store).map(\.name) == ["migrated", "migrated", nil])
        #expect(try Plane2.query().select(\.seats).resolve(in: store) == [1, 3, 6])
        #expect(try Plane2.query().select(\.code, \.name).resolve(in: store).map(\.1) == ["migrated", "migrated", nil])
        #expect(try Plane2.query().count(in: store) == 3)
        #expect(try Plane2.query().keys(in: store) == ["A", "B", "C"])
        // A write stores the record in the new version.
        try store.write { context in try context.insert(migrated) }
        #expect(try Plane2.query(code: "A").resolve(in: store) == [migrated])
    }

    @Test func aVersionWithoutAMigration_isRefused() throws {
        try open().insert(Plane1(code: "A", seats: 1, year: 2))
        let store = try open()
        let reason = ConversionError(
            field: "year", reason: .differentTypes(from: .integer(bits: 64, isSigned: true), to: .date))
        let error = StoreError.schema(.noConversion(type: "Plane3", version: Plane1.fieldsVersion, reason: reason))
        #expect(storeError { try store.get(Plane3.self, key: "A") } == error)
        #expect(storeError { try Plane3.query().select(\.year).resolve(in: store) } == error)
        // Operations without fields work, and so do new records.
        #expect(try Plane3.query().keys(in: store) == ["A"])
        try store.insert(Plane3(code: "B", year: .distantPast))
        #expect(try store.get(Plane3.self, key: "B") == Plane3(code: "B", year: .distantPast))
    }

    @Test func twoVersionsAtOnce_areRefused() throws {
        let store = try open()
        try store.insert(Plane1(code: "A", seats: 1, year: 2))
        guard case .schema(.prefixTaken) = storeError({ try store.insert(Plane3(code: "A", year: .distantPast)) })
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test func aKeyOfAnotherLayout_isRefused() throws {
        try open().insert(Plane1(code: "A", seats: 1, year: 2))
        let error = StoreError.schema(
            .keyLayoutChanged(
                path: try open().path, type: "PlaneWithAnotherKey", stored: "(code:String)", declared: "(code:Int64)"))
        #expect(storeError { try open().insert(PlaneWithAnotherKey(code: 1, year: 2)) } == error)
        #expect(storeError { try PlaneWithAnotherKey.query().resolve(in: open()) } == error)
    }

    @Test func aPrefixByHand_isAClaim_soThatATypeCanBeRenamed() throws {
        try open().insert(Plane1(code: "A", seats: 1, year: 2))
        do {
            let store = try open()
            #expect(try RenamedPlane.query().resolve(in: store) == [RenamedPlane(code: "A", seats: 1, year: 2)])
            try store.insert(RenamedPlane(code: "B", seats: 1, year: 2))
            try store.insert(RenamedPlane(code: "C", seats: 1, year: 2))
        }
        #expect(try Plane1.query().keys(in: open()) == ["A", "B", "C"])
    }

    @Test func aVersionByHand_withAnotherLayout_isRefused() throws {
        try open().insert(Numbered1(code: "A", year: 1))
        let error = StoreError.schema(
            .layoutChanged(
                path: try open().path, type: "Numbered2", version: 7, stored: "(code:String){year:Int64}",
                declared: "(code:String){year:Int32}"))
        #expect(storeError { try open().insert(Numbered2(code: "A", year: 1)) } == error)
        #expect(storeError { try Numbered2.query().resolve(in: open()) } == error)
    }

    @Test func everyChangeOfFields_changesTheVersion() {
        #expect(Layouts.First.Plain.fieldsVersion != Layouts.Second.Plain.fieldsVersion)
        #expect(Layouts.First.Nesting.fieldsVersion != Layouts.Second.Nesting.fieldsVersion)
        #expect(Layouts.First.Plain.fieldsVersion == Layouts.Third.Plain.fieldsVersion)
        #expect(Layouts.First.Nesting.fieldsVersion == Layouts.Third.Nesting.fieldsVersion)
    }

    // MARK: Identity and counts

    @Test func commitSequence_countsTheCommitsThatChangeSomething() throws {
        let store = try open()
        #expect(try store.commitSequence == 0)
        let identifier = try store.identifier
        try store.write { _ in }
        try store.write { try $0.insert(contentsOf: [Tick]()) }
        #expect(try store.commitSequence == 0)
        try store.insert(Tick(number: 1, note: ""))
        #expect(try store.commitSequence == 1)
        try store.write { context in
            for number in 0..<10 { try context.insert(Tick(number: number, note: "")) }
            try context.nested { try $0.insert(Tick(number: 100, note: "")) }
        }
        #expect(try store.commitSequence == 2)
        #expect(throws: Deliberate.self) {
            try store.write { context in
                try context.insert(Tick(number: 50, note: ""))
                throw Deliberate()
            }
        }
        try store.write { context in
            #expect(try context.insert(Tick(number: 1, note: ""), onConflict: .ignore) == false)
            #expect(try context.delete(Tick.self, key: 51) == false)
            #expect(try Tick.query(number: .greaterThan(1000)).delete(in: context) == 0)
            #expect(try Entry.query().delete(in: context) == 0)
            _ = try Tick.query().resolve(in: context)
            #expect(throws: Deliberate.self) {
                try context.nested { nested in
                    try nested.insert(Tick(number: 50, note: ""))
                    throw Deliberate()
                }
            }
            try context.nested { _ in }
        }
        #expect(try store.commitSequence == 2)
        try store.write { context in try Tick.query(number: .greaterThan(5)).delete(in: context) }
        #expect(try store.commitSequence == 3)
        try store.insert(Entry(group: 1, word: "", text: "", counts: []))
        #expect(try store.commitSequence == 4)
        #expect(try store.identifier == identifier)
        #expect(try open().identifier == identifier)
    }

    @Test func anInsertThatFails_leavesNoType() throws {
        let store = try open()
        try store.write { context in
            let word = String(repeating: "a", count: 600)
            #expect(storeError { try context.insert(Entry(group: 1, word: word, text: "", counts: [])) } != nil)
        }
        #expect(try store.commitSequence == 0)
    }

    // MARK: Threads

    /// Transactions that began before a type was first written keep the catalog of their own snapshot. They must not
    /// pass it to later transactions, which would then not see the type's records.
    @Test func readersOfOldSnapshots_doNotHideNewTypes() throws {
        let store = try open()
        try store.insert(Tick(number: 0, note: ""))
        let writer = RunningThread {
            for number in 1...300 {
                try store.write { context in
                    try context.insert(Tick(number: number, note: ""))
                    // Almost every commit stores a new version of the catalog.
                    try context.insert(Numbered(prefix: UInt32(5_000_000 + number % 150)))
                }
            }
        }
        let readers = (0..<3).map { _ in
            RunningThread {
                var seen = 0
                while seen <= 300 {
                    let now = try store.read { context in
                        let count = try Tick.query().count(in: context)
                        // The record was written in the same transaction, so it is visible as well.
                        if count > 1 {
                            let prefix = UInt32(5_000_000 + (count - 1) % 150)
                            #expect(try Numbered.isStored(prefix, in: context), "\(count)")
                        }
                        return count
                    }
                    #expect(now >= seen)
                    seen = now
                }
            }
        }
        try writer.value()
        for reader in readers { try reader.value() }
    }
}

/// A type with any prefix: a test can use as many types as it needs.
private struct Numbered {
    let prefix: UInt32
}

extension TransactionContext {
    fileprivate func insert(_ numbered: Numbered) throws {
        try NumberedRecord.$prefix.withValue(numbered.prefix) { _ = try insert(NumberedRecord(id: 1)) }
    }
}

extension Numbered {
    static func isStored(_ prefix: UInt32, in context: ReadContext) throws -> Bool {
        try NumberedRecord.$prefix.withValue(prefix) { try context.contains(NumberedRecord.self, key: 1) }
    }
}

private struct NumberedRecord: IndexKeyRecord {
    @TaskLocal static var prefix: UInt32 = 0

    private static let schemas: [UInt32: RecordSchema] = Dictionary(
        uniqueKeysWithValues: (5_000_000..<5_000_200).map { prefix in
            (
                prefix,
                RecordSchema(
                    of: Self.self, name: "Numbered\(prefix)", fileID: #fileID, keyPrefix: prefix,
                    key: [KeyProperty("id", Int.self)],
                    fields: [])
            )
        })

    static var schema: RecordSchema { schemas[prefix] ?? Tick.schema }

    var id: Int
    var indexKey: Int { id }
    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }
    func fieldsSize() throws(CodingError) -> Int { 0 }
    func encodeFields(into writer: inout ValueWriter) {}
}

extension NumberedRecord {
    init(decoding reader: inout RecordReader) throws(CodingError) { id = try Int(decodingKey: &reader.key) }
}
