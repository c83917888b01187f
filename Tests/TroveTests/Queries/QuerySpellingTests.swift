// The ways to write a query.

import Foundation
import Testing
import Trove
import TroveSpellings
import TroveTestSupport

@IndexKeyRecord("id")
private struct Customer: Hashable {
    enum Status: String, Codable { case active, invited }

    let id: Int
    var firstName: String
    var lastName: String
    var age: Int
    var status: Status
    var email: String?
    var level: Int

    var name: String { firstName + " " + lastName }
}

@Suite("Spellings of queries") struct QuerySpellingTests {
    let store: Store
    private let users: [Customer]

    init() throws {
        store = try Store.temporary()
        users = (0..<60).map { number in
            Customer(
                id: number, firstName: ["Korben", "Leeloo", "Ruby"][number % 3],
                lastName: ["Dallas", "Zorg"][number % 2],
                age: number, status: number % 5 == 0 ? .active : .invited, email: number % 7 == 0 ? nil : "\(number)@x",
                level: number % 10)
        }
        try store.insert(contentsOf: users)
    }

    @Test func aQuery_isAValue_thatRunsAnywhere() throws {
        let query = Customer.filter(\.age >= 18).filter(\.status == .active)
            .or(.filter(\.lastName == "Dallas"))
            .sorted(by: \.lastName, \.firstName.desc)
            .limit(20).offset(4)
        let expected = users.filter { $0.age >= 18 && $0.status == .active || $0.lastName == "Dallas" }
            .sorted { ($0.lastName, $1.firstName, $0.id) < ($1.lastName, $0.firstName, $1.id) }
        let page = Array(expected[4..<24])
        #expect(try store.read { context in try query.resolve(in: context) } == page)
        #expect(try query.resolve(in: store) == page)
        #expect(try store.write { context in try query.resolve(in: context) } == page)
        #expect(try onAnotherThread { try query.resolve(in: store) } == page)
    }

