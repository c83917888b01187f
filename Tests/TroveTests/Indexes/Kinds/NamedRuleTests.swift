// Collision rules with names: static properties and functions in an extension of `CollisionRule`.

import Foundation
import Testing
import Trove

@IndexKeyRecord("id")
private struct Member: Hashable {
    #Unique<Member>(\.username, collisions: .upsert)
    #Unique<Member>(\.email, collisions: .throw)
    #Unique<Member>(\.isCurrent, collisions: .updateCurrentUser)
    #Unique<Member>(\.badge, collisions: .handOver(\.badge))
    #Unique<Member>(\.seat, collisions: .custom(Member.moveAway))

    let id: String
    var username: String
    var email: String
    var isCurrent: Bool
    var badge: Int?
    var seat: Int?

    private static func moveAway(_ context: TransactionContext, _ new: Member, _ existing: Member) throws {
        var former = existing
        former.seat = nil
        try context.insert(former)
    }
}

extension CollisionRule<Member> {
    /// When a user becomes the current user, the former current user no longer is.
    fileprivate static var updateCurrentUser: CollisionRule {
        .custom { context, _, existing in
            guard var user = try Member.get(in: context, id: existing.id), user.isCurrent else { return }
            user.isCurrent = false
            try context.insert(user)
        }
    }

    /// Takes an optional value from the existing record.
    fileprivate static func handOver(_ property: WritableKeyPath<Member, Int?> & Sendable) -> CollisionRule {
        .custom { context, _, existing in
            var former = Member(
                id: existing.id, username: existing.username, email: existing.email, isCurrent: existing.isCurrent,
                badge: existing.badge, seat: existing.seat)
            former[keyPath: property] = nil
            try context.insert(former)
        }
    }
}

@Suite("Named collision rules") struct NamedRuleTests {
    private let store: Store

    init() throws {
        store = try Store.temporary()
        try store.insert(
            contentsOf: ["a", "b", "c"].enumerated().map { index, id in
                Member(
                    id: id, username: "user \(id)", email: "\(id)@x", isCurrent: id == "a", badge: index, seat: index)
            })
    }

    private func user(_ id: String) throws -> Member { try #require(try Member.get(in: store, id: id)) }

    @Test func aProperty_isARule() throws {
        #expect(try Member.filter(\.isCurrent == true).keys(in: store) == ["a"])
        try Member.filter(\.id == "b").update(in: store) { $0.isCurrent = true }
        #expect(try Member.filter(\.isCurrent == true).keys(in: store) == ["b"])
        // Users that are not current share a value too: the rule lets them.
        #expect(try Member.filter(\.isCurrent == false).keys(in: store).sorted() == ["a", "c"])
    }

    @Test func aFunction_isARule() throws {
        try Member.filter(\.id == "c").update(in: store) { $0.badge = 0 }
        #expect(try user("a").badge == nil)
        #expect(try user("c").badge == 0)
    }

    @Test func aMethodOfTheRecord_isARule() throws {
        try Member.filter(\.id == "c").update(in: store) { $0.seat = 1 }
        #expect(try user("b").seat == nil)
        #expect(try user("c").seat == 1)
    }

    @Test func theRules_workTogether() throws {
        let new = Member(id: "d", username: "user a", email: "d@x", isCurrent: true, badge: 1, seat: 2)
        try store.insert(new)
        #expect(try Member.query().resolve(in: store).map(\.id) == ["b", "c", "d"])
        #expect(try user("b").badge == nil)
        #expect(try user("c").seat == nil)
        #expect(try user("d") == new)
        #expect(throws: StoreError.self) {
            try store.insert(Member(id: "e", username: "e", email: "d@x", isCurrent: false, badge: 1))
        }
        #expect(try user("d").badge == 1)
        #expect(try store.check(Member.self) == [])
    }
}
