// The access path of a query, as `explain` prints it.

import Foundation
import Testing
import TroveSpellings
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Member: Hashable {
    #Index<Member>(\.age)
    #Index<Member>(\.city, \.age.desc)
    #Index<Member>(\.team)
    #Index<Member>(\.address)
    #Index<Member>(\.level, where: { $0.age > 17 })
    #Index<Member>(\.age, where: { $0.level > 99 })
    #Unique<Member>(\.email, collisions: .throw)

    @RecordValue struct Address: Hashable { var street: String }

    let id: Int
    var age: Int
    var city: String
    var team: String
    var email: String?
    var address: Address
    var level: Int
}

@Suite("Plans over indexes") struct IndexPlanTests {
    private let store: Store

    /// Stores a thousand members: 100 ages, 10 cities, 2 teams; half of them have an email.
    init() throws {
        store = try Store.temporary()
        try store.insert(
            contentsOf: (0..<1000).map { id in
                Member(
                    id: id, age: id % 100, city: "city\(id % 10)", team: id % 2 == 0 ? "red" : "blue",
                    email: id % 2 == 0 ? "\(id)@example.com" : nil, address: Member.Address(street: "\(id % 250)"),
                    level: id % 20)
            })
    }

    private func check(
        _ query: Query<Member>, _ plan: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = try query.explain(in: store)
        #expect(text == plan, sourceLocation: sourceLocation)
    }

    // MARK: Ranges

    @Test func aFilter_isARangeOfItsIndex() throws {
        try check(Member.filter(\.age == 30), "scan index(age) of Member, 1 range: age == 30\nentries to read: 10")
        try check(
            Member.filter(\.age > 30).filter(\.age <= 33),
            "scan index(age) of Member, 1 range: age > 30 and age <= 33\nentries to read: 30")
        try check(
            Member.filter(.within(\.age, [3, 5])),
            "scan index(age) of Member, 2 ranges: age within [3, 5]\nentries to read: 20")
        try check(
            Member.filter(\.age == 3).or(\.age > 97),
            "scan index(age) of Member, 2 ranges: age == 3 or age > 97\nentries to read: 30")
    }

    @Test func equalityAndThenARange_useOneIndex_downwardsToo() throws {
        try check(
            Member.filter(\.age > 90).filter(\.city == "city7"),
            """
            scan index(city,age desc) of Member, 1 range: city == "city7" and age > 90
            entries to read: 10
            """)
        try check(
            Member.filter(.within(\.city, ["city7", "city8"])).filter(.within(\.age, [7, 8])),
            """
            scan index(city,age desc) of Member, 4 ranges: city within ["city7", "city8"] and age within [7, 8]
            entries to read: 20
            """)
    }

    @Test func keysAfterAnEquality_areARangeToo() throws {
        try check(
            Member.filter(\.age == 30).filter(\.id > 500),
            "scan index(age) of Member, 1 range: age == 30 and id > 500\nentries to read: 5")
    }

    @Test func whatTheIndexDoesNotHave_isLeftOver() throws {
        try check(
            Member.filter(\.age == 30).filter(\.level == 1),
            """
            scan index(age) of Member, 1 range: age == 30
            filter: level == 1
            entries to read: 10
            """)
        try check(
            Member.query(id: .lessThan(500)).order(.ascending).filter(\.age == 30),
            """
            scan index(age) of Member, 1 range: age == 30 and id < 500
            entries to read: 5
            """)
    }

    @Test func aUniqueValue_isPreferred() throws {
        try check(
            Member.filter(\.age == 30).filter(\.email == "30@example.com"),
            """
            scan unique(email) of Member, 1 range: email == "30@example.com"
            filter: age == 30
            entries to read: 1
            """)
        try check(
            Member.filter(\.id == 30).filter(\.age == 30),
            """
            scan Member, 1 range: id == 30
            filter: age == 30
            entries to read: 1
            """)
    }

    @Test func aUniqueIndex_hasNoNil() throws {
        try check(
            Member.filter(\.email == nil), "scan Member, all records\nfilter: email == nil\nentries to read: 1000")
        try check(
            Member.filter(!(\.email > "10")),
            "scan Member, all records\nfilter: not email > \"10\"\nentries to read: 1000")
        try check(
            Member.filter(\.email < "10"),
            "scan unique(email) of Member, 1 range: email < \"10\"\nentries to read: 1")
        try check(
            Member.filter(.everything).sorted(by: \.email).limit(3),
            """
            scan Member, all records
            order: email; sorted, at most 64 at a time
            limit 3
            entries to read: 1000
            """)
    }