    @Test func aBoundQuery_carriesItsContext() throws {
        try store.read { context in
            #expect(
                try Customer.query(in: context).sorted(by: \.age.desc).resolve().map(\.age) == (0..<60).reversed())
            #expect(
                try Customer.filter(\.age == 25, in: context).or(.filter(\.age == 30, in: context)).resolve()
                    == [users[25], users[30]])
            #expect(
                try Customer.filter(\.age == 25, in: context)
                    .or(.filter(\.status == .active, in: context))
                    .or(.filter(\.age > 30, in: context).and(\.level <= 4))
                    .resolve()
                    == users.filter { $0.age == 25 || $0.status == .active || $0.age > 30 && $0.level <= 4 })
            #expect(try Customer.filter(\.age >= 18, in: context).filter(\.age < 30).count() == 12)
            #expect(try Customer.filter(.string(\.firstName, hasPrefix: "ru"), in: context).first() == users[2])
            #expect(try Customer.query(in: context).sorted(by: \.lastName, \.firstName).keys().first == 0)
            #expect(try Customer.query(in: context).offset(58).select(\.age).resolve() == [58, 59])
            #expect(try Customer.query(in: context).offset(59).select(\.age, \.level).resolve().map(\.1) == [9])
            #expect(try Customer.filter(\.age > 60, in: context).exists() == false)
            var ages: [Int] = []
            try Customer.query(in: context).limit(3).forEach { ages.append($0.age) }
            #expect(ages == [0, 1, 2])
            #expect(try Customer.query(in: context).explain() == "scan Customer, all records\nentries to read: 60")
        }
        try store.write { context in
            let changed = try Customer.filter(\.age < 3, in: context).update { $0.level = -1 }
            let removed = try Customer.filter(\.level == -1, in: context).delete()
            #expect(changed == 3 && removed == 3)
        }
    }

    @Test func aRecord_isFoundByItsKey() throws {
        let found = try store.read { context in
            [try Customer.query(7, in: context).resolve(), try Customer.query(70, in: context).resolve()]
        }
        #expect(found == [users[7], nil])
        #expect(try Customer.query(7).resolve(in: store) == users[7])
    }

    @Test func chains_groupFromLeftToRight() throws {
        let (old, active, ruby): (Filter<Customer>, Filter<Customer>, Filter<Customer>) = (
            \.age > 30, \.status == .active, \.firstName == "Ruby"
        )
        #expect("\(old.and(active).or(ruby))" == #"(age > 30 and status == active) or firstName == "Ruby""#)
        #expect("\(old.or(active).and(ruby))" == #"(age > 30 or status == active) and firstName == "Ruby""#)
        #expect("\(old.or(active.and(ruby)))" == #"age > 30 or (status == active and firstName == "Ruby")"#)
        #expect("\(Filter.not(old.or(active)).or(.everything))" == "not (age > 30 or status == active) or true")
        #expect(
            try Customer.filter(old).or(active).filter(ruby).resolve(in: store)
                == users.filter { ($0.age > 30 || $0.status == .active) && $0.firstName == "Ruby" })
        #expect(
            try Customer.filter(old).filter(active).or(ruby).resolve(in: store)
                == users.filter { $0.age > 30 && $0.status == .active || $0.firstName == "Ruby" })
    }

    @Test func theSeedsWords_areUnderstood() throws {
        func count(_ filter: Filter<Customer>) throws -> Int { try Customer.filter(filter).count(in: store) }
        #expect(try count(.within(\.age, [25, 30, 99])) == 2)
        #expect(try count(.within(\.status, [.active])) == 12)
        #expect(try count(.between(\.age, 18...30)) == 13)
        #expect(try count(.between(\.age, 18..<30)) == 12)
        #expect(try count(.between(\.age, 30, 18)) == 0)
        #expect(try count(\.email == nil) == 9)
        #expect(try count(\.email != nil) == 51)
        #expect(try count(\.email == "3@x") == 1)
        #expect(try count(.string(\.lastName, contains: "ALL")) == 30)
        #expect(try count(.string(\.lastName, contains: "ALL", caseSensitive: true)) == 0)
        #expect(try count(.string(\.lastName, hasSuffix: "RG")) == 30)
        #expect(try count(.string(\.lastName, notHasPrefix: "d")) == 30)
        #expect(try count(.string(\.email, notContains: "@")) == 9)
        #expect(try count(.regex(\.lastName) { /^D.l+as$/ }) == 30)
        #expect(try count(.regex(\.email) { /^[0-9]@/ }) == 8)
        #expect(try count(.not(\.age == 3)) == 59)
    }

    @Test func aQueryForKeys_continuesWithFilters() throws {
        let some = Customer.query(id: .lessThan(10))
        #expect(try some.filter(\.level > 6).resolve(in: store).map(\.id) == [9, 8, 7])
        #expect(try some.sorted(by: \.lastName).resolve(in: store).map(\.id) == [0, 2, 4, 6, 8, 1, 3, 5, 7, 9])
        #expect(try some.limit(4).offset(1).resolve(in: store).map(\.id) == [8, 7, 6, 5])
        #expect(try some.after(key: 5).filter(.everything).resolve(in: store).map(\.id) == [4, 3, 2, 1, 0])
        #expect(try some.filter(\.id > 4).or(\.id == 50).resolve(in: store).map(\.id) == [9, 8, 7, 6, 5])
        #expect(try Customer.query(id: .within([3, 5])).filter(\.id != 3).count(in: store) == 1)
    }

    @Test func alternativeSpellings_giveWhatTheCoreGives() throws {
        let (keys, query) = (Customer.query(id: .lessThan(10)), Customer.filter(\.age < 10).sorted(by: \.level.desc))
        #expect(try keys.select(in: store) == keys.resolve(in: store))
        #expect(try query.select(in: store) == query.resolve(in: store))
        try store.read { context in
            let (selected, expected) = (try context.select(query: keys), try keys.resolve(in: context))
            #expect(selected == expected && selected.count == 10)
            let ids = try query.resolve(in: context).map(\.id)
            #expect(ids == (0..<10).reversed())
        }
        let (old, ruby): (Filter<Customer>, Filter<Customer>) = (\.age > 30, \.firstName == "Ruby")
        #expect("\(old.filter(ruby))" == "\(old.and(ruby))")
        #expect("\(old.or(.filter(ruby)))" == "\(old.or(ruby))")
        #expect("\(old.or(.filter(ruby, in: store)))" == "\(old.or(ruby))")
        #expect(try store.withTransaction { try Customer.query(in: $0).delete() } == users.count)
    }

    @Test func sorts_canBeMadeByHand() throws {
        let path: KeyPath<Customer, Int> = \.level
        let query = Customer.filter(\.age < 12).sorted(by: [SortKey(path).desc, SortKey(\Customer.firstName)])
        #expect(try query.resolve(in: store).map(\.id).prefix(4) == [9, 8, 7, 6])
        #expect(
            try query.sorted(by: [SortKey(path).desc.desc]).resolve(in: store).map(\.id).prefix(4) == [0, 10, 1, 11])
    }

    @Test func whatIsNotStored_isRefusedWhenItIsRun() throws {
        let queries = [
            Customer.filter(\.name == "Korben Dallas"), Customer.filter(\.age == 3).or(\.name != ""),
            Customer.filter(.string(\.name, contains: "x")), Customer.filter(.not(.regex(\.name) { /x/ })),
            Customer.filter(\.lastName.count > 3), Customer.filter(.everything).sorted(by: \.name),
            Customer.query(id: 3).sorted(by: \.age, \.name.desc), Customer.filter(.within(\.name, ["a"])),
        ]
        for query in queries {
            #expect(throws: StoreError.self) { try query.resolve(in: store) }
            #expect(throws: StoreError.self) { try query.count(in: store) }
            #expect(throws: StoreError.self) { try query.delete(in: store) }
            #expect(throws: StoreError.self) { try query.explain(in: store) }
            guard case .query(.notStored(type: "Customer", _)) = storeError({ try query.first(in: store) }) else {
                Issue.record("\(query)")
                continue
            }
        }
        let error = storeError { try Customer.filter(.everything).select(\.name).resolve(in: store) }
        guard case .query(.notStored)? = error else {
            Issue.record("a projection")
            return
        }
        #expect(try Customer.query().count(in: store) == users.count)
    }

    @Test func unknownTypes_areEmpty() throws {
        let store = try Store.temporary()
        let query = Customer.filter(\.age > 3).sorted(by: \.age)
        #expect(try query.resolve(in: store).isEmpty)
        #expect(try query.count(in: store) == 0)
        #expect(try query.delete(in: store) == 0)
        #expect(try query.update(in: store) { $0.age = 1 } == 0)
        #expect(try query.min(of: \.age).resolve(in: store) == nil)
        #expect(try query.explain(in: store).hasSuffix("entries to read: 0"))
    }
}
