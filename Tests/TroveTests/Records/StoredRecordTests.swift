// Types and records of a store, read without their Swift types.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite("Stored records") struct StoredRecordTests {
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store.temporary()
    }

    /// Returns a store with records of two versions of a type, each written by a separate program.
    private func storeOfTwoVersions() throws -> Store {
        let path = directory.path("planes.trove")
        do { try Store(path: path).insert(Plane1(code: "a", seats: 1, year: 2)) }
        do { try Store(path: path).insert(Plane2(code: "b", year: 3, seats: 4, name: "c")) }
        return try Store(path: path)
    }

    private func type(_ name: String, in context: ReadContext) throws -> StoredType {
        try #require(try context.storedTypes().first { $0.name == "TroveTests." + name })
    }

    private func records(
        of name: String, in store: Store? = nil, from lower: [String] = [], upTo upper: [String] = [],
        isDescending: Bool = false
    ) throws -> [StoredRecord] {
        try (store ?? self.store).read { context in
            let type = try type(name, in: context)
            let range = try StoredKeyRange(of: type, from: lower, upTo: upper, isDescending: isDescending)
            var records: [StoredRecord] = []
            try context.forEachStoredRecord(of: type, in: range) { record in
                records.append(record)
                return true
            }
            return records
        }
    }

    @Test func aNewStore_hasNoTypes() throws {
        #expect(try store.read { try $0.storedTypes() }.isEmpty)
    }

    @Test func types_areListed_withAllTheirVersions() throws {
        let store = try storeOfTwoVersions()
        try store.insert(Tick(number: 1, note: ""))
        let types = try store.read { try $0.storedTypes() }
        #expect(types.map(\.name) == ["TroveTests.Plane2", "TroveTests.Tick"])
        #expect(types.map(\.count) == [2, 1])
        #expect(types[0].keyPrefix == 4_000_001)
        #expect(types[0].keyLayout == "(code:String)")
        #expect(
            types[0].layouts == [
                Plane1.fieldsVersion: "(code:String){seats:Int64,year:Int64}",
                Plane2.fieldsVersion: "(code:String){year:Int64,seats:Int64,name:String?}",
            ])
    }

    @Test func records_areNamedValues_eachByTheLayoutItWasWrittenWith() throws {
        let records = try records(of: "Plane2", in: storeOfTwoVersions())
        #expect(records.map(\.fieldsVersion) == [Plane1.fieldsVersion, Plane2.fieldsVersion])
        #expect(
            records.map(\.json) == [
                #"{"code":"a","seats":1,"year":2}"#, #"{"code":"b","year":3,"seats":4,"name":"c"}"#,
            ])
        #expect(records[0]["seats"] == .integer(1))
        #expect(records[1]["name"] == .string("c"))
        #expect(records[0]["name"] == nil)
    }

    @Test func records_areCountedByVersion() throws {
        let store = try storeOfTwoVersions()
        try store.insert(Plane2(code: "c", year: 3, seats: 4, name: nil))
        try store.insert(Tick(number: 1, note: ""))
        try store.write { context in
            let planes = try type("Plane2", in: context)
            #expect(try context.storedVersions(of: planes) == [Plane1.fieldsVersion: 1, Plane2.fieldsVersion: 2])
            #expect(try context.storedVersions(of: type("Tick", in: context)) == [Tick.fieldsVersion: 1])
            try context.delete(Tick.self, key: 1)
            #expect(try context.storedVersions(of: type("Tick", in: context)).isEmpty)
        }
    }

    @Test func ranges_areHalfOpen_byTheFirstComponents() throws {
        try store.write { context in
            for group in 1...3 as ClosedRange<UInt8> {
                for word in ["a", "b", "c"] {
                    try context.insert(Entry(group: group, word: word, text: "", counts: []))
                }
            }
        }
        func keys(_ lower: [String], _ upper: [String], isDescending: Bool = false) throws -> [String] {
            try records(of: "Entry", from: lower, upTo: upper, isDescending: isDescending).map { record in
                guard case .integer(let group)? = record["group"], case .string(let word)? = record["word"] else {
                    return "?"
                }
                return "\(group)\(word)"
            }
        }
        #expect(try keys(["2"], []) == ["2a", "2b", "2c", "3a", "3b", "3c"])
        #expect(try keys(["2"], ["3"]) == ["2a", "2b", "2c"])
        #expect(try keys(["1", "b"], ["2", "b"], isDescending: true) == ["2a", "1c", "1b"])
        #expect(try keys([], ["1"]).isEmpty)
        #expect(
            storeError { try keys(["300"], []) }
                == .query(.notAComponent(type: "TroveTests.Entry", component: "group", layout: "UInt8", text: "300")))
        guard case .query(.wrongKeyComponents)? = storeError({ try keys(["1", "a", "b"], []) }) else {
            Issue.record("three components of two")
            return
        }
    }

    @Test func theScan_ends_whenTheClosureReturnsFalse() throws {
        for number in 0..<10 { try store.insert(Tick(number: number, note: "")) }
        try store.write { context in
            try context.insert(Tick(number: 99, note: ""))
            var numbers: [FieldValue?] = []
            try context.forEachStoredRecord(of: try type("Tick", in: context)) { record in
                numbers.append(record["number"])
                return numbers.count < 3
            }
            #expect(numbers == [.integer(0), .integer(1), .integer(2)])
        }
    }

    /// Every type of the macro tests becomes JSON, readable by Foundation.
    @Test func aRecordOfManyTypes_isJSON() throws {
        try store.insert(
            Measured(id: 7, numbers: [1.5], lists: [[.infinity], []], names: [2.5: "\"x\""]))
        let json = try #require(try records(of: "Measured").first?.json)
        #expect(json == #"{"id":7,"numbers":[1.5],"lists":[[],["inf"]],"names":[[2.5,"\"x\""]]}"#)
        try store.insert(Awkward(name: "a", content: Refusing(refuses: false)))
        #expect(try records(of: "Awkward").first?.json == #"{"name":"a","content":false}"#)
    }

    @Test func aDamagedRecord_isAnError_andNamed() throws {
        let store = try Store(path: directory.path("a.trove"), options: StoreOptions(durability: .noSync))
        try store.insert(Tick(number: 1, note: "note"))
        let environment = try Environment(path: store.path, options: EnvironmentOptions(durability: .noSync))
        let name = try #require(try environment.databaseNames().first { $0 != "trove" })
        let table = try environment.openDatabase(name)
        let key: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 1]
        try environment.write { transaction in
            var value = try #require(try transaction.get(key, from: table))
            value[value.count - 1] ^= 1
            try transaction.put(value, for: key, in: table)
        }
        try store.read { context in
            let type = try type("Tick", in: context)
            let error = StoreError.record(
                .checksumMismatch(type: "TroveTests.Tick", key: StoredKey(key, of: "TroveTests.Tick")))
            #expect(storeError { try context.forEachStoredRecord(of: type) { _ in true } } == error)
            #expect(storeError { try context.storedVersions(of: type) } == error)
        }
    }
}
