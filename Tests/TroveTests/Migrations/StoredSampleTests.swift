// Stores that were written when their version of the format was current: they open with their original contents.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Stored samples") struct StoredSampleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the path of a copy of the sample; tests may change the copy.
    private func copy(ofFormat format: UInt32, _ suffix: String = "") throws -> String {
        try StoredSamples.copy("format-\(format)\(suffix).trove", to: directory.path("sample.trove"))
    }

    private static let formats = FormatVersion.oldest...FormatVersion.withoutFeatures

    @Test(arguments: formats) func aSample_isOfItsFormat(_ format: UInt32) throws {
        let store = try Store(path: try copy(ofFormat: format))
        #expect(try store.read { try $0.catalogStorage().format() } == format)
    }

    @Test(arguments: formats) func everyRecord_isWhatWasWritten(_ format: UInt32) throws {
        let store = try Store(path: try copy(ofFormat: format))
        try expectAllRecords(in: store)
    }

    @Test(arguments: formats) func aSample_isSound_andReadWithoutWriting(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let report = try Store.verify(path: path)
        #expect(report.isSound)
        #expect(report.findings.isEmpty)
        #expect(report.isStore)
        let bytes = try Data(contentsOf: URL(filePath: path))
        do {
            let options = StoreOptions(isReadOnly: true, verifiesChecksums: true)
            try expectAllRecords(in: try Store(path: path, options: options))
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: formats) func aSample_reportsItsLayoutsAndVersions(_ format: UInt32) throws {
        try Store(path: try copy(ofFormat: format)).read { context in
            let types = try context.storedTypes()
            let names = types.map { $0.name.split(separator: ".").last ?? "" }
            #expect(
                names == [
                    "SampleCounter", "SampleDocument", "SampleHouse", "SampleNumberKeys", "SampleNumbers",
                    "SampleOtherKeys",
                    "SamplePerson", "SampleValues",
                ])
            let people = try #require(types.first { $0.keyPrefix == SamplePerson.keyPrefix })
            #expect(people.layouts == [1: SampleFirstPerson.schema.layout, 2: SamplePerson.schema.layout])
            #expect(try context.storedVersions(of: people) == [1: 20, 2: 10])
            let houses = try #require(types.first { $0.keyPrefix == SampleHouse.keyPrefix })
            #expect(
                try context.storedVersions(of: houses)
                    == [SampleFirstHouse.fieldsVersion: 10, SampleHouse.fieldsVersion: 5])
            let counters = try #require(types.first { $0.keyPrefix == SampleCounter.keyPrefix })
            let migration = try #require(counters.migration)
            #expect(migration.total == 4200)
            #expect(try context.storedVersions(of: counters) == [1: 4200 - migration.done, 2: migration.done])
            // Each record can be read as named values without its type.
            for type in types {
                var count = 0
                try context.forEachStoredRecord(of: type) { record in
                    count += 1
                    return !record.json.isEmpty
                }
                #expect(count == type.count)
            }
        }
    }

    @Test(arguments: formats) func aSample_canBeWrittenTo(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        do {
            let store = try Store(path: path)
            for house in SampleStore.houses { try store.insert(house) }
        }
        try expectAllRecords(in: try Store(path: path))
        #expect(try Store.verify(path: path).isSound)
    }

    /// Records of two layouts, and records partly rewritten by an earlier process.
    @Test(arguments: formats) func olderRecords_areMigrated_onOpen(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        do {
            try expectAllRecords(
                in: try Store(path: path, records: [SamplePerson.self, SampleHouse.self, SampleCounter.self]))
        }
        let store = try Store(path: path)
        try expectAllRecords(in: store)
        try store.read { context in
            for type in try context.storedTypes() {
                let newest = try #require(type.versions.last)
                #expect(try context.storedVersions(of: type) == [newest: type.count], "\(type.name)")
                #expect(type.possibleVersions == [newest], "\(type.name)")
                #expect(type.migration == nil, "\(type.name)")
            }
        }
        #expect(try Store.verify(path: path).isSound)
    }

    // MARK: Indexes and unique constraints

    @Test(arguments: formats) func everyIndexEntry_isDerivedFromTheRecords(_ format: UInt32) throws {
        let path = try copy(ofFormat: format, "-tables")
        let report = try Store.verify(path: path)
        #expect(report.isSound && report.findings.isEmpty)
        #expect(report.indexes.compactMap(\.name) == SampleMember.schema.indexes.map(\.text))
        let bytes = try Data(contentsOf: URL(filePath: path))
        do {
            let store = try Store(path: path, options: StoreOptions(isReadOnly: true, verifiesChecksums: true))
            let sorted = SampleTables.members.sorted { ($0.id, $0.region) < ($1.id, $1.region) }
            #expect(try Query<SampleMember>().resolve(in: store) == sorted)
            #expect(try store.check(SampleMember.self) == [])
            #expect(try store.unreadyIndexes(SampleMember.keyPrefix) == [SampleTables.unready])
            let indexes = try store.indexes(SampleMember.keyPrefix)
            #expect(indexes.map(\.count) == [60, 60, 42, 0, 60, 40, 60])
            // The last index allows duplicate values.
            let catalog = try store.read { try $0.catalogStorage().type(SampleMember.keyPrefix)?.indexes }
            #expect(catalog?.filter(\.value.mayHaveDuplicates).map(\.key) == [7])
            for index in indexes where index.isReady {
                // The stored bytes equal the bytes of an index built now.
                let made = try Store.temporary()
                try made.insert(contentsOf: SampleTables.members)
                let fresh = try made.storedIndex(SampleMember.keyPrefix, index.name)
                #expect(try store.entries(of: index) == made.entries(of: fresh), "\(index.name)")
            }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: formats) func anUnreadyIndex_isBuilt_andTheOthersCanBeWritten(_ format: UInt32) throws {
        let path = try copy(ofFormat: format, "-tables")
        let store = try Store(path: path, records: [SampleMember.self])
        #expect(try store.unreadyIndexes(SampleMember.keyPrefix) == [])
        for var member in SampleTables.members {
            member.age = member.age / 2
            try store.insert(member)
        }
        for member in SampleTables.members.prefix(20) { try store.delete(member) }
        #expect(try store.check() == [])
        #expect(try store.indexes(SampleMember.keyPrefix).first?.count == 40)
    }

    private func expectAllRecords(in store: Store) throws {
        try expect(SampleStore.numbers, in: store)
        try expect(SampleStore.values, in: store)
        try expect(SampleStore.numberKeys, in: store)
        try expect(SampleStore.otherKeys, in: store)
        try expect(SampleStore.documents, in: store)
        try expect(SampleStore.people, in: store)
        try expect(SampleStore.houses, in: store)
        try expect(SampleStore.counters, in: store)
    }

    private func expect<Record: IndexKeyRecord & Equatable>(_ records: [Record], in store: Store) throws {
        #expect(try Query<Record>().resolve(in: store) == records)
        for record in records {
            #expect(try store.get(Record.self, key: record.indexKey) == record)
        }
    }
}
