// A record with a property of every kind, and the expected results of queries, computed without any bytes.

import Foundation
import Trove
import TroveTestSupport

@IndexKeyRecord("group", "name")
struct Item: Hashable {
    enum Status: String, Codable { case draft, active, done }
    enum Rank: Int, KeyComponent, Comparable {
        case low = -1
        case middle = 0
        case high = 7

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }
    @RecordValue struct Place: Hashable {
        var city: String
        var floor: Int?
    }
    @RecordValue enum Shape: Hashable {
        case point
        case circle(radius: Double)
        case box(Int, Int)
    }
    struct Note: Codable, Hashable { var text: String }

    let group: Int
    let name: String
    var age: Int
    var size: UInt8
    var score: Double
    var level: Int?
    var email: String?
    var isCurrent: Bool
    var day: Date
    var tag: UUID
    var data: Data
    var rank: Rank
    var status: Status
    var mood: Status?
    var place: Place
    var home: Place?
    var shape: Shape
    var note: Note
    var list: [Int]

    var doubled: Int { age * 2 }
}

extension Item {
    /// Strings that differ in case, in length, only in spelling, and in bytes that a key escapes.
    static let strings = [
        "", "a", "A", "ab", "aB\u{0}", "b\u{1}", "al", "Alma", "é", "e\u{301}", "z", "zoë and others",
    ]
    static let scores = [0.0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan, 3]
    static let places = [Place(city: "Oslo"), Place(city: "Oslo", floor: 1), Place(city: "Rome", floor: 1)]
    static let shapes: [Shape] = [.point, .circle(radius: 1), .circle(radius: 2), .box(1, 2), .box(2, 1)]
    static let days = [-1.0, 0, 0.5, 1_000].map(Date.init(timeIntervalSinceReferenceDate:))
    static let tags = (0..<4).map { UUID(uuid: (0, $0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255 - $0)) }
    static let statuses: [Status] = [.draft, .active, .done]
    static let ranks: [Rank] = [.low, .middle, .high]

    static func sample(group: Int, name: String, using generator: inout SeededGenerator) -> Item {
        Item(
            group: group, name: name, age: .random(in: -2...6, using: &generator),
            size: [0, 1, 127, 128, 255].sample(&generator), score: scores.sample(&generator),
            level: [nil, -1, 0, 1].sample(&generator), email: ([nil] + strings).sample(&generator),
            isCurrent: .random(using: &generator), day: days.sample(&generator), tag: tags.sample(&generator),
            data: Data(strings.sample(&generator).utf8), rank: ranks.sample(&generator),
            status: statuses.sample(&generator), mood: ([nil] + statuses).sample(&generator),
            place: places.sample(&generator), home: ([nil] + places).sample(&generator),
            shape: shapes.sample(&generator), note: Note(text: strings.sample(&generator)),
            list: [[], [1], [1, 2]].sample(&generator))
    }

    /// Returns items in the order of their keys.
    static func samples(using generator: inout SeededGenerator) -> [Item] {
        (-2..<3).flatMap { group in
            strings.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { name in
                sample(group: group, name: name, using: &generator)
            }
        }
    }
}

extension Array {
    func sample(_ generator: inout SeededGenerator) -> Element { self[Int.random(in: indices, using: &generator)] }
}

// MARK: The expected order

/// A property with an order: its sort key, and a comparison of two items by its values.
struct OrderedProperty: Sendable {
    let name: String
    let key: SortKey<Item>
    let isIncreasing: @Sendable (Item, Item) -> Bool
}

/// A value whose order is defined without its bytes.
protocol Ordered: KeyComponent {
    func sorts(before other: Self) -> Bool

    /// Whether the value is nil: then no comparison by order matches. By default false.
    var isNone: Bool { get }
}

extension Ordered {
    var isNone: Bool { false }
}

extension Ordered where Self: Comparable {
    func sorts(before other: Self) -> Bool { self < other }
}

