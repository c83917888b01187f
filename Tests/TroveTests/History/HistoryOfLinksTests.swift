// The changes of links in a history, and of the records that a store keeps beside entities: each has its key, whichever
// way they are written.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Histories of links") struct HistoryOfLinksTests {
    private static let types: [any IndexKeyRecord.Type] = [Club.self, Member.self, Mailing.self, MailReader.self]

    private func temporary() throws -> Store {
        try Store.temporary(records: Self.types, options: StoreOptions(history: .keep()))
    }

    private func club(_ id: Int, members: [Int]) -> Club {
        Club(id: id, members: .relation(members.map { Member(id: $0, friends: .ids([$0 + 1, $0 + 2])) }))
    }

    /// Entities whose deletes do nothing but remove their links are deleted all at once, unless there are links of
    /// clubs that are not stored, which stay.
    @Test(arguments: [false, true]) func deletedTypes_listEachLink(_ hasOtherClub: Bool) throws {
        let store = try temporary()
        var follower = HistoryKeysFollower()
        for round in 0..<2 {
            try [club(1, members: [1, 2, 3]), club(2, members: round == 0 ? [3, 4] : [])].save(to: store)
            if hasOtherClub { try Member(id: 5, clubs: .ids([7])).save(to: store) }
            try follower.follow(store, "saved")
            let token = try store.read { try $0.historyToken }
            try Club.query().delete(in: store)
            try follower.follow(store, "deleted")
            let last = try #require(try store.read { try $0.history(after: token) }.first)
            #expect(last.lines.count { $0.hasPrefix("deleted Club ") } == 2)
            #expect(last.lines.count { $0.hasPrefix("deleted Club.members ") } == (round == 0 ? 5 : 3))
            #expect(last.lines.count == (round == 0 ? 7 : 5))
            try Member.query().delete(in: store)
            try follower.follow(store, "deleted both")
        }
        #expect(try store.check() == [])
    }

    @Test func loadedLinks_areFollowed() throws {
        let source = try Store.temporary(records: Self.types)
        try [club(1, members: [1, 2, 3]), club(2, members: [3])].save(to: source)
        try Mailing(id: "a", text: "a", sack: .relation(MailSack(id: 1))).save(to: source)
        try Mailing(id: "b", text: "b", sack: .id(1), answers: .ids(["a"]), readers: .ids([1])).save(to: source)
        try source.delete(Mailing.self, key: "a")
        var lines: [String] = []
        try source.read { context in try context.forEachDumpLine(of: context.storedTypes()) { lines.append($0) } }
        let store = try temporary()
        var follower = HistoryKeysFollower()
        for rule in [ConflictRule.throw, .replace] {
            var iterator = lines.makeIterator()
            _ = try store.load(.json, onConflict: rule) { iterator.next() }
            try follower.follow(store, "\(rule)")
        }
        #expect(try store.check() == [])
        let keys = try source.read { try HistoryKeys(in: $0) }
        #expect(try store.read { try HistoryKeys(in: $0) } == keys)
    }
}

@EntityModel
private struct Club {
    let id: Int
    @Relationship(inverse: \.clubs) var members: [Member]?
}

@EntityModel
private struct Member {
    let id: Int
    @Relationship(inverse: \.members) var clubs: [Club]?
    @Relationship(inverse: \.friends) var friends: [Member]?
}