    @Test func whatHasNoOrder_isFoundByEquality() throws {
        try check(
            Member.filter(\.address == Member.Address(street: "7")),
            """
            scan index(address) of Member, 1 range: address == Address(street: "7")
            entries to read: 4
            """)
        try check(
            Member.filter(.within(\.address, [Member.Address(street: "7"), Member.Address(street: "8")])),
            """
            scan index(address) of Member, 2 ranges: address == Address(street: "7") or address == Address(street: "8")
            entries to read: 8
            """)
    }

    @Test func aPartialIndex_isUsed_whereItHasAllThatIsWanted() throws {
        try check(
            Member.filter(\.level == 1).filter(\.age > 17).filter(\.age < 90),
            """
            scan index(level where { $0.age > 17 }) of Member, 1 range: level == 1
            filter: age < 90
            entries to read: 40
            """)
        try check(
            Member.filter(\.level > 17).filter(\.age > 17),
            "scan index(level where { $0.age > 17 }) of Member, 1 range: level > 17\nentries to read: 100")
        try check(
            Member.filter(\.level == 1).filter(\.age > 16),
            """
            scan Member, all records
            filter: level == 1 and age > 16
            entries to read: 1000
            """)
        try check(
            Member.filter(\.age == 18).filter(\.level == 1).sorted(by: \.level),
            """
            scan index(age) of Member, 1 range: age == 18
            filter: level == 1
            order: level; as stored
            entries to read: 10
            """)
    }

    // MARK: Joins

    @Test func branchesOfSeveralIndexes_areUnited() throws {
        try check(
            Member.filter(\.age == 30).or(\.email == "31@example.com").or(\.id < 3),
            """
            fetch Member by the keys that any of these has
              scan index(age) of Member, 1 range: age == 30
              scan unique(email) of Member, 1 range: email == "31@example.com"
              scan Member, 1 range: id < 3
            entries to read: 13
            """)
        try check(
            Member.filter(\.age == 30).or(.filter(\.email == "32@example.com").and(\.team == "red")).filter(\.level > 1)
                .sorted(by: \.id.desc).limit(3),
            """
            fetch Member by the keys that any of these has
              scan index(age) of Member, 1 range: age == 30
              scan unique(email) of Member, 1 range: email == "32@example.com"
            filter: (age == 30 or (email == "32@example.com" and team == "red")) and level > 1
            order: id desc; as stored, backwards
            limit 3
            entries to read: 11
            """)
    }

    @Test func aBranchWithoutAnIndex_isScanned() throws {
        try check(
            Member.filter(\.age == 30).or(\.level == 3),
            """
            scan Member, all records
            filter: age == 30 or level == 3
            entries to read: 1000
            """)
    }

    @Test func rangesOfLikeSize_areIntersected() throws {
        try store.write { context in
            for id in 1000..<40_000 {
                try context.insert(
                    Member(
                        id: id, age: id % 100, city: "", team: "team\(id % 95)", email: nil,
                        address: Member.Address(street: ""), level: 0))
            }
        }
        try check(
            Member.filter(\.age == 31).filter(\.team == "team30").filter(\.level == 0),
            """
            fetch Member by the keys that each of these has
              scan index(age) of Member, 1 range: age == 31
              scan index(team) of Member, 1 range: team == "team30"
            filter: level == 0
            entries to read: 810
            """)
        // One of the two indexes is small: its entries are looked up without a merge.
        try check(
            Member.filter(\.age == 31).filter(\.address == Member.Address(street: "31")),
            """
            scan index(address) of Member, 1 range: address == Address(street: "31")
            filter: age == 31
            entries to read: 4
            """)
    }

    // MARK: Choice

    @Test func theSmallerRange_wins() throws {
        try check(
            Member.filter(\.team == "red").filter(\.age == 30),
            """
            scan index(age) of Member, 1 range: age == 30
            filter: team == "red"
            entries to read: 10
            """)
        try check(
            Member.filter(\.age > 30).filter(\.city == "city3"),
            """
            scan index(city,age desc) of Member, 1 range: city == "city3" and age > 30
            entries to read: 70
            """)
    }

    @Test func aRangeOfNearlyAll_isScanned() throws {
        try check(
            Member.filter(\.team == "red"),
            """
            scan Member, all records
            filter: team == "red"
            entries to read: 1000
            """)
    }

    @Test func pagesWithoutAnOrder_goByTheShapeAlone() throws {
        let query = Member.filter(\.team == "red").filter(\.age > 30)
        let plan = """
            scan index(team) of Member, 1 range: team == "red"
            filter: age > 30
            limit 5
            """
        try check(query.limit(5), "\(plan)\nentries to read: 500")
        try store.write { context in _ = try Member.filter(\.age > 30).delete(in: context) }
        try check(query.limit(5), "\(plan)\nentries to read: 160")
    }

