// An index of four properties: the order of its entries, and queries on one to four leading properties, compared with
// sorts and filters of an array.

import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Consignment: Hashable {
    #Index<Consignment>(\.city, \.weight.desc, \.carrier, \.sent)

    let id: Int
    var city: String
    var weight: Int
    var carrier: String?
    var sent: Double
}

@Suite("An index of four properties") struct FourPropertyIndexTests {
    private let store: Store
    private let parcels: [Consignment]
    private let comment: Comment
    private var generator: SeededGenerator
    private static let index = "index(city,weight desc,carrier,sent)"

    private static let cities = ["", "a", "a\0", "ab", "b", "é"]
    private static let carriers: [String?] = [nil, "", "post", "rail"]
    private static let times = [-1.5, 0, 0.25, 7]

    init() throws {
        let seed: UInt64
        (generator, seed) = SeededGenerator.fromEnvironment()
        comment = "TROVE_TEST_SEED=\(seed)"
        store = try Store.temporary(records: [Consignment.self])
        var parcels: [Int: Consignment] = [:]
        // Some of the ids repeat, so that some entries are replaced.
        for _ in 0..<900 {
            let parcel = Self.parcel(using: &generator)
            parcels[parcel.id] = parcel
            try store.insert(parcel)
        }
        self.parcels = parcels.values.sorted(by: Self.isBefore)
    }

    private static func parcel(using generator: inout SeededGenerator) -> Consignment {
        Consignment(
            id: Int.random(in: -400..<400, using: &generator), city: cities.randomElement(using: &generator) ?? "",
            weight: Int.random(in: -2...2, using: &generator),
            carrier: carriers.randomElement(using: &generator) ?? nil,
            sent: times.randomElement(using: &generator) ?? 0)
    }

    /// Compares property by property, and at last the ids.
    private static func isBefore(_ left: Consignment, _ right: Consignment) -> Bool {
        if left.city != right.city { return left.city.utf8.lexicographicallyPrecedes(right.city.utf8) }
        if left.weight != right.weight { return left.weight > right.weight }
        if left.carrier != right.carrier {
            guard let first = left.carrier else { return true }
            guard let second = right.carrier else { return false }
            return first.utf8.lexicographicallyPrecedes(second.utf8)
        }
        if left.sent != right.sent { return left.sent < right.sent }
        return left.id < right.id
    }

    @Test func theEntries_areInTheOrderOfASort() throws {
        let entries = try store.entries(of: store.storedIndex(Consignment.keyPrefix, Self.index))
        #expect(entries.map { Array($0.key.suffix(8)) } == parcels.map { KeyWriter.bytes(of: $0.indexKey) }, comment)
        let sorted = Consignment.query().sorted(by: \.city, \.weight.desc, \.carrier, \.sent)
        #expect(try sorted.resolve(in: store) == parcels, comment)
        #expect(try store.check() == [], comment)
    }

    /// Each query is a single range of the index: the properties before the last are fixed, the last has a bound.
    @Test mutating func leadingProperties_findWhatAFilterFinds() throws {
        for _ in 0..<60 {
            let wanted = parcels.randomElement(using: &generator) ?? Self.parcel(using: &generator)
            let other = Self.parcel(using: &generator)
            for length in 1...4 {
                var filter: Filter<Consignment> = \.city == wanted.city
                var expected = parcels.filter { $0.city == wanted.city }
                if length > 1 {
                    filter = filter.and(\.weight == wanted.weight)
                    expected = expected.filter { $0.weight == wanted.weight }
                }
                if length > 2 {
                    filter = filter.and(\.carrier == wanted.carrier)
                    expected = expected.filter { $0.carrier == wanted.carrier }
                }
                if length > 3 {
                    filter = filter.and(\.sent == wanted.sent)
                    expected = expected.filter { $0.sent == wanted.sent }
                }
                try check(Consignment.filter(filter), expected)
                switch length {
                case 1:
                    try check(
                        Consignment.filter(filter).filter(\.weight < other.weight),
                        expected.filter { $0.weight < other.weight }
                    )
                case 2:
                    try check(Consignment.filter(filter).and(\.carrier != nil), expected.filter { $0.carrier != nil })
                case 3:
                    try check(
                        Consignment.filter(filter).filter(\.sent >= other.sent),
                        expected.filter { $0.sent >= other.sent })
                default: break
                }
            }
        }
    }

    private func check(_ query: Query<Consignment>, _ expected: [Consignment]) throws {
        // An order that the index gives, so that the planner chooses the index for unselective filters too.
        let sorted = query.sorted(by: \.city, \.weight.desc, \.carrier, \.sent)
        let plan = try sorted.explain(in: store)
        #expect(plan.hasPrefix("scan \(Self.index) of Consignment, 1 range"), comment)
        #expect(!plan.contains("filter:") && !plan.contains("sorted"), "\(plan)\n\(comment)")
        #expect(try sorted.resolve(in: store) == expected, comment)
        #expect(try Set(query.resolve(in: store)) == Set(expected), comment)
        #expect(try query.count(in: store) == expected.count, comment)
    }
}
