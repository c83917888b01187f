// Queries, stores and schemas as text: what a person would write.

import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("lastName", "firstName")
private struct Person: Hashable {
    enum Status: String, KeyComponent { case active, invited }

    #Index<Person>(\.age)

    let lastName: String
    let firstName: String
    var age: Int
    var status: Status
    var note: String?
}

@IndexKeyRecord(keyPrefix: 6_400_001, fieldsVersion: 3, "number")
private struct Seat { let number: Int }

@Suite("Queries as text") struct QueryDescriptionTests {
    private func expect(_ query: some CustomStringConvertible, _ text: String) {
        #expect(query.description == text)
    }

    @Test func aQuery_isPrintedAsItIsWritten() {
        expect(
            Person.filter(\.age > 3).sorted(by: \.lastName, \.age.desc).offset(4).limit(20),
            #"Person.filter(\.age > 3).sorted(by: \.lastName, \.age.desc).offset(4).limit(20)"#)
        expect(
            Person.filter(\.age >= 18).and(\.status == .active).and(\.note == nil),
            #"Person.filter(\.age >= 18).filter(\.status == .active).filter(\.note == nil)"#)
        expect(
            Person.filter(\.age < 3).or(\.lastName != "D\"").and(\.note == "x"),
            #"Person.filter(\.age < 3 || \.lastName != "D\"").filter(\.note == "x")"#)
        let filter: Filter<Person> = \.age < 3
        expect(
            Person.filter(.not(filter.and(\.age > 1))).or(filter.and(\.age == 0)),
            #"Person.filter(.not(\.age < 3 && \.age > 1) || (\.age < 3 && \.age == 0))"#)
        expect(
            Person.filter(.between(\.age, 1...3)).and(.between(\.age, 1..<3)).and(.within(\.lastName, ["a", "b"])),
            #"Person.filter(.between(\.age, 1, 3)).filter(.between(\.age, 1..<3)).filter(.within(\.lastName, ["a", "b"]))"#
        )
        expect(
            Person.filter(.string(\.note, contains: "x")).and(.string(\.lastName, hasPrefix: "D", caseSensitive: true)),
            #"Person.filter(.string(\.note, contains: "x")).filter(.string(\.lastName, hasPrefix: "D", caseSensitive: true))"#
        )
        expect(Person.filter(.regex(\.note) { /a+/ }), #"Person.filter(.regex(\.note) { … })"#)
        expect(Person.filter(.everything), "Person.query()")
        expect(Query<Person>(), "Person.query()")
        expect(Query<Person>().sorted(by: \.age), #"Person.query().sorted(by: \.age)"#)
    }

    @Test func aKeyQuery_isPrintedAsItIsWritten() {
        expect(Person.query(), "Person.query()")
        expect(Person.query(lastName: "Dallas"), #"Person.query(lastName: "Dallas")"#)
        expect(
            Person.query(lastName: "Dallas", firstName: "Korben").limit(10),
            #"Person.query(lastName: "Dallas", firstName: "Korben").limit(10)"#)
        expect(
            Person.query(lastName: "Dallas", firstName: .lessThan("Ruby")),
            #"Person.query(lastName: "Dallas", firstName: .lessThan("Ruby"))"#)
        expect(
            Person.query(lastName: "Dallas", firstName: .lessThanOrEqual("Ruby")).order(.ascending),
            #"Person.query(lastName: "Dallas", firstName: .lessThanOrEqual("Ruby")).order(.ascending)"#)
        expect(Person.query(lastName: .greaterThan("D")), #"Person.query(lastName: .greaterThan("D"))"#)
        expect(
            Person.query(lastName: "D", firstName: .greaterThanOrEqual("E")).order(.descending),
            #"Person.query(lastName: "D", firstName: .greaterThanOrEqual("E")).order(.descending)"#)
        expect(Person.query(lastName: .hasPrefix("Da")), #"Person.query(lastName: .hasPrefix("Da"))"#)
        expect(
            Person.query(lastName: .range("a"..<"c")), #"Person.query(lastName: .range(from: "a", upTo: "c"))"#)
        expect(
            Person.query(lastName: "a", firstName: .closedRange("a"..."c")),
            #"Person.query(lastName: "a", firstName: .closedRange(from: "a", through: "c"))"#)
        expect(
            Person.query(lastName: "a", firstName: .within(["x", "y"])),
            #"Person.query(lastName: "a", firstName: .within(["x", "y"]))"#)
        expect(Person.query().order(.descending), "Person.query().order(.descending)")
        expect(
            Person.query().after(Tuple("Dallas", "Korben")), #"Person.query().after(Tuple("Dallas", "Korben"))"#)
        expect(Seat.query().limit(3).after(4), "Seat.query().limit(3).after(4)")
        expect(
            Person.query(lastName: "Dallas").filter(\.age > 3).limit(2),
            #"Person.query(lastName: "Dallas").filter(\.age > 3).limit(2)"#)
        expect(Person.query(Tuple("Dallas", "Korben")), #"Person.query(Tuple("Dallas", "Korben"))"#)
        expect(Seat.query(5), "Seat.query(5)")
    }

    /// A printed comparison has the meaning of the query, though perhaps another name.
    @Test func randomComparisons_ofNumbers_arePrintedWithTheirMeaning() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let edges = [Int.min, -256, -1, 0, 1, 254, 255, 256, 65535, Int.max]
        let store = try Store.temporary()
        try store.insert(contentsOf: edges.map { Seat(number: $0) })
        for _ in 0..<300 {
            let (a, b) = (edges.randomElement(using: &random) ?? 0, edges.randomElement(using: &random) ?? 0)
            let all: [ComparisonOperator<Int>] = [
                .greaterThan(a), .greaterThanOrEqual(a), .lessThan(a), .lessThanOrEqual(a), .equals(a),
                .range(from: a, upTo: b), .closedRange(from: a, through: b), .within([a, b]),
            ]
            let comparison = all.randomElement(using: &random) ?? .equals(a)
            let query = Seat.query(number: comparison)
            let found = Set(try query.keys(in: store))
            guard let read = meaning(of: query.description, among: edges) else {
                let isAll = query.description.hasPrefix("Seat.query()") && found.count == edges.count
                #expect(found.isEmpty || isAll, "\(query), \(comparison), \(comment)")
                continue
            }
            #expect(read == found, "\(query), \(comparison), \(comment)")
        }
    }

    /// Returns the numbers that a printed query finds; nil for another text.
    private func meaning(of text: String, among numbers: [Int]) -> Set<Int>? {
        guard let argument = text.wholeMatch(of: /Seat\.query\(number: (.*?)\)(?:\.order\(.*\))?/)?.output.1 else {
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
        let store = try Store(path: directory.path("a.trove"), records: [Person.self, Seat.self])
        expect(store, "Store(path: \"\(store.path)\", records: [Person.self, Seat.self])")
        let reader = try Store(path: store.path, options: StoreOptions(isReadOnly: true))
        expect(reader, "Store(path: \"\(store.path)\", options: StoreOptions(isReadOnly: true))")
        expect(try Store.temporary(), "Store.temporary()")
    }

    @Test func aSchema_isPrintedAsItIsDeclared() {
        expect(
            Person.schema,
            """
            @IndexKeyRecord("lastName", "firstName")
            struct Person {
                // index(age)

                lastName: String
                firstName: String
                age: Int64
                status: enum<String>
                note: String?
            }
            """)
        expect(
            Seat.schema,
            """
            @IndexKeyRecord(keyPrefix: 6400001, fieldsVersion: 3, "number")
            struct Seat {
                number: Int64
            }
            """)
    }
}