    // MARK: Order

    @Test func anIndexInOrder_savesTheSort() throws {
        try check(
            Member.filter(.everything).sorted(by: \.age).limit(20),
            """
            scan index(age) of Member, all entries
            order: age; as stored
            limit 20
            entries to read: 1000
            """)
        try check(
            Member.filter(.everything).sorted(by: \.age.desc).limit(20),
            """
            scan index(age) of Member, all entries
            order: age desc; as stored, groups backwards
            limit 20
            entries to read: 1000
            """)
        try check(
            Member.filter(.everything).sorted(by: \.city, \.age.desc, \.id).limit(20),
            """
            scan index(city,age desc) of Member, all entries
            order: city, age desc, id; as stored
            limit 20
            entries to read: 1000
            """)
        try check(
            Member.filter(.everything).sorted(by: \.city.desc, \.age, \.id.desc).limit(20),
            """
            scan index(city,age desc) of Member, all entries
            order: city desc, age, id desc; as stored, backwards
            limit 20
            entries to read: 1000
            """)
        try check(
            Member.filter(\.city == "city3").sorted(by: \.age.desc).limit(2),
            """
            scan index(city,age desc) of Member, 1 range: city == "city3"
            order: age desc; as stored
            limit 2
            entries to read: 100
            """)
    }

    @Test func theConditionOfAnIndex_holdsForAllOfItsEntries() throws {
        try store.write { context in
            try context.insert(Member(id: 5_000, age: 1, city: "", team: "", address: .init(street: ""), level: 100))
        }
        try check(
            Member.filter(\.level == 100),
            """
            scan index(age where { $0.level > 99 }) of Member, all entries
            filter: level == 100
            entries to read: 1
            """)
        try check(
            Member.filter(\.level > 99),
            "scan index(age where { $0.level > 99 }) of Member, all entries\nentries to read: 1")
    }

    /// In the index, the ages of a city come before the keys.
    @Test func whatIsEqual_comesByItsKey() throws {
        try check(
            Member.filter(.everything).sorted(by: \.city).limit(20),
            """
            scan index(city,age desc) of Member, all entries
            order: city; as stored, ties sorted
            limit 20
            entries to read: 1000
            """)
        try check(
            Member.filter(\.city > "city5").sorted(by: \.city.desc, \.id).limit(20),
            """
            scan index(city,age desc) of Member, 1 range: city > "city5"
            order: city desc, id; as stored, backwards, ties sorted
            limit 20
            entries to read: 400
            """)
        try check(
            Member.filter(\.city == "city5").filter(\.age < 50).sorted(by: \.id).limit(20),
            """
            scan index(city,age desc) of Member, 1 range: city == "city5" and age < 50
            order: id; as stored, ties sorted
            limit 20
            entries to read: 50
            """)
        try check(
            Member.filter(.everything).sorted(by: \.city, \.team).limit(20),
            """
            scan Member, all records
            order: city, team; sorted, at most 64 at a time
            limit 20
            entries to read: 1000
            """)
    }

    @Test func aSmallRange_isSorted_ratherThanAllScannedInOrder() throws {
        try check(
            Member.filter(\.address == Member.Address(street: "7")).sorted(by: \.age).limit(20),
            """
            scan index(address) of Member, 1 range: address == Address(street: "7")
            order: age; sorted, at most 64 at a time
            limit 20
            entries to read: 4
            """)
        try check(
            Member.filter(\.team == "red").sorted(by: \.age).limit(20),
            """
            scan index(age) of Member, all entries
            filter: team == "red"
            order: age; as stored
            limit 20
            entries to read: 1000
            """)
    }

    // MARK: Readiness

    @Test func anIndexThatIsBeingBuilt_isNotUsed() throws {
        let table = try store.read { context in try #require(try context.table(for: Member.schema)) }
        let candidates = Member.schema.candidates
        #expect(candidates.count == 8)
        #expect(candidates.allSatisfy(table.isUsable))
        var type = table.type
        for number in type.indexes.keys { type.indexes[number]?.state = .empty }
        let building = RecordTable(
            Member.schema, database: table.database, name: TableName(keyPrefix: Member.keyPrefix, generation: 0),
            type: type, indexes: Dictionary(uniqueKeysWithValues: table.indexes.map { ($0.number, $0.database) }),
            parts: [:], catalog: store.catalog, relations: TableRelations(), verifiesChecksums: false)
        #expect(building.indexes.count == 7)
        #expect(candidates.filter(building.isUsable).map(\.kind) == [.records])
    }
}
