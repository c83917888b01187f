// Unique constraints: the holder of a value, and the effect of a collision.

import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Account: Equatable {
    #Index<Account>(\.age)
    #Unique<Account>(\.email, collisions: .throw)
    #Unique<Account>(\.username, collisions: .upsert)
    #Unique<Account>(\.badge, collisions: .ignore)
    #Unique<Account>(\.first, \.last, collisions: .throw)

    let id: Int
    var age: Int = 0
    var email: String?
    var username: String?
    var badge: Int?
    var first: String?
    var last: String?
}

/// A session; only a single record is current.
@IndexKeyRecord("id")
private struct Session: Equatable {
    #Unique<Session>(
        \.isCurrent,
        collisions: .custom { context, _, existing in
            guard existing.isCurrent else { return }
            var former = existing
            former.isCurrent = false
            try context.insert(former)
        })

    let id: Int
    var isCurrent: Bool
}

@IndexKeyRecord("id")
private struct Booking: Equatable {
    #Unique<Booking>(\.place, collisions: .throw, where: { $0.isTaken })

    let id: Int
    var place: Int
    var isTaken: Bool
}

/// A badge whose group may be shared by several records.
@IndexKeyRecord("id")
private struct Badge: Equatable {
    #Unique<Badge>(\.group, collisions: .custom { _, _, _ in })
    #Unique<Badge>(\.number, collisions: .throw)

    let id: Int
    var group: Int
    var number: Int
}

/// A record whose rules save records that collide again.
@IndexKeyRecord("id")
private struct Looping: Equatable {
    #Unique<Looping>(\.again, collisions: .custom { context, new, _ in try context.insert(new) })
    #Unique<Looping>(
        \.place,
        collisions: .custom { context, _, existing in
            var next = existing
            next.place = (existing.place ?? 0) + 1
            try context.insert(next)
        })
    #Unique<Looping>(
        \.endless,
        collisions: .custom { context, new, _ in
            var next = new
            next.again = new.id
            try context.insert(contentsOf: [next])
        })

    let id: Int
    var again: Int?
    var place: Int?
    var endless: Int?
}

