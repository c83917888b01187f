// A record of any three key components, written by hand: a single test covers every combination of types.

import LMDB
import Trove
import TroveTestSupport

/// A key component with sample values, whose order is defined without its bytes.
protocol RowComponent: KeyComponent {
    static func sample(using generator: inout SeededGenerator) -> Self
    static func precedes(_ left: Self, _ right: Self) -> Bool
    /// Returns a comparison with a prefix; nil if the type has none.
    static func beginning(using generator: inout SeededGenerator) -> Condition<Self>?
    /// Whether the value, or the value that it wraps, is nil: then no comparison by order matches. By default false.
    var isNull: Bool { get }
}

extension RowComponent {
    static func isSame(_ left: Self, _ right: Self) -> Bool { !precedes(left, right) && !precedes(right, left) }
    static func beginning(using generator: inout SeededGenerator) -> Condition<Self>? { nil }
    var isNull: Bool { false }
}

extension RowComponent where Self: Comparable {
    static func precedes(_ left: Self, _ right: Self) -> Bool { left < right }
}

/// A comparison with its expected meaning.
struct Condition<Value: KeyComponent> {
    var comparison: ComparisonOperator<Value>
    var holds: (Value) -> Bool
}

extension RowComponent {
    static func condition(using generator: inout SeededGenerator) -> Condition<Self> {
        let value = sample(using: &generator)
        let other = sample(using: &generator)
        func byOrder(_ comparison: ComparisonOperator<Self>, _ holds: @escaping (Self) -> Bool) -> Condition<Self> {
            let bounds =
                switch comparison {
                case .range, .closedRange: [value, other]
                default: [value]
                }
            return Condition(comparison: comparison) { found in
                !found.isNull && !bounds.contains(where: \.isNull) && holds(found)
            }
        }
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return byOrder(.greaterThan(value)) { precedes(value, $0) }
        case 1: return byOrder(.greaterThanOrEqual(value)) { !precedes($0, value) }
        case 2: return byOrder(.lessThan(value)) { precedes($0, value) }
        case 3: return byOrder(.lessThanOrEqual(value)) { !precedes(value, $0) }
        case 4: return Condition(comparison: .equals(value)) { isSame($0, value) }
        case 5:
            return byOrder(.range(from: value, upTo: other)) {
                !precedes($0, value) && precedes($0, other)
            }
        case 6:
            return byOrder(.closedRange(from: value, through: other)) {
                !precedes($0, value) && !precedes(other, $0)
            }
        case 7:
            let values = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in sample(using: &generator) }
            // Includes duplicates, and possibly values of no record.
            return Condition(comparison: .within(values + values.prefix(1))) { component in
                values.contains { isSame($0, component) }
            }
        default:
            return beginning(using: &generator)
                ?? Condition(comparison: .equals(value)) { isSame($0, value) }
        }
    }
}

struct Row<First: RowComponent, Second: RowComponent, Third: RowComponent>: IndexKeyRecord, Hashable {
    var first: First
    var second: Second
    var third: Third
    var number: Int

    static var schema: RecordSchema {
        Schemas.schema(of: Self.self) {
            RecordSchema(
                of: Self.self, name: "Row<\(First.self), \(Second.self), \(Third.self)>", fileID: #fileID,
                key: [
                    KeyProperty("first", First.self), KeyProperty("second", Second.self),
                    KeyProperty("third", Third.self),
                ],
                fields: [FieldProperty("number", fieldCoding(of: Int.self))])
        }
    }

    var indexKey: Tuple<First, Second, Third> { Tuple(first, second, third) }

    func encodeKey(into writer: inout KeyWriter) { indexKey.encodeKey(into: &writer) }
    func fieldsSize() throws(CodingError) -> Int { 8 }
    func encodeFields(into writer: inout ValueWriter) { number.encode(into: &writer) }
}

extension Row {
    init(decoding reader: inout RecordReader) throws(CodingError) {
        first = try First(decodingKey: &reader.key)
        second = try Second(decodingKey: &reader.key)
        third = try Third(decodingKey: &reader.key)
        number = try Int(decoding: &reader.fields)
    }

    static func sample(number: Int, using generator: inout SeededGenerator) -> Row {
        Row(
            first: First.sample(using: &generator), second: Second.sample(using: &generator),
            third: Third.sample(using: &generator), number: number)
    }

    static func precedes(_ left: Row, _ right: Row) -> Bool {
        if !First.isSame(left.first, right.first) { return First.precedes(left.first, right.first) }
        if !Second.isSame(left.second, right.second) { return Second.precedes(left.second, right.second) }
        return Third.precedes(left.third, right.third)
    }

    /// Returns the rows sorted, without rows whose key repeats.
    static func sortedWithoutDuplicates(_ rows: [Row]) -> [Row] {
        rows.sorted(by: precedes).reduce(into: []) { rows, row in
            if let last = rows.last, !precedes(last, row) { return }
            rows.append(row)
        }
    }
}

/// The schemas of generic types: these cannot have a `static let`.
private enum Schemas {
    private static let schemas = Monitor<[ObjectIdentifier: RecordSchema]>([:])

    static func schema(of type: Any.Type, _ make: () -> RecordSchema) -> RecordSchema {
        schemas.withLock { schemas in
            if let known = schemas[ObjectIdentifier(type)] { return known }
            let schema = make()
            schemas[ObjectIdentifier(type)] = schema
            return schema
        }
    }
}
