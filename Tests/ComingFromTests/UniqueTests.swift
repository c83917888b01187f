// Unique values and their collision rules, and the query of a collision resolver.

import Testing
import Trove
import TroveSpellings

@EntityModel
private struct Member: Equatable {
    #Unique<Self>(\.username, collisions: .upsert)
    #Unique<Self>(\.email, collisions: .throw)
    #Unique<Self>(\.isCurrent, collisions: .updateCurrentMember)

    let id: String
    var username: String
    var email: String
    var isCurrent: Bool = false
}

extension CollisionRule where Record == Member {
    fileprivate static var updateCurrentMember: Self {
        .custom { context, _, existing in
            guard var member = try Member.query(existing.id, in: context).resolve(), member.isCurrent else { return }
            member.isCurrent = false
            try member.save(to: context)
        }
    }
}

@Suite("Coming from SwiftletModel: unique values") struct UniqueTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Member.self])
        try Member(id: "1", username: "ines", email: "ines@example.com", isCurrent: true).save(to: store)
    }

    @Test func upsert_replacesTheOther() throws {
        try Member(id: "2", username: "ines", email: "ravi@example.com").save(to: store)
        #expect(try Member.query().keys(in: store) == ["2"])
    }

    @Test func throw_keepsTheOther() throws {
        #expect(throws: StoreError.self) {
            try Member(id: "2", username: "ravi", email: "ines@example.com").save(to: store)
        }
        #expect(try Member.query().keys(in: store) == ["1"])
    }

    @Test func aRuleOfYourOwn_queriesAndSaves() throws {
        for id in ["2", "3"] {
            try Member(id: id, username: id, email: "\(id)@example.com", isCurrent: true).save(to: store)
        }
        #expect(try Member.filter(\.isCurrent).keys(in: store) == ["3"])
        #expect(try Member.query().count(in: store) == 3)
    }
}
