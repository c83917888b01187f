// Queries, stores and schemas as text: what a person would write.

import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("lastName", "firstName")
private struct Customer: Hashable {
    enum Status: String, KeyComponent { case active, invited }

    #Index<Customer>(\.age)

    let lastName: String
    let firstName: String
    var age: Int
    var status: Status
    var note: String?
}

@IndexKeyRecord("id")
private struct Visit {
    enum State: String, KeyComponent { case open, done }

    let id: UUID
    var at: Date
    var state: State?
    var tags: [State]
}

@IndexKeyRecord(keyPrefix: 6_400_001, fieldsVersion: 3, "number")
private struct Chair { let number: Int }

@Suite("Queries as text") struct QueryDescriptionTests {
    private func expect(_ query: some CustomStringConvertible, _ text: String) {
        #expect(query.description == text)
    }

    @Test func aQuery_isPrintedAsItIsWritten() {
        expect(
            Customer.filter(\.age > 3).sorted(by: \.lastName, \.age.desc).offset(4).limit(20),
            #"Customer.filter(\.age > 3).sorted(by: \.lastName, \.age.desc).offset(4).limit(20)"#)
        expect(
            Customer.filter(\.age >= 18).filter(\.status == .active).filter(\.note == nil),
            #"Customer.filter(\.age >= 18).filter(\.status == .active).filter(\.note == nil)"#)
        expect(
            Customer.filter(\.age < 3).or(\.lastName != "D\"").and(\.note == "x"),
            #"Customer.filter(\.age < 3 || \.lastName != "D\"").filter(\.note == "x")"#)
        let filter: Filter<Customer> = \.age < 3
        expect(
            Customer.filter(.not(filter.and(\.age > 1))).or(filter.and(\.age == 0)),
            #"Customer.filter(.not(\.age < 3 && \.age > 1) || (\.age < 3 && \.age == 0))"#)
        expect(
            Customer.filter(.between(\.age, 1...3)).filter(.between(\.age, 1..<3)).filter(
                .within(\.lastName, ["a", "b"])),
            #"Customer.filter(.between(\.age, 1, 3)).filter(.between(\.age, 1..<3)).filter(.within(\.lastName, ["a", "b"]))"#
        )
        expect(
            Customer.filter(.string(\.note, contains: "x")).filter(
                .string(\.lastName, hasPrefix: "D", caseSensitive: true)),
            #"Customer.filter(.string(\.note, contains: "x")).filter(.string(\.lastName, hasPrefix: "D", caseSensitive: true))"#
        )
        expect(Customer.filter(.regex(\.note) { /a+/ }), #"Customer.filter(.regex(\.note) { … })"#)
        expect(Customer.filter(.everything), "Customer.query()")
        expect(Query<Customer>(), "Customer.query()")
        expect(Query<Customer>().sorted(by: \.age), #"Customer.query().sorted(by: \.age)"#)
    }

    @Test func values_arePrintedAsSwift_andInPlansBriefly() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1.5)
        let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))
        expect(
            Visit.filter(\.state == .open).filter(\.state != nil),
            #"Visit.filter(\.state == .open).filter(\.state != nil)"#)
        expect(Visit.filter(.within(\.state, [.open, nil])), #"Visit.filter(.within(\.state, [.open, nil]))"#)
        expect(Visit.filter(.between(\.state, .done, .open)), #"Visit.filter(.between(\.state, .done, .open))"#)
        expect(Visit.filter(.contains(\.tags, .done)), #"Visit.filter(.contains(\.tags, .done))"#)
        expect(
            Visit.filter(.contains(\.tags, anyOf: [.done, .open])),
            #"Visit.filter(.contains(\.tags, anyOf: [.done, .open]))"#)
        expect(
            Visit.filter(\.at > date).filter(.between(\.at, date, date)),
            #"Visit.filter(\.at > Date(timeIntervalSinceReferenceDate: 1.5)).filter(.between(\.at, Date(timeIntervalSinceReferenceDate: 1.5), Date(timeIntervalSinceReferenceDate: 1.5)))"#
        )
        expect(
            Visit.filter(\.id == id),
            #"Visit.filter(\.id == UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!)"#)
        let plan = try Visit.filter(\.at > date && \.state == .open && .contains(\.tags, .done))
            .explain(in: Store.temporary())
        for words in ["at > 2001-01-01T00:00:01.5Z", "state == open", "tags contains done"] {
            #expect(plan.contains(words), "\(plan)")
        }
    }

    @Test func aQueryForKeys_isPrintedAsItIsWritten() {
        expect(Customer.query(), "Customer.query()")
        expect(Customer.query(lastName: "Dallas"), #"Customer.query(lastName: "Dallas")"#)
        expect(
            Customer.query(lastName: "Dallas", firstName: "Korben").limit(10),
            #"Customer.query(lastName: "Dallas", firstName: "Korben").limit(10)"#)
        expect(
            Customer.query(lastName: "Dallas", firstName: .lessThan("Ruby")),
            #"Customer.query(lastName: "Dallas", firstName: .lessThan("Ruby"))"#)
        expect(
            Customer.query(lastName: "Dallas", firstName: .lessThanOrEqual("Ruby")).order(.ascending),
            #"Customer.query(lastName: "Dallas", firstName: .lessThanOrEqual("Ruby")).order(.ascending)"#)
        expect(Customer.query(lastName: .greaterThan("D")), #"Customer.query(lastName: .greaterThan("D"))"#)
        expect(
            Customer.query(lastName: "D", firstName: .greaterThanOrEqual("E")).order(.descending),
            #"Customer.query(lastName: "D", firstName: .greaterThanOrEqual("E")).order(.descending)"#)
        expect(Customer.query(lastName: .hasPrefix("Da")), #"Customer.query(lastName: .hasPrefix("Da"))"#)
        expect(
            Customer.query(lastName: .range("a"..<"c")), #"Customer.query(lastName: .range(from: "a", upTo: "c"))"#)
        expect(
            Customer.query(lastName: "a", firstName: .closedRange("a"..."c")),
            #"Customer.query(lastName: "a", firstName: .closedRange(from: "a", through: "c"))"#)
        expect(
            Customer.query(lastName: "a", firstName: .within(["x", "y"])),
            #"Customer.query(lastName: "a", firstName: .within(["x", "y"]))"#)
        expect(Customer.query().order(.descending), "Customer.query().order(.descending)")
        expect(
            Customer.query().after(key: Tuple("Dallas", "Korben")),
            #"Customer.query().after(key: Tuple("Dallas", "Korben"))"#)
        expect(Chair.query().limit(3).after(key: 4), "Chair.query().limit(3).after(key: 4)")
        expect(
            Customer.query(lastName: "Dallas").filter(\.age > 3).limit(2),
            #"Customer.query(lastName: "Dallas").filter(\.age > 3).limit(2)"#)
        expect(Customer.query(Tuple("Dallas", "Korben")), #"Customer.query(Tuple("Dallas", "Korben"))"#)
        expect(Chair.query(5), "Chair.query(5)")
    }

    /// A printed comparison has the meaning of the query, though perhaps another name.
    @Test func randomComparisons_ofNumbers_arePrintedWithTheirMeaning() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let edges = [Int.min, -256, -1, 0, 1, 254, 255, 256, 65535, Int.max]
        let store = try Store.temporary()
        try store.insert(contentsOf: edges.map { Chair(number: $0) })
        for _ in 0..<300 {
            let (a, b) = (edges.randomElement(using: &random) ?? 0, edges.randomElement(using: &random) ?? 0)
            let all: [ComparisonOperator<Int>] = [
                .greaterThan(a), .greaterThanOrEqual(a), .lessThan(a), .lessThanOrEqual(a), .equals(a),
                .range(from: a, upTo: b), .closedRange(from: a, through: b), .within([a, b]),
            ]
            let comparison = all.randomElement(using: &random) ?? .equals(a)
            let query = Chair.query(number: comparison)
            let found = Set(try query.keys(in: store))
            guard let read = meaning(of: query.description, among: edges) else {
                let isAll = query.description.hasPrefix("Chair.query()") && found.count == edges.count
                #expect(found.isEmpty || isAll, "\(query), \(comparison), \(comment)")
                continue
            }
            #expect(read == found, "\(query), \(comparison), \(comment)")
        }
    }

    /// Returns the numbers that a printed query finds; nil for another text.
    private func meaning(of text: String, among numbers: [Int]) -> Set<Int>? {
        guard let argument = text.wholeMatch(of: /Chair\.query\(number: (.*?)\)(?:\.order\(.*\))?/)?.output.1 else {
            return nil
        }
        let values = argument.matches(of: /-?[0-9]+/).compactMap { Int($0.output) }
        guard let first = values.first, let last = values.last else { return nil }
        let matches: (Int) -> Bool =
            switch argument.prefix(while: { $0 != "(" }) {
            case ".greaterThan": { $0 > first }
            case ".greaterThanOrEqual": { $0 >= first }
            case ".lessThan": { $0 < first }
            case ".lessThanOrEqual": { $0 <= first }
            case ".range": { $0 >= first && $0 < last }
            case ".closedRange": { $0 >= first && $0 <= last }
            default: { values.contains($0) }
            }
        return Set(numbers.filter(matches))
    }

    @Test func aStore_isPrintedAsItIsOpened() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("a.trove"), records: [Customer.self, Chair.self])
        expect(store, "Store(path: \"\(store.path)\", records: [Customer.self, Chair.self])")
        let reader = try Store(path: store.path, options: StoreOptions(isReadOnly: true))
        expect(reader, "Store(path: \"\(store.path)\", options: StoreOptions(isReadOnly: true))")
        expect(try Store.temporary(), "Store.temporary()")
    }

    @Test func aSchema_isPrintedAsItIsDeclared() {
        expect(
            Customer.schema,
            """
            @IndexKeyRecord("lastName", "firstName")
            struct Customer {
                // index(age)

                lastName: String
                firstName: String
                age: Int64
                status: enum<String>
                note: String?
            }
            """)
        expect(
            Chair.schema,
            """
            @IndexKeyRecord(keyPrefix: 6400001, fieldsVersion: 3, "number")
            struct Chair {
                number: Int64
            }
            """)
    }
}
