// Collision rules with names: static properties and functions in an extension of `CollisionRule`.

import Foundation
import Testing
import Trove

@IndexKeyRecord("id")
private struct User: Hashable {
    #Unique<User>(\.username, collisions: .upsert)
    #Unique<User>(\.email, collisions: .throw)
    #Unique<User>(\.isCurrent, collisions: .updateCurrentUser)
    #Unique<User>(\.badge, collisions: .handOver(\.badge))
    #Unique<User>(\.seat, collisions: .custom(User.moveAway))

    let id: String
    var username: String
    var email: String
    var isCurrent: Bool
    var badge: Int?
    var seat: Int?

    private static func moveAway(_ context: TransactionContext, _ new: User, _ existing: User) throws {
        var former = existing
        former.seat = nil
        try context.insert(former)
    }
}

extension CollisionRule<User> {
    /// When a user becomes the current user, the former current user no longer is.
    fileprivate static var updateCurrentUser: CollisionRule {
        .custom { context, _, existing in
            guard var user = try User.get(in: context, id: existing.id), user.isCurrent else { return }
            user.isCurrent = false
            try context.insert(user)
        }
    }

    /// Takes an optional value from the existing record.
    fileprivate static func handOver(_ property: WritableKeyPath<User, Int?> & Sendable) -> CollisionRule {
        .custom { context, _, existing in
            var former = User(
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
                User(id: id, username: "user \(id)", email: "\(id)@x", isCurrent: id == "a", badge: index, seat: index)
            })
    }

    private func user(_ id: String) throws -> User { try #require(try User.get(in: store, id: id)) }

    @Test func aProperty_isARule() throws {
        #expect(try User.filter(\.isCurrent == true).keys(in: store) == ["a"])
        try User.filter(\.id == "b").update(in: store) { $0.isCurrent = true }
        #expect(try User.filter(\.isCurrent == true).keys(in: store) == ["b"])
        // Users that are not current share a value too: the rule lets them.
        #expect(try User.filter(\.isCurrent == false).keys(in: store).sorted() == ["a", "c"])
    }

    @Test func aFunction_isARule() throws {
        try User.filter(\.id == "c").update(in: store) { $0.badge = 0 }
        #expect(try user("a").badge == nil)
        #expect(try user("c").badge == 0)
    }

    @Test func aMethodOfTheRecord_isARule() throws {
        try User.filter(\.id == "c").update(in: store) { $0.seat = 1 }
        #expect(try user("b").seat == nil)
        #expect(try user("c").seat == 1)
    }

    @Test func theRules_workTogether() throws {
        let new = User(id: "d", username: "user a", email: "d@x", isCurrent: true, badge: 1, seat: 2)
        try store.insert(new)
        #expect(try User.query().select(in: store).map(\.id) == ["b", "c", "d"])
        #expect(try user("b").badge == nil)
        #expect(try user("c").seat == nil)
        #expect(try user("d") == new)
        #expect(throws: StoreError.self) {
            try store.insert(User(id: "e", username: "e", email: "d@x", isCurrent: false, badge: 1))
        }
        #expect(try user("d").badge == 1)
        #expect(try store.check(User.self) == [])
    }
}
