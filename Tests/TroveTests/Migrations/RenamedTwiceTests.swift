// Properties renamed twice: stores that skipped the version between keep every value.

import Foundation
import Testing
import Trove

enum Handle {
    @RecordValue
    struct Part1: Hashable { var size: Int }
    @RecordValue
    struct Part2: Hashable { @Renamed("size") var length: Int }
    @RecordValue
    struct Part3: Hashable { @Renamed("size", "length") var extent: Int }

    @IndexKeyRecord(keyPrefix: 6_120_001, "number", "word")
    struct First: Hashable {
        #Index<First>(\.age, \.name)

        let number: Int
        let word: String
        var name: String
        var age: Int
        var parts: [Part1]
    }

    @IndexKeyRecord(keyPrefix: 6_120_001, "id", "word")
    struct Second: Hashable {
        #Index<Second>(\.age, \.fullName)

        @Renamed("number") let id: Int
        let word: String
        @Renamed("name") var fullName: String
        var age: Int
        var parts: [Part2]
    }

    @IndexKeyRecord(keyPrefix: 6_120_001, "identifier", "word")
    struct Third: Hashable {
        #Index<Third>(\.years, \.displayName)

        @Renamed("number", "id") let identifier: Int
        let word: String
        @Renamed("name", "fullName") var displayName: String
        @Renamed("age") var years: Int
        var parts: [Part3]
    }

    /// The name of the first version came back as another field.
    @IndexKeyRecord(keyPrefix: 6_120_002, "id")
    struct Both: Hashable {
        let id: Int
        var name: String
        var fullName: String
    }

    @IndexKeyRecord(keyPrefix: 6_120_002, "id")
    struct Newest: Hashable {
        let id: Int
        @Renamed("name", "fullName") var displayName: String
    }
}

@Suite("Properties renamed twice") struct RenamedTwiceTests {
    private let first = (0..<50).map {
        Handle.First(
            number: $0, word: "w", name: "n\($0)", age: $0 % 7, parts: [Handle.Part1(size: $0), Handle.Part1(size: 1)])
    }
    private let third = (0..<50).map {
        Handle.Third(
            identifier: $0, word: "w", displayName: "n\($0)", years: $0 % 7,
            parts: [Handle.Part3(extent: $0), Handle.Part3(extent: 1)])
    }
    private var second: [Handle.Second] {
        first.map { old in
            Handle.Second(
                id: old.number, word: old.word, fullName: old.name, age: old.age,
                parts: old.parts.map { Handle.Part2(length: $0.size) })
        }
    }

    private func expectAll(_ file: MigratedFile) throws {
        #expect(try file.read(Handle.Third.self) == third)
        let store = try file.open(Handle.Third.self)
        #expect(try store.storedType(6_120_001).indexes.map(\.name) == ["index(years,displayName)"])
        #expect(try store.check() == [])
        #expect(try Handle.Third.query().filter(\.years == 3).count(in: store) == 7)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily])
    func theVersionBetween_mayBeSkipped(policy: MigrationPolicy) throws {
        let file = try MigratedFile(of: first)
        do {
            let store = try file.open(Handle.Third.self, migrations: policy)
            #expect(try Handle.Third.query().resolve(in: store) == third)
            try store.finishMigrations()
        }
        try expectAll(file)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .lazily])
    func theVersionBetween_mayHaveBeenOpened(policy: MigrationPolicy) throws {
        let file = try MigratedFile(of: first)
        do {
            // Some records have the second layout, the others still have the first.
            let store = try file.open(Handle.Second.self, migrations: policy)
            try store.insert(contentsOf: second.prefix(20))
        }
        try file.migrate(Handle.Third.self, migrations: .onOpen.refusingLoss)
        try expectAll(file)
    }

    @Test func theNewestName_comesFirst() throws {
        let file = try MigratedFile(of: [Handle.Both(id: 1, name: "other", fullName: "right")])
        #expect(try file.read(Handle.Newest.self) == [Handle.Newest(id: 1, displayName: "right")])
        let plan = try file.open().migrationPlan(for: [Handle.Newest.self])
        #expect("\(plan)".contains("displayName was named fullName"))
        #expect("\(plan)".contains("name is removed: 1 record has a value"))
    }

    @Test func aMigrationByHand_mayUseEachName() throws {
        for (name, fields) in [("name", "name"), ("fullName", "fullName")] {
            var old = StoredFields()
            try old.setValue(7, for: "id")
            old[fields] = .string(name)
            #expect(try Handle.Newest(converting: old).displayName == name)
        }
    }
}
