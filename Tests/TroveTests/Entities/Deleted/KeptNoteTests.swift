// Notes about times and deleted entities that contradict the stored entities, and how they go; plans and locks with the
// types of times and deleted entities.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Notes about times and deleted entities") struct KeptNoteTests {
    private typealias Ticket = KeptFirst.Ticket
    private let file: MigratedFile

    init() throws { file = try MigratedFile() }

    /// Writes tickets with times and deleted tickets, and then lets a program without either delete and save some.
    private func contradict() throws -> Store {
        do {
            let store = try file.open(Ticket.self)
            for id in 1...4 { try Ticket(id: id, title: "t\(id)").save(to: store) }
            try Ticket.delete(id: 2, from: store)
            try Ticket.delete(id: 4, from: store)
            #expect(try store.relationNotes().isEmpty)
        }
        do {
            let store = try file.open(KeptNone.Ticket.self)
            try KeptNone.Ticket.delete(id: 1, from: store)
            try KeptNone.Ticket(id: 2, title: "again").save(to: store)
            // Notes need no Swift type.
            #expect(try store.relationNotes().count == 2)
        }
        return try file.open(Ticket.self)
    }

    @Test func contradictions_areNotes() throws {
        let store = try contradict()
        let notes = try store.relationNotes()
        #expect(notes.timesWithoutEntity == 1 && notes.deletedAndStored == 1 && notes.count == 2)
        #expect(
            Set(
                notes.notes.map { $0.description.replacing("TroveTests.KeptNone.", with: "") }.map {
                    $0.replacing("TroveTests.KeptFirst.", with: "")
                }) == [
                    "Ticket~metadata: the Ticket id: 1 has a time, and is not stored; store.delete(_:key:ignoringDamage:) removes the time",
                    "Ticket~deleted: the Ticket id: 2 is deleted, and is stored; saving it again removes the deleted entity, and restoring the deleted entity replaces it",
                ])
        #expect(try store.check() == [])
        let encoded = try JSONEncoder().encode(notes)
        #expect(try JSONDecoder().decode(RelationNotes.self, from: encoded) == notes)
    }

    @Test func notes_goInTheWayThatTheySay() throws {
        let store = try contradict()
        #expect(try !store.delete(Ticket.self, key: 1, ignoringDamage: true))
        #expect(try store.relationNotes().timesWithoutEntity == 0 && store.stamps(Ticket.self) == [3])
        try store.write { context in
            _ = try? context.nested { context in
                try Ticket(id: 2, title: "again").save(to: context)
                throw CancellationError()
            }
        }
        #expect(try store.relationNotes().deletedAndStored == 1)
        try #require(try Deleted<Ticket>.query(2).resolve(in: store)).restore(in: store)
        #expect(try Ticket.query(2).resolve(in: store)?.title == "t2")
        #expect(try store.relationNotes().isEmpty && store.trash(Ticket.self) == [4])
        #expect(try store.check() == [])
    }

    @Test func savingAgain_endsTheContradictions() throws {
        let store = try contradict()
        for id in 1...2 { try Ticket(id: id, title: "").save(to: store) }
        #expect(try store.relationNotes().isEmpty)
        #expect(try store.trash(Ticket.self) == [4] && store.stamps(Ticket.self) == [1, 2, 3])
    }

    @Test func notes_surviveARename_andADump() throws {
        do { _ = try contradict() }
        let store = try file.open(KeptFields.Issue.self)
        #expect(try store.relationNotes().count == 2)
        let loaded = try Store.temporary()
        try loaded.load(lines: try store.dump())
        let notes = try loaded.relationNotes()
        #expect(notes.timesWithoutEntity == 1 && notes.deletedAndStored == 1)
        #expect(notes.notes.allSatisfy { $0.entity.type.hasSuffix("Issue") })
    }

    // MARK: Plans and locks

    @Test func aPlan_hasTheTypesThatComeAlong() throws {
        do {
            let store = try file.open(Ticket.self)
            for id in 1...4 {
                try Ticket(id: id, title: "t\(id)", desk: .relation(KeptFirst.Desk(id: 7))).save(to: store)
            }
            try Ticket.delete(id: 2, from: store)
        }
        let store = try file.open()
        func plan(_ types: any IndexKeyRecord.Type...) throws -> MigrationPlan {
            try store.migrationPlan(for: types, validating: true)
        }
        let names = try plan(KeptKeys.Ticket.self).types.map { $0.name.replacing("TroveTests.KeptKeys.", with: "") }
        #expect(Set(names) == ["Ticket", "Desk", "Ticket~metadata", "Ticket~deleted", "Desk~metadata"])
        let explicit = try plan(Deleted<KeptKeys.Ticket>.self, KeptKeys.Ticket.self)
        #expect(try Set(plan(KeptKeys.Ticket.self).types) == Set(explicit.types))
        #expect(try plan(Ticket.self).isEmpty)
        #expect(try plan(KeptByHand.Ticket.self).isPossible)
        // What the plan shows is what opening does.
        let changed = try plan(KeptKeys.Ticket.self)
        #expect(changed.isPossible)
        try store.close()
        let migrated = try file.open(KeptKeys.Ticket.self)
        #expect(try migrated.migrationPlan(for: [KeptKeys.Ticket.self]).isEmpty)
        #expect(try migrated.stamps(KeptKeys.Ticket.self) == ["1", "3", "4"])
        #expect(try migrated.trash(KeptKeys.Ticket.self) == ["2"])
    }

    @Test func aLock_hasTheTypesThatComeAlong() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("schema.json")
        try SchemaLock.write([Ticket.self], at: path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for name in ["Ticket", "Desk", "Ticket~metadata", "Ticket~deleted", "Desk~metadata"] {
            #expect(text.contains("\"name\": \"TroveTests.KeptFirst.\(name)\""), "\(name)")
        }
        try SchemaLock.check([Ticket.self, KeptFirst.Desk.self, Deleted<Ticket>.self], at: path)
        var changes: [String] = []
        do {
            try SchemaLock.check([KeptFields.Issue.self], at: path)
        } catch SchemaLockError.changed(_, let found) {
            changes = found.map(\.type)
        }
        #expect(changes.contains { $0.hasSuffix("~deleted") })
    }
}
