// Two types with the same fields: the first with indexes for nearly all queries, the second without.

import Foundation
import Trove
import TroveTestSupport

/// The fields of both types. Expected results are computed from them.
struct TwinFields: Hashable {
    var group: Int
    var name: String
    var code: Int
    var age: Int
    var score: Double
    var level: Int?
    var email: String?
    var text: String
    var isOpen: Bool
    var rank: Item.Rank
    var place: Item.Place
    var home: Item.Place?
    var tags: [String]
    var marks: Set<Int>?
}

/// A type with the fields of ``TwinFields``.
protocol Twin: IndexKeyRecord where IndexKey == Tuple<Int, String> {
    var fields: TwinFields { get }
    static var properties: TwinProperties<Self> { get }
    init(_ fields: TwinFields)
}

/// The properties of a twin type, used to build filters and sort keys.
struct TwinProperties<Record> {
    var group: KeyPath<Record, Int>
    var name: KeyPath<Record, String>
    var code: KeyPath<Record, Int>
    var age: KeyPath<Record, Int>
    var score: KeyPath<Record, Double>
    var level: KeyPath<Record, Int?>
    var email: KeyPath<Record, String?>
    var text: KeyPath<Record, String>
    var isOpen: KeyPath<Record, Bool>
    var rank: KeyPath<Record, Item.Rank>
    var place: KeyPath<Record, Item.Place>
    var home: KeyPath<Record, Item.Place?>
    var tags: KeyPath<Record, [String]>
    var marks: KeyPath<Record, Set<Int>?>
}

@IndexKeyRecord("group", "name")
struct BareTwin: Twin {
    let group: Int
    let name: String
    var code: Int
    var age: Int
    var score: Double
    var level: Int?
    var email: String?
    var text: String
    var isOpen: Bool
    var rank: Item.Rank
    var place: Item.Place
    var home: Item.Place?
    var tags: [String]
    var marks: Set<Int>?
}

@IndexKeyRecord("group", "name")
struct IndexedTwin: Twin {
    #Index<IndexedTwin>(\.age)
    #Index<IndexedTwin>(\.age.desc, \.name)
    #Index<IndexedTwin>(\.level, \.score.desc)
    #Index<IndexedTwin>(\.text)
    #Index<IndexedTwin>(\.text.desc, \.age)
    #Index<IndexedTwin>(\.isOpen, \.rank)
    #Index<IndexedTwin>(\.rank.desc)
    #Index<IndexedTwin>(\.place)
    #Index<IndexedTwin>(\.home, \.age.desc)
    #Index<IndexedTwin>(\.score, where: { $0.isOpen })
    #Index<IndexedTwin>(\.tags.each)
    #Index<IndexedTwin>(\.tags.each, \.age.desc)
    #Index<IndexedTwin>(\.rank, \.marks.each, \.score)
    #Index<IndexedTwin>(\.marks.each, where: { $0.isOpen })
    #Unique<IndexedTwin>(\.code, collisions: .throw)
    #Unique<IndexedTwin>(\.email, collisions: .throw)
    #Unique<IndexedTwin>(\.level.desc, \.code, collisions: .throw)

    let group: Int
    let name: String
    var code: Int
    var age: Int
    var score: Double
    var level: Int?
    var email: String?
    var text: String
    var isOpen: Bool
    var rank: Item.Rank
    var place: Item.Place
    var home: Item.Place?
    var tags: [String]
    var marks: Set<Int>?
}

extension BareTwin {
    var fields: TwinFields {
        TwinFields(
            group: group, name: name, code: code, age: age, score: score, level: level, email: email, text: text,
            isOpen: isOpen, rank: rank, place: place, home: home, tags: tags, marks: marks)
    }

    init(_ fields: TwinFields) {
        self.init(
            group: fields.group, name: fields.name, code: fields.code, age: fields.age, score: fields.score,
            level: fields.level, email: fields.email, text: fields.text, isOpen: fields.isOpen, rank: fields.rank,
            place: fields.place, home: fields.home, tags: fields.tags, marks: fields.marks)
    }