@Suite("Unique values") struct UniqueTests {
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("accounts.trove"), records: [Account.self, Session.self, Booking.self, Badge.self],
            options: StoreOptions(durability: .noSync))
    }

    private func accounts() throws -> [Account] { try Query<Account>().sorted(by: \.id).resolve(in: store) }

    private func expectSound() throws {
        #expect(try store.check(Account.self) == [])
        #expect(try store.check(Session.self) == [])
        #expect(try store.check(Booking.self) == [])
        #expect(try store.check(Badge.self) == [])
    }

    private func collides(_ body: () throws -> Void) -> (index: String, key: StoredKey, existing: StoredKey)? {
        do {
            try body()
            return nil
        } catch StoreError.record(.notUnique(_, let index, let key, let existing)) {
            return (index, key, existing)
        } catch {
            Issue.record(error)
            return nil
        }
    }

    @Test func aCollision_isThrown_namesBoth_andTheTransactionGoesOn() throws {
        try store.write { context in
            try context.insert(Account(id: 1, email: "a"))
            let collision = collides { try context.insert(Account(id: 2, email: "a")) }
            #expect(collision?.index == "unique(email)")
            #expect(collision?.key.bytes == KeyWriter.bytes(of: 2))
            #expect(collision?.existing.bytes == KeyWriter.bytes(of: 1))
            try context.insert(Account(id: 3, email: "b"))
        }
        #expect(try accounts().map(\.id) == [1, 3])
        try expectSound()
    }

    @Test func nil_isFree() throws {
        try store.insert(contentsOf: (0..<5).map { Account(id: $0) })
        try store.insert(contentsOf: (5..<9).map { Account(id: $0, first: "a") })
        #expect(try accounts().count == 9)
        try expectSound()
    }

    @Test func severalProperties_areTakenTogether() throws {
        try store.insert(Account(id: 1, first: "a", last: "bc"))
        try store.insert(Account(id: 2, first: "ab", last: "c"))
        try store.insert(Account(id: 3, first: "a", last: "b"))
        #expect(collides { try store.insert(Account(id: 4, first: "a", last: "b")) } != nil)
        try expectSound()
    }

    @Test func theSameRecord_canBeSavedAgain() throws {
        try store.insert(Account(id: 1, email: "a", username: "u", badge: 1))
        try store.insert(Account(id: 1, age: 2, email: "a", username: "u", badge: 1))
        #expect(try accounts().map(\.age) == [2])
        try expectSound()
    }

    @Test func aFreedValue_canBeTaken() throws {
        try store.insert(Account(id: 1, email: "a"))
        try store.insert(Account(id: 1, email: "b"))
        try store.insert(Account(id: 2, email: "a"))
        try store.delete(Account.self, key: 2)
        try store.insert(Account(id: 3, email: "a"))
        #expect(try accounts().map(\.email) == ["b", "a"])
        try expectSound()
    }

    @Test func upsert_removesTheOther_withAllItsEntries() throws {
        try store.insert(Account(id: 1, age: 7, email: "a", username: "u", badge: 1))
        try store.insert(Account(id: 2, age: 8, email: "a", username: "u", badge: 2))
        #expect(try accounts().map(\.id) == [2])
        try store.insert(contentsOf: [Account(id: 3, email: "a", username: "u", badge: 3)])
        #expect(try accounts().map(\.id) == [3])
        try expectSound()
    }

    @Test func upsert_thatThrowsLater_removesNothing() throws {
        try store.insert(Account(id: 1, username: "u"))
        try store.insert(Account(id: 2, email: "a"))
        try store.write { context in
            // The holder of the username would be replaced, but the holder of the name stays.
            try context.insert(Account(id: 4, first: "x", last: "y"))
            #expect(collides { try context.insert(Account(id: 3, username: "u", first: "x", last: "y")) } != nil)
        }
        #expect(try accounts().map(\.id) == [1, 2, 4])
        try expectSound()
    }

    @Test func upsert_ofARecordThatIsThenIgnored_removesNothing() throws {
        try store.insert(contentsOf: [Account(id: 1, username: "u"), Account(id: 2, badge: 1)])
        #expect(try !store.insert(Account(id: 3, username: "u", badge: 1)))
        #expect(try accounts().map(\.id) == [1, 2])
        try expectSound()
    }

    @Test func ignore_keepsTheOther() throws {
        #expect(try store.insert(Account(id: 1, badge: 1)))
        #expect(try !store.insert(Account(id: 2, badge: 1)))
        #expect(try accounts().map(\.id) == [1])
        try store.insert(Account(id: 3, badge: 3))
        #expect(try !store.insert(Account(id: 3, badge: 1)))
        #expect(try accounts().map(\.badge) == [1, 3])
        try expectSound()
    }

    @Test func oneAlone_isCurrent() throws {
        for id in 0..<6 { try store.insert(Session(id: id, isCurrent: id.isMultiple(of: 2))) }
        #expect(try Query<Session>().filter(\.isCurrent == true).resolve(in: store).map(\.id) == [4])
        try store.insert(contentsOf: [Session(id: 7, isCurrent: true), Session(id: 8, isCurrent: true)])
        #expect(try Query<Session>().filter(\.isCurrent == true).resolve(in: store).map(\.id) == [8])
        try Session.filter(\.id < 3).update(in: store) { $0.isCurrent = true }
        #expect(try Query<Session>().filter(\.isCurrent == true).resolve(in: store).map(\.id) == [2])
        #expect(try Query<Session>().count(in: store) == 8)
        try expectSound()
    }

    @Test func aCondition_freesTheOthers() throws {
        try store.insert(contentsOf: [
            Booking(id: 1, place: 1, isTaken: false), Booking(id: 2, place: 1, isTaken: false),
            Booking(id: 3, place: 1, isTaken: true),
        ])
        #expect(collides { try store.insert(Booking(id: 1, place: 1, isTaken: true)) } != nil)
        try store.insert(Booking(id: 3, place: 1, isTaken: false))
        try store.insert(Booking(id: 1, place: 1, isTaken: true))
        try expectSound()
    }

    // MARK: Several records at once

    @Test func twoRecords_swapTheirValues() throws {
        try store.insert(contentsOf: [Account(id: 1, email: "a"), Account(id: 2, email: "b")])
        try store.insert(contentsOf: [Account(id: 1, email: "b"), Account(id: 2, email: "a")])
        #expect(try accounts().map(\.email) == ["b", "a"])
        let changed = try Account.filter(\.email != nil).update(in: store) { $0.email = $0.email == "a" ? "b" : "a" }
        #expect(changed == 2)
        #expect(try accounts().map(\.email) == ["a", "b"])
        try expectSound()
    }

    @Test func twoRecords_swapTheirValues_whereOneWouldReplaceTheOther() throws {
        try store.insert(contentsOf: [Account(id: 1, username: "a"), Account(id: 2, username: "b")])
        try store.insert(contentsOf: [Account(id: 1, username: "b"), Account(id: 2, username: "a")])
        #expect(try accounts().map(\.username) == ["b", "a"])
        try expectSound()
    }

    @Test func aCollisionAtTheEndOfAStatement_undoesIt_andTheTransactionGoesOn() throws {
        try store.insert(Account(id: 1, email: "a"))
        try store.write { context in
            let collision = collides {
                try context.insert(contentsOf: [Account(id: 5, email: "x"), Account(id: 2, email: "a")])
            }
            #expect(collision?.key.bytes == KeyWriter.bytes(of: 2))
            #expect(collision?.existing.bytes == KeyWriter.bytes(of: 1))
            #expect(collides { try Account.filter(\.id >= 0).update(in: context) { $0.badge = 3 } } == nil)
            try context.insert(Account(id: 3, email: "c"))
        }
        #expect(try accounts().map(\.id) == [1, 3])
        try expectSound()
    }

    @Test func twoRecords_swapTheirValues_whereOneIsResolvedByHand() throws {
        try store.insert(contentsOf: [
            Badge(id: 1, group: 1, number: 1), Badge(id: 2, group: 2, number: 2), Badge(id: 3, group: 9, number: 3),
        ])
        try Badge.filter(\.id < 3).update(in: store) { badge in
            badge.number = 3 - badge.number
            if badge.id == 1 { badge.group = 9 }
        }
        #expect(try Query<Badge>().sorted(by: \.id).resolve(in: store).map(\.number) == [2, 1, 3])
        #expect(collides { try store.insert(contentsOf: [Badge(id: 4, group: 9, number: 1)]) } != nil)
        try expectSound()
    }

    @Test func ofSeveralThatReplaceEachOther_theLastSavedStays() throws {
        try store.insert(Account(id: 9, username: "u"))
        try store.insert(contentsOf: (1...4).map { Account(id: $0, age: $0, username: "u") })
        #expect(try accounts().map(\.id) == [4])
        try store.insert(contentsOf: [4, 3, 2].map { Account(id: $0, username: "u") })
        #expect(try accounts().map(\.id) == [2])
        try expectSound()
    }

    @Test func aRecordSavedAgainWithItsValue_isTheLastSaved() throws {
        try store.insert(contentsOf: [
            Account(id: 1, username: "u"), Account(id: 2, username: "u"), Account(id: 1, age: 9, username: "u"),
        ])
        #expect(try accounts() == [Account(id: 1, age: 9, username: "u")])
        try store.insert(contentsOf: [Account(id: 2, username: "u"), Account(id: 1, username: "u")])
        #expect(try accounts().map(\.id) == [1])
        try expectSound()
    }

    @Test func anUpdate_savesRecordsThatItHasReplaced() throws {
        let all = (1...6).map { Account(id: $0, age: $0, username: "\($0)") }
        // By the records' own table, by an index, and sorted.
        let queries = [
            Account.filter(\.id < 4), Account.filter(\.age < 4), Account.filter(\.id < 4).sorted(by: \.username.desc),
        ]
        for query in queries {
            try store.insert(contentsOf: all)
            #expect(try query.update(in: store) { $0.username = "\($0.id % 3 + 1)" } == 3)
            #expect(try accounts().map(\.username) == ["2", "3", "1", "4", "5", "6"])
            // A replaced record outside the update is gone.
            #expect(try query.update(in: store) { $0.username = "\($0.id + 3)" } == 3)
            #expect(try accounts().map(\.id) == [1, 2, 3])
        }
        try expectSound()
    }

    // MARK: Rules that call themselves

    private func repeats(_ body: () throws -> Void) -> (index: String, key: [UInt8])? {
        do {
            try body()
        } catch StoreError.record(.collisionRuleRepeats(let type, let index, let key)) {
            #expect(type == "Looping")
            return (index, key.bytes)
        } catch {
            Issue.record(error)
        }
        return nil
    }

    @Test func aRule_thatSavesTheNewRecord_isStopped_andTheTransactionGoesOn() throws {
        let store = try Store.temporary()
        // On a small stack, without end.
        try onAnotherThread(stackSize: smallStackSize) {
            try store.write { context in
                try context.insert(Looping(id: 1, again: 7, endless: 7))
                let again = repeats { try context.insert(Looping(id: 2, again: 7)) }
                #expect(again?.index == "unique(again)")
                #expect(again?.key == KeyWriter.bytes(of: 2))
                #expect(repeats { try context.insert(contentsOf: [Looping(id: 3, again: 7)]) } != nil)
                #expect(repeats { try context.insert(Looping(id: 4, endless: 7)) }?.index == "unique(endless)")
                try context.insert(Looping(id: 5))
            }
        }
        #expect(try Query<Looping>().sorted(by: \.id).resolve(in: store).map(\.id) == [1, 5])
    }

    @Test func rules_thatCauseOtherCollisions_endAtALimit() throws {
        let store = try Store.temporary()
        try onAnotherThread(stackSize: smallStackSize) {
            try store.insert(contentsOf: (1...40).map { Looping(id: $0, place: $0) })
            try store.insert(Looping(id: 99, place: 20))
            #expect(try Looping.filter(\.place > 20).count(in: store) == 21)
            let end = repeats { try store.insert(Looping(id: 100, place: 1)) }
            #expect(end?.index == "unique(place)")
            #expect(try Query<Looping>().count(in: store) == 41)
        }
        #expect(try store.check(Looping.self) == [])
    }

    @Test func longValues_areComparedWhole() throws {
        let long = String(repeating: "x", count: 2000)
        try store.insert(Account(id: 1, email: long + "a"))
        try store.insert(Account(id: 2, email: long + "b"))
        #expect(
            collides { try store.insert(Account(id: 3, email: long + "a")) }?.existing.bytes == KeyWriter.bytes(of: 1))
        try store.delete(Account.self, key: 1)
        try store.insert(Account(id: 3, email: long + "a"))
        try expectSound()
    }
}