extension Int: Ordered {}
extension UInt8: Ordered {}
extension Date: Ordered {}
extension Item.Rank: Ordered {}
extension Bool: Ordered { func sorts(before other: Bool) -> Bool { !self && other } }
extension String: Ordered {
    func sorts(before other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
extension Data: Ordered { func sorts(before other: Data) -> Bool { lexicographicallyPrecedes(other) } }
extension UUID: Ordered { func sorts(before other: UUID) -> Bool { uuidString < other.uuidString } }
extension Double: Ordered {
    func sorts(before other: Double) -> Bool { isNaN ? false : other.isNaN || self < other }
}
extension Optional: Ordered where Wrapped: Ordered {
    func sorts(before other: Wrapped?) -> Bool {
        guard let other else { return false }
        return map { $0.sorts(before: other) } ?? true
    }

    var isNone: Bool { map(\.isNone) ?? true }
}

// MARK: Filters and their expected meaning

/// A filter with its expected meaning.
struct Meaning {
    var filter: Filter<Item>
    var holds: (Item) -> Bool

    init(_ filter: Filter<Item>, _ holds: @escaping (Item) -> Bool) {
        self.filter = filter
        self.holds = holds
    }

    /// Returns every comparison of a property with an order.
    static func comparisons<Value: Ordered>(
        _ property: KeyPath<Item, Value>, _ values: [Value], using generator: inout SeededGenerator
    ) -> [Meaning] {
        let (value, other) = (values.sample(&generator), values.sample(&generator))
        func isSame(_ left: Value, _ right: Value) -> Bool {
            !left.sorts(before: right) && !right.sorts(before: left)
        }
        /// A comparison by order with nil is false.
        func byOrder(_ filter: Filter<Item>, _ bounds: [Value], _ holds: @escaping (Value) -> Bool) -> Meaning {
            Meaning(filter) { item in
                let found = item[keyPath: property]
                return !found.isNone && !bounds.contains(where: \.isNone) && holds(found)
            }
        }
        return [
            Meaning(property == value) { isSame($0[keyPath: property], value) },
            Meaning(property != value) { !isSame($0[keyPath: property], value) },
            byOrder(property < value, [value]) { $0.sorts(before: value) },
            byOrder(property <= value, [value]) { !value.sorts(before: $0) },
            byOrder(property > value, [value]) { value.sorts(before: $0) },
            byOrder(property >= value, [value]) { !$0.sorts(before: value) },
            byOrder(.between(property, value, other), [value, other]) {
                !$0.sorts(before: value) && !other.sorts(before: $0)
            },
            Meaning(.within(property, [value, other, value])) {
                isSame($0[keyPath: property], value) || isSame($0[keyPath: property], other)
            },
            Meaning(.within(property, [])) { _ in false },
        ]
    }

    /// Returns every comparison of a property without an order.
    static func equalities<Value: Hashable & Sendable>(
        _ property: KeyPath<Item, Value>, _ values: [Value], using generator: inout SeededGenerator
    ) -> [Meaning] {
        let (value, other) = (values.sample(&generator), values.sample(&generator))
        return [
            Meaning(property == value) { $0[keyPath: property] == value },
            Meaning(property != value) { $0[keyPath: property] != value },
            Meaning(.within(property, [value, other])) { [value, other].contains($0[keyPath: property]) },
        ]
    }

    /// Returns every string test, on an optional string.
    static func strings(_ values: [String], using generator: inout SeededGenerator) -> [Meaning] {
        let part = values.sample(&generator)
        return [false, true].flatMap { isSensitive in
            func test(_ string: String?, _ body: ([UInt8], [UInt8]) -> Bool) -> Bool {
                guard let string else { return false }
                return isSensitive
                    ? body(Array(string.utf8), Array(part.utf8))
                    : body(Array(string.lowercased().utf8), Array(part.lowercased().utf8))
            }
            func contains(_ string: String?) -> Bool {
                test(string) { text, part in
                    text.indices.contains { text[$0...].starts(with: part) } || part.isEmpty
                }
            }
            func begins(_ string: String?) -> Bool { test(string) { $0.starts(with: $1) } }
            func ends(_ string: String?) -> Bool { test(string) { $0.reversed().starts(with: $1.reversed()) } }
            let short: [Meaning] =
                isSensitive
                ? [
                    Meaning(.contains(\.name, part)) { contains($0.name) },
                    Meaning(.contains(\.email, part)) { contains($0.email) },
                ] : []
            return short + [
                Meaning(.string(\.name, contains: part, caseSensitive: isSensitive)) { contains($0.name) },
                Meaning(.string(\.name, hasPrefix: part, caseSensitive: isSensitive)) { begins($0.name) },
                Meaning(.string(\.name, hasSuffix: part, caseSensitive: isSensitive)) { ends($0.name) },
                Meaning(.string(\.name, notContains: part, caseSensitive: isSensitive)) { !contains($0.name) },
                Meaning(.string(\.name, notHasPrefix: part, caseSensitive: isSensitive)) { !begins($0.name) },
                Meaning(.string(\.name, notHasSuffix: part, caseSensitive: isSensitive)) { !ends($0.name) },
                Meaning(.string(\.email, contains: part, caseSensitive: isSensitive)) { contains($0.email) },
                Meaning(.string(\.email, hasPrefix: part, caseSensitive: isSensitive)) { begins($0.email) },
                Meaning(.string(\.email, hasSuffix: part, caseSensitive: isSensitive)) { ends($0.email) },
                Meaning(.string(\.email, notContains: part, caseSensitive: isSensitive)) { !contains($0.email) },
                Meaning(.string(\.email, notHasPrefix: part, caseSensitive: isSensitive)) { !begins($0.email) },
                Meaning(.string(\.email, notHasSuffix: part, caseSensitive: isSensitive)) { !ends($0.email) },
            ]
        }
    }

    /// Returns every comparison of every property, with random values.
    static func all(using generator: inout SeededGenerator) -> [Meaning] {
        comparisons(\.group, Array(-3...3), using: &generator)
            + comparisons(\.name, Item.strings, using: &generator)
            + comparisons(\.age, Array(-3...7), using: &generator)
            + comparisons(\.size, [0, 1, 127, 128, 255], using: &generator)
            + comparisons(\.score, Item.scores, using: &generator)
            + comparisons(\.level, [nil, -1, 0, 1], using: &generator)
            + comparisons(\.email, [nil] + Item.strings, using: &generator)
            + comparisons(\.isCurrent, [false, true], using: &generator)
            + comparisons(\.day, Item.days, using: &generator)
            + comparisons(\.tag, Item.tags, using: &generator)
            + comparisons(\.data, Item.strings.map { Data($0.utf8) }, using: &generator)
            + comparisons(\.rank, Item.ranks, using: &generator)
            + equalities(\.status, Item.statuses, using: &generator)
            + equalities(\.mood, [nil] + Item.statuses, using: &generator)
            + equalities(\.place, Item.places, using: &generator)
            + equalities(\.home, [nil] + Item.places, using: &generator)
            + equalities(\.shape, Item.shapes, using: &generator)
            + equalities(\.note, [Item.Note(text: "a"), Item.Note(text: "A"), Item.Note(text: "")], using: &generator)
            + equalities(\.list, [[], [1], [1, 2], [2]], using: &generator)
            + strings(Item.strings, using: &generator)
    }

    /// Returns a random combination of filters.
    static func nested(depth: Int, _ leaves: [Meaning], using generator: inout SeededGenerator) -> Meaning {
        // A plan can use the key, so the key properties are more frequent.
        let leaf =
            Bool.random(using: &generator) ? leaves.sample(&generator) : leaves[..<18].map(\.self).sample(&generator)
        guard depth > 0 else { return leaf }
        let other = nested(depth: depth - 1, leaves, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return Meaning(.not(other.filter)) { !other.holds($0) }
        case 1:
            let first = nested(depth: depth - 1, leaves, using: &generator)
            return Meaning(first.filter.or(other.filter)) { first.holds($0) || other.holds($0) }
        default: return Meaning(leaf.filter.and(other.filter)) { leaf.holds($0) && other.holds($0) }
        }
    }
}

extension OrderedProperty {
    static func of<Value: Ordered>(_ name: String, _ property: KeyPath<Item, Value> & Sendable) -> OrderedProperty {
        OrderedProperty(name: name, key: SortKey(property)) {
            $0[keyPath: property].sorts(before: $1[keyPath: property])
        }
    }

    static let all = [
        of("group", \.group), of("name", \.name), of("age", \.age), of("size", \.size), of("score", \.score),
        of("level", \.level), of("email", \.email), of("isCurrent", \.isCurrent), of("day", \.day), of("tag", \.tag),
        of("data", \.data), of("rank", \.rank),
    ]
}
