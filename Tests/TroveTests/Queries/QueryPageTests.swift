// Pages and their equality with the whole result, and records of an older layout among the others.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

enum FormerMembers {
    @IndexKeyRecord(keyPrefix: 5_100_001, "team", "number")
    struct Member: Hashable {
        let team: String
        let number: Int
        var age: Int16
    }
}

enum PresentMembers {
    @IndexKeyRecord(keyPrefix: 5_100_001, "team", "number")
    struct Member: Hashable {
        let team: String
        let number: Int
        var nickname: String?
        var age: Int
    }
}

private typealias Member = PresentMembers.Member

@Suite("Pages of queries") struct QueryPageTests {
    private let directory: TemporaryDirectory
    private let store: Store
    private let members: [Member]

    /// Creates a store in which every other record has the former layout.
    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.path("members.trove")
        let numbers = (0..<90).map { ("\($0 % 3)", $0) }
        do {
            let former = try Store(path: path, options: StoreOptions(durability: .noSync))
            try former.insert(
                contentsOf: numbers.map { team, number in
                    FormerMembers.Member(team: team, number: number, age: Int16(number % 7))
                })
        }
        store = try Store(path: path, options: StoreOptions(durability: .noSync))
        let members = numbers.map { team, number in
            Member(team: team, number: number, nickname: number % 2 == 0 ? nil : "n\(number % 4)", age: number % 7)
        }
        try store.insert(contentsOf: members.filter { $0.number % 2 == 1 })
        self.members = members.sorted { ($0.team, $0.number) < ($1.team, $1.number) }
    }

    @Test func negativeNumbers_areZero() throws {
        let queries = [Member.query().filter(\.age > 2), Member.filter(\.age > 2).sorted(by: \.age)]
        for query in queries {
            #expect(try query.limit(-1).resolve(in: store).isEmpty)
            #expect(try query.limit(-1).count(in: store) == 0 && query.limit(.min).keys(in: store).isEmpty)
            #expect(try query.limit(-1).offset(5).exists(in: store) == false)
            #expect(try query.offset(-3).count(in: store) == query.count(in: store))
            #expect(query.limit(-7).description == query.limit(0).description)
        }
        #expect(try Member.query().limit(-1).resolve(in: store).isEmpty)
        #expect(try Member.query().page(limit: -1).resolve(in: store).isEmpty)
        #expect(try Member.query(in: store).limit(-1).count() == 0)
        #expect(try Member.query().limit(-1).count(in: store) == 0)
    }

    @Test func pages_joinToTheWhole_inEveryOrder() throws {
        let queries = [
            Member.filter(\.age != 3), Member.query(team: .lessThan("2")).filter(\.age > 1),
            Member.filter(.everything).sorted(by: \.team, \.number), Member.filter(\.age > 2).sorted(by: \.age),
            Member.filter(.everything).sorted(by: \.team.desc, \.number.desc),
            Member.filter(\.number > 7).sorted(by: \.team.desc),
            Member.filter(.within(\.team, ["0", "2"])).filter(.not(.between(\.number, 20...40))).sorted(
                by: \.team.desc),
            Member.filter(.everything).sorted(by: \.nickname.desc, \.age, \.number.desc),
        ]
        for query in queries {
            let whole = try query.resolve(in: store)
            let plan = try query.explain(in: store)
            #expect(whole.count > 40 && Set(whole).isSubset(of: members))
            for size in [1, 7, 64] {
                var (joined, joinedByKey): ([Member], [Member]) = ([], [])
                while case let page = try query.limit(size).after(joined.last).resolve(in: store), !page.isEmpty {
                    joined += page
                }
                while case let page = try query.limit(size).after(key: joinedByKey.last?.indexKey).resolve(in: store),
                    !page.isEmpty
                {
                    joinedByKey += page
                }
                #expect(joined == whole, "\(plan)")
                #expect(joinedByKey == whole, "\(plan)")
            }
            #expect(try query.after(whole[9]).count(in: store) == whole.count - 10)
            #expect(try query.after(whole.last).exists(in: store) == false)
        }
    }

    @Test func aPage_continuesAfterADeletedRecord() throws {
        let query = Member.filter(.everything).sorted(by: \.age, \.nickname)
        let whole = try query.resolve(in: store)
        try store.delete(whole[20])
        #expect(try query.after(whole[20]).resolve(in: store) == Array(whole[21...]))
        #expect(
            storeError { try query.after(key: whole[20].indexKey).resolve(in: store) }
                == .query(
                    .noContinuation(
                        type: "PresentMembers.Member",
                        key: StoredKey(whole[20].indexKey, of: PresentMembers.Member.self))))
        let byKey = query.sorted(by: \.team, \.number).after(key: whole[20].indexKey)
        #expect(try byKey.resolve(in: store).allSatisfy { ($0.team, $0.number) > (whole[20].team, whole[20].number) })
    }

    @Test func recordsOfAnOlderLayout_areFoundAsTheOthersAre() throws {
        #expect(try Member.filter(\.age == 4).resolve(in: store) == members.filter { $0.age == 4 })
        #expect(try Member.filter { $0.age == 4 }.resolve(in: store) == members.filter { $0.age == 4 })
        let oldest = try Member.query().sorted { $0.age > $1.age }.limit(3, offset: 1).resolve(in: store)
        #expect(oldest == Array(members.filter { $0.age == 6 }.dropFirst().prefix(3)))
        #expect(try Member.filter { $0.nickname == "n1" }.last(in: store) == members.last { $0.nickname == "n1" })
        #expect(try Member.filter(\.nickname == nil).keys(in: store).count == 45)
        #expect(
            try Member.filter(\.number < 9).select(\.age).resolve(in: store)
                == members.filter { $0.number < 9 }.map(\.age))
        #expect(
            try Member.filter(\.number < 9).sorted(by: \.age).select(\.age, \.nickname).resolve(in: store).map(\.0)
                == members.filter { $0.number < 9 }.map(\.age).sorted())
        #expect(try Member.filter(\.age == 4).update(in: store) { $0.age = 104 } == members.count { $0.age == 4 })
        #expect(try Member.filter(\.age == 104).delete(in: store) == members.count { $0.age == 4 })
        #expect(try Member.query().resolve(in: store) == members.filter { $0.age != 4 })
    }
}
