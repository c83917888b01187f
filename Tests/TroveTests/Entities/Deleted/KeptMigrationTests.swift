// Stamps and deleted entities follow the changes of their entity type.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

/// The first program.
enum KeptFirst {
    @EntityModel(keyPrefix: 4_410_001, keepsMetadata: true, keepsDeleted: true)
    struct Ticket: Equatable {
        let id: Int
        var title: String
        @Relationship(inverse: \.tickets) var desk: Desk?
    }

    @EntityModel(keyPrefix: 4_410_002, keepsMetadata: true)
    struct Desk: Equatable {
        let id: Int
        @Relationship(inverse: \.desk) var tickets: [Ticket]?
    }
}

/// Other names and fields.
enum KeptFields {
    @EntityModel(keyPrefix: 4_410_001, keepsMetadata: true, keepsDeleted: true)
    struct Issue: Equatable {
        let id: Int
        @Renamed("title") var name: String
        var priority: Int = 3
        @Relationship(inverse: \.tickets) var desk: Desk?
    }

    @EntityModel(keyPrefix: 4_410_002, keepsMetadata: true)
    struct Desk: Equatable {
        let id: Int
        @Relationship(inverse: \.desk) var tickets: [Issue]?
    }
}

/// Keys that convert by the rules, and a relation to many.
enum KeptKeys {
    @EntityModel(keyPrefix: 4_410_001, keepsMetadata: true, keepsDeleted: true)
    struct Ticket: Equatable {
        let id: String
        var title: String
        @Relationship(inverse: \.tickets) var desk: [Desk]?
    }

    @EntityModel(keyPrefix: 4_410_002, keepsMetadata: true)
    struct Desk: Equatable {
        let id: String
        @Relationship(inverse: \.desk) var tickets: [Ticket]?
    }
}

/// Keys that the program makes.
enum KeptByHand {
    @EntityModel(keyPrefix: 4_410_001, keepsMetadata: true, keepsDeleted: true)
    struct Ticket: Equatable {
        let id: Tuple<String, Int>
        var title: String
        @Relationship(inverse: \.tickets) var desk: Desk?

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Ticket {
            #expect(version == KeptFirst.Ticket.fieldsVersion)
            return Ticket(
                id: Tuple("t", try old.value("id", as: Int.self)),
                title: try old.value("title", as: String.self).uppercased())
        }
    }

    @EntityModel(keyPrefix: 4_410_002, keepsMetadata: true)
    struct Desk: Equatable {
        let id: Int
        @Relationship(inverse: \.desk) var tickets: [Ticket]?
    }
}

/// The same layout under another version, read from bytes.
enum KeptBytes {
    @EntityModel(keyPrefix: 4_410_001, fieldsVersion: 2, keepsMetadata: true, keepsDeleted: true)
    struct Ticket: Equatable {
        let id: Int
        var title: String
        @Relationship(inverse: \.tickets) var desk: Desk?

        init(id: Int, title: String) {
            self.id = id
            self.title = title
        }

        init(decoding reader: inout RecordReader, version: UInt32) throws {
            guard version == KeptFirst.Ticket.fieldsVersion else { throw Self.unsupportedMigration(from: version) }
            self.init(
                id: try Int(decodingKey: &reader.key), title: "old " + (try String(decoding: &reader.fields)))
        }
    }

    @EntityModel(keyPrefix: 4_410_002, keepsMetadata: true)
    struct Desk: Equatable {
        let id: Int
        @Relationship(inverse: \.desk) var tickets: [Ticket]?
    }
}

/// Without the options.
enum KeptNone {
    @EntityModel(keyPrefix: 4_410_001)
    struct Ticket: Equatable {
        let id: Int
        var title: String
        @Relationship(inverse: \.tickets) var desk: Desk?
    }

    @EntityModel(keyPrefix: 4_410_002)
    struct Desk: Equatable {
        let id: Int
        @Relationship(inverse: \.desk) var tickets: [Ticket]?
    }
}

@Suite("Migrations of kept records") struct KeptMigrationTests {
    private let file: MigratedFile
    private let times: [Int: Date]

    init() throws {
        file = try MigratedFile()
        typealias Ticket = KeptFirst.Ticket
        let store = try file.open(Ticket.self)
        for id in 1...4 { try Ticket(id: id, title: "t\(id)", desk: .relation(KeptFirst.Desk(id: 7))).save(to: store) }
        try Ticket.delete(id: 2, from: store)
        try Ticket.delete(id: 4, from: store)
        times = try Dictionary(
            uniqueKeysWithValues: EntityMetadata<Ticket>.query().resolve(in: store).map { ($0.id, $0.updatedAt) })
        #expect(times.count == 2)
    }

    /// Expects that every index of the store follows from its records.
    private func expectIntact(_ store: Store) throws {
        try store.expectIntactLinks()
        #expect(try Store.verify(path: store.path).isSound)
    }

