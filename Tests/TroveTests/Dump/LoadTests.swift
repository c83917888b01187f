// Tests of loading: what `dump` writes becomes the same store.

import Foundation
import LMDB
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Dump and load") struct LoadTests {
    private let directory: TemporaryDirectory
    private let new: String

    init() throws {
        directory = try TemporaryDirectory()
        new = directory.path("new.trove")
    }

    // MARK: There and back

    private func sample(_ name: String) throws -> Store {
        try Store(path: StoredSamples.copy(name, to: directory.path(name)))
    }

    private func expectSame<Record: IndexKeyRecord & Equatable>(
        _: Record.Type, _ store: Store, _ loaded: Store
    ) throws {
        let records = try Query<Record>().resolve(in: loaded)
        #expect(try records == Query<Record>().resolve(in: store))
        #expect(!records.isEmpty)
    }

    @Test(arguments: ["format-1.trove", "format-1-tables.trove"])
    func aSample_comesBackByteForByte(name: String) throws {
        let store = try sample(name)
        let lines = try store.dump()
        try Store.create(at: new, lines: lines)
        #expect(try Store.verify(path: new).isSound)
        let loaded = try Store(path: new)
        #expect(try loaded.dump() == lines)
        #expect(try loaded.rawRecords() == store.rawRecords())
        let (old, types) = try (store.read { try $0.storedTypes() }, loaded.read { try $0.storedTypes() })
        #expect(types.map(\.versions) == old.map(\.versions))
        #expect(types.map(\.possibleVersions) == old.map(\.possibleVersions))
    }

    /// The program migrates the loaded records as it migrates the original ones.
    @Test func aLoadedSample_isOpenedByItsProgram() throws {
        let store = try sample("format-1.trove")
        try Store.create(at: new, lines: store.dump())
        let types: [any IndexKeyRecord.Type] = [
            SampleNumbers.self, SampleValues.self, SampleNumberKeys.self, SampleOtherKeys.self, SampleDocument.self,
            SamplePerson.self, SampleHouse.self, SampleCounter.self,
        ]
        let loaded = try Store(path: new, records: types)
        try expectSame(SampleNumbers.self, store, loaded)
        try expectSame(SampleValues.self, store, loaded)
        try expectSame(SampleNumberKeys.self, store, loaded)
        try expectSame(SampleOtherKeys.self, store, loaded)
        try expectSame(SampleDocument.self, store, loaded)
        try expectSame(SamplePerson.self, store, loaded)
        try expectSame(SampleHouse.self, store, loaded)
        try expectSame(SampleCounter.self, store, loaded)
    }

    @Test func aLoadedTypeWithIndexes_getsThemFromItsProgram() throws {
        let store = try Store.temporary()
        let members = (0..<500).map { Crew.Indexed(id: $0, name: "n\($0 % 7)", age: $0 % 90, email: "\($0)") }
        try store.insert(contentsOf: members)
        try Store.create(at: new, lines: store.dump())
        let loaded = try Store(path: new, records: [Crew.Indexed.self])
        #expect(try loaded.check().isEmpty)
        #expect(try loaded.read { try $0.storedTypes() }[0].indexes.map(\.count).sorted() == [200, 500, 500, 500])
        #expect(try Query<Crew.Indexed>().resolve(in: loaded) == members)
    }

    @Test func recordsOfSeveralVersions_keepThem() throws {
        let path = directory.path("planes.trove")
        do { try Store(path: path).insert(contentsOf: ["a", "c"].map { Plane1(code: $0, seats: 1, year: 2) }) }
        do { try Store(path: path).insert(Plane2(code: "b", year: 3, seats: 4, name: nil)) }
        let lines = try Store(path: path).dump()
        #expect(
            lines.dropFirst(2) == [
                "[\"version\",\(Plane1.fieldsVersion)]", #"{"code":"a","seats":1,"year":2}"#,
                "[\"version\",\(Plane2.fieldsVersion)]", #"{"code":"b","year":3,"seats":4,"name":null}"#,
                "[\"version\",\(Plane1.fieldsVersion)]", #"{"code":"c","seats":1,"year":2}"#, #"["end",3]"#,
            ])
        try Store.create(at: new, lines: lines)
        #expect(try Store(path: new).rawRecords() == Store(path: path).rawRecords())
        #expect(try Plane2.query().resolve(in: Store(path: new)).map(\.code) == ["a", "b", "c"])
    }

    @Test func anEmptyStore_comesBack() throws {
        try Store.create(at: new, lines: Store.temporary().dump())
        #expect(try Store(path: new).read { try $0.storedTypes() }.isEmpty)
    }

    // MARK: Existing stores

    private let ticks = [#"{"number":1,"note":"one"}"#, #"{"number":2,"note":"two"}"#]

    private func storeWithTick() throws -> Store {
        let store = try Store(path: directory.path("ticks.trove"), options: StoreOptions(durability: .noSync))
        try store.insert(Tick(number: 2, note: "old"))
        return store
    }

    @Test func anExistingKey_isRefused_skippedOrReplaced() throws {
        let store = try storeWithTick()
        let error = loadError { try store.load(lines: ticks, type: "Tick") }
        #expect(error?.line == 2)
        guard case .store(.record(.keyExists(type: "TroveTests.Tick", let key))) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.bytes == [0x80, 0, 0, 0, 0, 0, 0, 2])
        #expect(try Tick.query().resolve(in: store) == [Tick(number: 2, note: "old")])

        let skipped = try store.load(lines: ticks, onConflict: .ignore, type: "Tick")
        #expect(skipped.types == [LoadReport.RecordType(name: "TroveTests.Tick", loaded: 1, skipped: 1)])
        #expect(try Tick.query().resolve(in: store).map(\.note) == ["one", "old"])

        #expect(try store.load(lines: ticks, onConflict: .replace, type: "TroveTests.Tick").records == 2)
        #expect(try Tick.query().resolve(in: store).map(\.note) == ["one", "two"])
    }

    // MARK: Layouts of an existing store

    private func type(_ versions: [UInt32]) -> [String] {
        let layouts = versions.map { "{\"version\":\($0),\"layout\":\"(id:Int8){v\($0):Int8}\"}" }
        return [
            #"["trove",1]"#,
            "[\"type\",{\"name\":\"A.B\",\"keyPrefix\":7,\"key\":\"(id:Int8)\",\"layouts\":["
                + layouts.joined(separator: ",") + "],\"oldest\":\(versions[0])}]",
        ]
    }

    private func record(_ id: Int, _ version: Int) -> [String] {
        ["[\"version\",\(version)]", "{\"id\":\(id),\"v\(version)\":\(version)}"]
    }

    @Test func olderLayouts_takeTheirPlaceInTheHistory() throws {
        let store = try Store.temporary()
        try store.load(lines: type([3, 5]) + record(3, 3))
        try store.load(lines: type([1, 3, 4, 5]) + record(4, 4))
        let stored = try store.read { try $0.storedTypes() }[0]
        #expect(stored.versions == [1, 3, 4, 5])
        #expect(stored.possibleVersions == [3, 4, 5])
        try store.load(lines: type([1, 3, 4, 5]) + record(1, 1))
        #expect(try store.read { try $0.storedTypes() }[0].possibleVersions == [1, 3, 4, 5])
        #expect(try store.rawRecords().map { $0.value[0] } == [1, 3, 4])
    }

    @Test func aNewerLayout_orAnotherOrder_isRefused() throws {
        let store = try Store.temporary()
        try store.load(lines: type([3, 5]))
        #expect(loadError { try store.load(lines: type([3, 5, 6])) }?.reason == .newerLayout("(id:Int8){v6:Int8}"))
        #expect(loadError { try store.load(lines: type([5, 3])) }?.line == 2)
        let other = type([3, 5]).map { $0.replacing("v3", with: "w3") }
        #expect(
            loadError { try store.load(lines: other) }?.reason
                == .otherLayouts(stored: "(id:Int8){v3:Int8}", dumped: "(id:Int8){w3:Int8}"))
        let renamed = type([3, 5]).map { $0.replacing("A.B", with: "A.C") }
        #expect(loadError { try store.load(lines: renamed) } != nil)
        #expect(loadError { try store.load(lines: type([3, 5]) + record(1, 4)) }?.reason == .unknownVersion(4))
    }

    // MARK: Errors

    @Test(arguments: [
        (["{}"], 1, "expected the description of a type"), (["[\"trove\",4]"], 1, "the dump has the form 4"),
        (["[1]"], 1, "expected a record, or a line of a dump"), (["x"], 1, "expected the description of a type"),
        (["[\"type\",{}]"], 1, "expected a record, or a line of a dump"),
    ])
    func anotherText_isRefused(lines: [String], line: Int, words: String) throws {
        let error = loadError { try Store.create(at: new, lines: lines) }
        #expect(error?.line == line)
        #expect(error?.description.hasPrefix("line \(line): \(words)") == true, "\(error?.description ?? "")")
        #expect(try directory.names().isEmpty, "no file is left")
    }

    @Test func anError_namesLineFieldAndExpectation_andNothingIsLoaded() throws {
        let store = try storeWithTick()
        let lines = [#"{"number":5,"note":"five"}"#, "", #"{"number":6,"note":6}"#]
        let error = loadError { try store.load(lines: lines, type: "Tick") }
        #expect(error?.description == "line 3 (TroveTests.Tick): note: expected String, not 6, at column 20.")
        #expect(try Tick.query().count(in: store) == 1)
        let unknown = loadError { try store.load(lines: ticks, type: "Tock") }
        #expect(unknown?.reason == .unknownType("Tock"))
        #expect(unknown?.description.hasPrefix("neither the store nor the schema has the type Tock") == true)
    }

    @Test func aKeyThatIsTooLong_isAnError() throws {
        let store = try Store.temporary()
        try store.insert(Plane1(code: "a", seats: 1, year: 1))
        let long = String(repeating: "x", count: 600)
        let error = loadError { try store.load(lines: [#"{"code":"\#(long)","seats":1,"year":2}"#], type: "Plane1") }
        #expect(error?.reason == .store(.record(.keyTooLarge(type: "TroveTests.Plane1", size: 601, limit: 511))))
    }

    /// Nothing of such a description reaches the catalog, not even without a record.
    @Test(arguments: [
        ("(id:Int8){v3:Int8}", "(id:Int8){v3:", "{v3:"), ("\"(id:Int8)\"", "\"(id:)\"", "(id:)"),
        ("(id:Int8){v5:Int8}", "(id:String){v5:Int8}", "(id:String){v5:Int8}"), ("\"version\":5", "\"version\":3", "3"),
    ])
    func aMalformedDescription_isRefused(old: String, new: String, words: String) throws {
        let lines = type([3, 5]).map { $0.replacing(old, with: new) }
        #expect(lines != type([3, 5]))
        let store = try Store.temporary()
        let error = loadError { try store.load(lines: lines) }
        #expect(error?.line == 2)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(try store.read { try $0.storedTypes() }.isEmpty)
    }

    // MARK: Schemas

    @Test func aName_isMatchedExactly_thenWithoutItsModule_ifItIsUnique() throws {
        func named(_ names: String...) throws -> [DumpedType] {
            try names.enumerated().flatMap { number, name in
                let text = type([3]).joined(separator: "\n").replacing("A.B", with: name)
                    .replacing("\"keyPrefix\":7", with: "\"keyPrefix\":\(number + 1)")
                return try DumpedType.types(inSchema: text, path: "")
            }
        }
        func loaded(_ name: String, _ schema: [DumpedType], into store: Store) throws -> [String] {
            try store.load(lines: [#"{"id":1,"v3":1}"#], onConflict: .ignore, type: name, schema: schema).types.map(
                \.name)
        }
        let schema = try named("A.B.C", "B.C", "X.D", "Y.D", "Z.E")
        let store = try Store.temporary()
        #expect(try loaded("B.C", schema, into: store) == ["B.C"])
        #expect(try loaded("E", schema, into: store) == ["Z.E"])
        #expect(
            loadError { _ = try loaded("D", schema, into: store) }?.reason
                == .ambiguousType("D", candidates: ["X.D", "Y.D"]))
        #expect(try loaded("X.D", schema, into: store) == ["X.D"])
        #expect(try loaded("Y.D", schema, into: store) == ["Y.D"])
        // Stored types with the same name, which no schema decides between.
        let error = loadError { _ = try loaded("D", [], into: store) }
        #expect(error?.reason == .ambiguousType("D", candidates: ["X.D", "Y.D"]))
        #expect(error?.description.contains("X.D, Y.D") == true)
        #expect(try loaded("D", named("D"), into: Store.temporary()) == ["D"])
    }

    @Test func aSchemaFile_isADumpWithoutRecords_orALock() throws {
        let store = try storeWithTick()
        let dumped = try DumpedType.types(inSchema: store.dump(0).joined(separator: "\n"), path: "")
        let lock = directory.path("lock.json")
        try SchemaLock.write([Tick.self], at: lock)
        let locked = try DumpedType.types(inSchema: String(contentsOfFile: lock, encoding: .utf8), path: lock)
        #expect(dumped == locked)
        for schema in [dumped, locked] {
            let other = try Store.temporary()
            try other.load(lines: ticks, type: "Tick", schema: schema)
            #expect(try Tick.query().resolve(in: other).map(\.note) == ["one", "two"])
        }
    }
}