    static var properties: TwinProperties<BareTwin> {
        TwinProperties(
            group: \.group, name: \.name, code: \.code, age: \.age, score: \.score, level: \.level, email: \.email,
            text: \.text, isOpen: \.isOpen, rank: \.rank, place: \.place, home: \.home, tags: \.tags,
            marks: \.marks)
    }
}

extension IndexedTwin {
    var fields: TwinFields {
        TwinFields(
            group: group, name: name, code: code, age: age, score: score, level: level, email: email, text: text,
            isOpen: isOpen, rank: rank, place: place, home: home, tags: tags, marks: marks)
    }

    init(_ fields: TwinFields) {
        self.init(
            group: fields.group, name: fields.name, code: fields.code, age: fields.age, score: fields.score,
            level: fields.level, email: fields.email, text: fields.text, isOpen: fields.isOpen, rank: fields.rank,
            place: fields.place, home: fields.home, tags: fields.tags, marks: fields.marks)
    }

    static var properties: TwinProperties<IndexedTwin> {
        TwinProperties(
            group: \.group, name: \.name, code: \.code, age: \.age, score: \.score, level: \.level, email: \.email,
            text: \.text, isOpen: \.isOpen, rank: \.rank, place: \.place, home: \.home, tags: \.tags,
            marks: \.marks)
    }
}

// MARK: At random

extension TwinFields {
    /// Strings whose entries are short, just short enough, just too long, and long. Some share a prefix of 494 bytes
    /// and more.
    static let texts: [String] =
        ["", "a", "a\u{0}", "b"]
        + [480, 493, 494, 500, 511, 600].flatMap { size in
            ["", "a", "z"].map { String(repeating: "n", count: size) + $0 }
        }

    /// Elements, most of them short. Two entries of long elements have the same head.
    static let tags = ["", "a", "a\u{0}", "b", "c", "d", "e", texts[13], texts[14]]

    /// Returns fields in the order of their keys.
    static func samples(_ count: Int, using generator: inout SeededGenerator) -> [TwinFields] {
        (0..<count).map { number in
            TwinFields(
                group: number / 20 - 3, name: String(UnicodeScalar(UInt8(97 + number % 20))), code: number * 7 % count,
                age: .random(in: 0...5, using: &generator), score: Item.scores.sample(&generator),
                level: [nil, -1, 0, 1].sample(&generator),
                email: Bool.random(using: &generator) ? nil : "\(number * 11 % count)@example.com",
                text: texts.sample(&generator), isOpen: .random(using: &generator),
                rank: Item.ranks.sample(&generator), place: Item.places.sample(&generator),
                home: ([nil] + Item.places).sample(&generator),
                tags: (0..<Int.random(in: 0...4, using: &generator)).map { _ in tags.sample(&generator) },
                marks: number % 5 == 0
                    ? nil : Set((0..<number % 4).map { _ in .random(in: 0...5, using: &generator) }))
        }
    }
}

