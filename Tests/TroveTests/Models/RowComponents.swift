// The key components of random rows: few different values, shared by rows, and awkward values among them.

import Foundation
import Trove
import TroveTestSupport

private func pick<Value>(_ values: [Value], _ generator: inout SeededGenerator) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
}

private let texts = [
    "", "\0", "\0\0", "\u{1}", "a", "a\0", "a\0b", "a\u{1}", "aa", "ab", "abc", "b", "é", "e\u{301}", "ß", "日本", "日本語",
    "🛫", "🛫🛬", "\u{10FFFF}", "z",
]

extension String: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> String { pick(texts, &generator) }

    static func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    static func beginning(using generator: inout SeededGenerator) -> Condition<String>? {
        let beginning = sample(using: &generator)
        return Condition(comparison: .hasPrefix(beginning)) { $0.utf8.starts(with: beginning.utf8) }
    }
}

extension Data: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> Data {
        pick(
            [[], [0], [0, 0], [0, 1], [1], [1, 2], [0xFE], [0xFF], [0xFF, 0], [0xFF, 0xFF]].map { Data($0) }, &generator
        )
    }

    static func precedes(_ left: Data, _ right: Data) -> Bool { left.lexicographicallyPrecedes(right) }

    static func beginning(using generator: inout SeededGenerator) -> Condition<Data>? {
        let beginning = sample(using: &generator)
        return Condition(comparison: .hasPrefix(beginning)) { $0.starts(with: beginning) }
    }
}

extension Int: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> Int {
        pick([.min, .min + 1, -256, -1, 0, 1, 255, 256, .max - 1, .max], &generator)
    }
}

extension UInt8: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> UInt8 {
        pick([0, 1, 127, 128, 254, 255], &generator)
    }
}

extension Double: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> Double {
        pick(
            [-.infinity, -1e300, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 1.5, .infinity], &generator)
    }
}

extension Decimal: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> Decimal {
        pick([-1000, -10, -1.5, -0.25, 0, 0.25, 1, 1.5, 9.75, 10, 100, 1000], &generator)
    }
}

extension Date: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> Date {
        Date(timeIntervalSinceReferenceDate: Double.sample(using: &generator))
    }
}

extension Bool: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> Bool { generator.next() & 1 == 0 }

    static func precedes(_ left: Bool, _ right: Bool) -> Bool { !left && right }
}

extension UUID: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> UUID {
        UUID(uuidString: pick(["0", "1", "7F", "FF"], &generator).padded + "-0000-0000-0000-FFFFFFFFFFFF") ?? UUID()
    }

    static func precedes(_ left: UUID, _ right: UUID) -> Bool { left.uuidString < right.uuidString }
}

extension String {
    fileprivate var padded: String { self + String(repeating: "0", count: 8 - count) }
}

/// An enum in a key: sorted by its raw value, not by declaration.
enum Cabin: String, CaseIterable, RowComponent {
    case first = "1st"
    case economy
    case business

    static func sample(using generator: inout SeededGenerator) -> Cabin { pick(allCases, &generator) }

    static func precedes(_ left: Cabin, _ right: Cabin) -> Bool { left.rawValue < right.rawValue }
}

extension Optional: RowComponent where Wrapped: RowComponent & PrefixKeyComponent {
    static func sample(using generator: inout SeededGenerator) -> Wrapped? {
        generator.next() % 4 == 0 ? nil : Wrapped.sample(using: &generator)
    }

    var isNull: Bool { map(\.isNull) ?? true }

    static func precedes(_ left: Wrapped?, _ right: Wrapped?) -> Bool {
        switch (left, right) {
        case (nil, .some): true
        case (.some(let left), .some(let right)): Wrapped.precedes(left, right)
        default: false
        }
    }
}

extension Descending: RowComponent where Base: RowComponent {
    static func sample(using generator: inout SeededGenerator) -> Descending {
        Descending(Base.sample(using: &generator))
    }

    var isNull: Bool { value.isNull }

    static func precedes(_ left: Descending, _ right: Descending) -> Bool { Base.precedes(right.value, left.value) }
}

/// A tuple inside a key, with its order.
struct Flight: RowComponent {
    var parts: Tuple<Int, String>

    static func sample(using generator: inout SeededGenerator) -> Flight {
        Flight(parts: Tuple(Int.sample(using: &generator), String.sample(using: &generator)))
    }

    static func precedes(_ left: Flight, _ right: Flight) -> Bool {
        let (left, right) = (left.parts.elements, right.parts.elements)
        return left.0 == right.0 ? String.precedes(left.1, right.1) : left.0 < right.0
    }

    static func describe(in layout: inout LayoutBuilder) { Tuple<Int, String>.describe(in: &layout) }
    var encodedSize: Int { get throws(CodingError) { try parts.encodedSize } }
    func encode(into writer: inout ValueWriter) { parts.encode(into: &writer) }
    func encodeKey(into writer: inout KeyWriter) { parts.encodeKey(into: &writer) }
}

extension Flight {
    init(decoding reader: inout ValueReader) throws(CodingError) { parts = try Tuple(decoding: &reader) }
    init(decodingKey reader: inout KeyReader) throws(CodingError) { parts = try Tuple(decodingKey: &reader) }
}