    @Test func fieldsAndNames_follow() throws {
        typealias Issue = KeptFields.Issue
        let store = try file.open(Issue.self)
        #expect(
            try Deleted<Issue>.query().resolve(in: store).map(\.entity)
                == [2, 4].map { Issue(id: $0, name: "t\($0)", desk: .id(7)) })
        #expect(try Issue.updatedAt(of: 1, in: store) == times[1])
        try #require(try Deleted<Issue>.query(2).resolve(in: store)).restore(in: store)
        #expect(try KeptFields.Desk.ids("tickets", of: 7, in: store) == [1, 3, 2])
        let names = try store.typeNames()
        #expect(!names.contains { $0.contains("Ticket~") })
        try expectIntact(store)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .lazily]) func keysByTheRules_follow(_ policy: MigrationPolicy) throws {
        typealias Ticket = KeptKeys.Ticket
        let store = try file.open(Ticket.self, migrations: policy)
        #expect(
            try Deleted<Ticket>.query().resolve(in: store).map(\.entity)
                == ["2", "4"].map { Ticket(id: $0, title: "t\($0)", desk: .ids(["7"])) })
        #expect(try store.stamps(Ticket.self) == ["1", "3"])
        #expect(try Ticket.updatedAt(of: "3", in: store) == times[3])
        #expect(try store.stamps(KeptKeys.Desk.self) == ["7"])
        try Ticket(id: "1", title: "again").save(to: store)
        try Ticket.delete(id: "3", from: store)
        #expect(try store.stamps(Ticket.self) == ["1"])
        #expect(try store.trash(Ticket.self) == ["2", "3", "4"])
        try store.finishMigrations()
        try expectIntact(store)
    }

    @Test func keysByHand_follow() throws {
        typealias Ticket = KeptByHand.Ticket
        let store = try file.open(Ticket.self)
        #expect(
            try Deleted<Ticket>.query().resolve(in: store).map(\.entity)
                == [2, 4].map { Ticket(id: Tuple("t", $0), title: "T\($0)", desk: .id(7)) })
        #expect(try Ticket.updatedAt(of: Tuple("t", 1), in: store) == times[1])
        #expect(try store.stamps(Ticket.self).count == 2)
        try Ticket(id: Tuple("t", 1), title: "again").save(to: store)
        #expect(try EntityMetadata<Ticket>.filter(\.updatedAt > .distantPast).resolve(in: store).count == 2)
        try expectIntact(store)
        // Nothing is left to migrate.
        #expect(try store.migrationPlan(for: store.declaredTypes).types.isEmpty)
    }

    @Test func versionsByHand_followFromBytes() throws {
        typealias Ticket = KeptBytes.Ticket
        let store = try file.open(Ticket.self)
        #expect(try Deleted<Ticket>.query().resolve(in: store).map(\.entity.title) == ["old t2", "old t4"])
        #expect(try Ticket.query().resolve(in: store).map(\.title) == ["old t1", "old t3"])
        #expect(try Deleted<Ticket>.query(2).resolve(in: store)?.entity.$desk.id == 7)
    }

    @Test func withoutTheOptions_nothingIsReadOrChanged() throws {
        typealias Ticket = KeptNone.Ticket
        do {
            let store = try file.open(Ticket.self)
            #expect(throws: StoreError.entity(.notKept(type: "KeptNone.Ticket", option: "keepsMetadata"))) {
                try Ticket.updatedAt(of: 1, in: store)
            }
            try Ticket.delete(id: 1, from: store)
            try Ticket(id: 2, title: "again").save(to: store)
            try expectIntact(store)
        }
        let store = try file.open(KeptFirst.Ticket.self)
        #expect(try store.trash(KeptFirst.Ticket.self) == [2, 4])
        #expect(try store.stamps(KeptFirst.Ticket.self) == [1, 3])
        try KeptFirst.Ticket(id: 2, title: "").save(to: store)
        #expect(try store.trash(KeptFirst.Ticket.self) == [4])
        try expectIntact(store)
    }

    @Test func withoutTheOptions_stampsFollowNewKeys() throws {
        do {
            let store = try file.open(KeptFirst.Ticket.self)
            try KeptFirst.Desk(id: 8).save(to: store)
        }
        _ = try file.open(KeptKeys.Ticket.self)
        let store = try file.open(KeptKeys.Ticket.self)
        #expect(try store.stamps(KeptKeys.Desk.self) == ["7", "8"])
    }

    @Test func tools_seeOrdinaryTypes() throws {
        let store = try file.open()
        let names = try store.typeNames()
        for suffix in ["Ticket~metadata", "Ticket~deleted", "Desk~metadata"] {
            #expect(names.contains { $0.hasSuffix(suffix) }, "\(names)")
        }
        try expectIntact(store)
        let lines = try store.dump()
        let loaded = try Store.temporary()
        try loaded.load(lines: lines)
        #expect(try loaded.dump() == lines)
        let entities = try Deleted<KeptFirst.Ticket>.query().resolve(in: loaded)
        #expect(try entities == Deleted<KeptFirst.Ticket>.query().resolve(in: store))
        let salvaged = file.path + ".salvaged"
        _ = try Store.salvage(from: store.path, to: salvaged)
        #expect(try Store(path: salvaged, records: [KeptFirst.Ticket.self]).dump() == lines)
    }
}