/// A filter with the same meaning for either type.
indirect enum TwinFilter {
    enum Property: CaseIterable {
        case group, name, code, age, score, level, email, text, isOpen, rank, place, home, tags, marks
    }
    enum Comparison: CaseIterable {
        case equal, unequal, less, lessOrEqual, greater, greaterOrEqual, between, within
    }

    case condition(Property, Comparison, TwinFields, TwinFields)
    case and(TwinFilter, TwinFilter)
    case or(TwinFilter, TwinFilter)
    case not(TwinFilter)

    static func random(
        _ depth: Int, _ samples: [TwinFields], using generator: inout SeededGenerator
    ) -> TwinFilter {
        let choice = depth == 0 ? 0 : Int.random(in: 0..<10, using: &generator)
        switch choice {
        case 0..<3:
            // Indexes serve equality most often.
            let comparison: Comparison =
                Int.random(in: 0..<3, using: &generator) == 0
                ? Comparison.allCases.sample(&generator) : [.equal, .within, .between].sample(&generator)
            return .condition(
                Property.allCases.sample(&generator), comparison, samples.sample(&generator),
                samples.sample(&generator))
        case 3..<7: return .and(random(0, samples, using: &generator), random(depth - 1, samples, using: &generator))
        case 7, 8:
            return .or(
                random(depth - 1, samples, using: &generator), random(depth - 1, samples, using: &generator))
        default: return .not(random(depth - 1, samples, using: &generator))
        }
    }

    func filter<Record: Twin>(_ type: Record.Type) -> Filter<Record> {
        switch self {
        case .and(let left, let right): return left.filter(type) && right.filter(type)
        case .or(let left, let right): return left.filter(type) || right.filter(type)
        case .not(let filter): return !filter.filter(type)
        case .condition(.isOpen, .equal, let first, _):
            return first.isOpen ? Filter(Record.properties.isOpen) : !Record.properties.isOpen
        case .condition(let property, let comparison, let first, let second):
            func compare<Value: KeyComponent>(
                _ path: KeyPath<Record, Value>, _ value: KeyPath<TwinFields, Value>
            ) -> Filter<Record> {
                let (first, second) = (first[keyPath: value], second[keyPath: value])
                return switch comparison {
                case .equal: path == first
                case .unequal: path != first
                case .less: path < first
                case .lessOrEqual: path <= first
                case .greater: path > first
                case .greaterOrEqual: path >= first
                case .between: .between(path, first, second)
                case .within: .within(path, [first, second])
                }
            }
            func equate<Value: Sendable>(
                _ path: KeyPath<Record, Value>, _ value: KeyPath<TwinFields, Value>
            ) -> Filter<Record> {
                let (first, second) = (first[keyPath: value], second[keyPath: value])
                return switch comparison {
                case .unequal, .less, .greater: path != first
                case .within, .between: .within(path, [first, second])
                default: path == first
                }
            }
            func find<Value: ElementsProperty & Sendable>(
                _ path: KeyPath<Record, Value>, _ value: KeyPath<TwinFields, Value>
            ) -> Filter<Record> where Value.StoredElement: KeyComponent {
                let (whole, wanted) = (first[keyPath: value], Self.wanted(value, first, second))
                guard let element = wanted.first else { return .contains(path, anyOf: []) }
                return switch comparison {
                case .equal, .less, .greater: .contains(path, element)
                case .unequal: !.contains(path, element)
                case .within, .between: .contains(path, anyOf: wanted)
                case .lessOrEqual: path == whole
                case .greaterOrEqual: wanted.reduce(.everything) { $0 && .contains(path, $1) }
                }
            }
            let properties = Record.properties
            return switch property {
            case .group: compare(properties.group, \.group)
            case .name: compare(properties.name, \.name)
            case .code: compare(properties.code, \.code)
            case .age: compare(properties.age, \.age)
            case .score: compare(properties.score, \.score)
            case .level: compare(properties.level, \.level)
            case .email: compare(properties.email, \.email)
            case .text: compare(properties.text, \.text)
            case .isOpen: compare(properties.isOpen, \.isOpen)
            case .rank: compare(properties.rank, \.rank)
            case .place: equate(properties.place, \.place)
            case .home: equate(properties.home, \.home)
            case .tags: find(properties.tags, \.tags)
            case .marks: find(properties.marks, \.marks)
            }
        }
    }

    func holds(_ fields: TwinFields) -> Bool {
        switch self {
        case .and(let left, let right): return left.holds(fields) && right.holds(fields)
        case .or(let left, let right): return left.holds(fields) || right.holds(fields)
        case .not(let filter): return !filter.holds(fields)
        case .condition(let property, let comparison, let first, let second):
            func compare<Value: Ordered>(_ path: KeyPath<TwinFields, Value>) -> Bool {
                let (value, first, second) = (fields[keyPath: path], first[keyPath: path], second[keyPath: path])
                func isSame(_ other: Value) -> Bool { !value.sorts(before: other) && !other.sorts(before: value) }
                /// A comparison by order with nil is false.
                let isOrdered = !value.isNone && !first.isNone
                return switch comparison {
                case .equal: isSame(first)
                case .unequal: !isSame(first)
                case .less: isOrdered && value.sorts(before: first)
                case .lessOrEqual: isOrdered && !first.sorts(before: value)
                case .greater: isOrdered && first.sorts(before: value)
                case .greaterOrEqual: isOrdered && !value.sorts(before: first)
                case .between:
                    isOrdered && !second.isNone && !value.sorts(before: first) && !second.sorts(before: value)
                case .within: isSame(first) || isSame(second)
                }
            }
            func equate<Value: Equatable>(_ path: KeyPath<TwinFields, Value>) -> Bool {
                let (value, first, second) = (fields[keyPath: path], first[keyPath: path], second[keyPath: path])
                return switch comparison {
                case .unequal, .less, .greater: value != first
                case .within, .between: value == first || value == second
                default: value == first
                }
            }
            func find<Value: ElementsProperty & Equatable>(_ path: KeyPath<TwinFields, Value>) -> Bool
            where Value.StoredElement: KeyComponent {
                let (value, wanted) = (fields[keyPath: path], Self.wanted(path, first, second))
                let elements = Value._elements(of: value).map { Array($0) } ?? []
                guard let element = wanted.first else { return false }
                return switch comparison {
                case .equal, .less, .greater: elements.contains(element)
                case .unequal: !elements.contains(element)
                case .within, .between: elements.contains(where: wanted.contains)
                case .lessOrEqual: value == first[keyPath: path]
                case .greaterOrEqual: wanted.allSatisfy(elements.contains)
                }
            }
            return switch property {
            case .group: compare(\.group)
            case .name: compare(\.name)
            case .code: compare(\.code)
            case .age: compare(\.age)
            case .score: compare(\.score)
            case .level: compare(\.level)
            case .email: compare(\.email)
            case .text: compare(\.text)
            case .isOpen: compare(\.isOpen)
            case .rank: compare(\.rank)
            case .place: equate(\.place)
            case .home: equate(\.home)
            case .tags: find(\.tags)
            case .marks: find(\.marks)
            }
        }
    }

    /// Returns the elements to find, in a fixed order.
    private static func wanted<Value: ElementsProperty>(
        _ path: KeyPath<TwinFields, Value>, _ first: TwinFields, _ second: TwinFields
    ) -> [Value.StoredElement] where Value.StoredElement: KeyComponent {
        [first, second].flatMap { fields in
            (Value._elements(of: fields[keyPath: path]).map { Array($0) } ?? [])
                .sorted { KeyWriter.bytes(of: $0).lexicographicallyPrecedes(KeyWriter.bytes(of: $1)) }.prefix(2)
        }
    }
}

/// An order with the same meaning for either type.
struct TwinOrder {
    var property: TwinFilter.Property
    var isDescending: Bool

    static func random(using generator: inout SeededGenerator) -> [TwinOrder] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            // The last four properties have no order.
            TwinOrder(
                property: TwinFilter.Property.allCases.dropLast(4).map(\.self).sample(&generator),
                isDescending: Bool.random(using: &generator))
        }
    }

    func key<Record: Twin>(_ type: Record.Type) -> SortKey<Record> {
        let properties = Record.properties
        let key =
            switch property {
            case .group: SortKey(properties.group)
            case .name: SortKey(properties.name)
            case .code: SortKey(properties.code)
            case .age: SortKey(properties.age)
            case .score: SortKey(properties.score)
            case .level: SortKey(properties.level)
            case .email: SortKey(properties.email)
            case .text: SortKey(properties.text)
            case .isOpen: SortKey(properties.isOpen)
            case .rank, .place, .home, .tags, .marks: SortKey(properties.rank)
            }
        return isDescending ? key.desc : key
    }

    /// Whether the first sorts before the second; nil if they are equal.
    func sorts(_ left: TwinFields, before right: TwinFields) -> Bool? {
        func compare<Value: Ordered>(_ path: KeyPath<TwinFields, Value>) -> Bool? {
            let (left, right) = (left[keyPath: path], right[keyPath: path])
            if left.sorts(before: right) { return !isDescending }
            return right.sorts(before: left) ? isDescending : nil
        }
        return switch property {
        case .group: compare(\.group)
        case .name: compare(\.name)
        case .code: compare(\.code)
        case .age: compare(\.age)
        case .score: compare(\.score)
        case .level: compare(\.level)
        case .email: compare(\.email)
        case .text: compare(\.text)
        case .isOpen: compare(\.isOpen)
        case .rank, .place, .home, .tags, .marks: compare(\.rank)
        }
    }
}
