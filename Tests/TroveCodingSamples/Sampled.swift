// Values for tests: the edge cases and random values of each type, and the required order of its keys, defined without
// their bytes.

import Foundation
import TroveCoding
import TroveTestSupport

/// A field type with sample values for tests.
package protocol Sampled: RecordValue, Equatable {
    static var edges: [Self] { get }
    static func random(using generator: inout SeededGenerator) -> Self
}

/// A key type with a defined order for tests.
package protocol SampledKey: Sampled, KeyComponent {
    static func sortsBefore(_ left: Self, _ right: Self) -> Bool

    /// Whether the value, or the value that it wraps, is nil. By default false.
    var isNil: Bool { get }
}

extension Sampled {
    package static func sample(using generator: inout SeededGenerator) -> Self {
        if generator.next() & 1 == 0, let edge = edges.randomElement(using: &generator) { return edge }
        return random(using: &generator)
    }

    /// Returns all edges, and random values up to `count`.
    package static func samples(_ count: Int, using generator: inout SeededGenerator) -> [Self] {
        var samples = edges
        while samples.count < count { samples.append(sample(using: &generator)) }
        return samples
    }
}

extension SampledKey {
    package var isNil: Bool { false }

    package static func isSame(_ left: Self, _ right: Self) -> Bool {
        !sortsBefore(left, right) && !sortsBefore(right, left)
    }
}

extension Sampled where Self: FixedWidthInteger {
    package static var edges: [Self] { [.min, .min &+ 1, 0 &- 1, 0, 1, 127, .max &- 1, .max] }

    package static func random(using generator: inout SeededGenerator) -> Self {
        let bits = Self.random(in: .min ... .max, using: &generator)
        return bits >> Self(truncatingIfNeeded: generator.next() % UInt64(Self.bitWidth))
    }
}

extension SampledKey where Self: Comparable {
    package static func sortsBefore(_ left: Self, _ right: Self) -> Bool { left < right }
}

extension Int8: SampledKey {}
extension Int16: SampledKey {}
extension Int32: SampledKey {}
extension Int64: SampledKey {}
extension Int128: SampledKey {}
extension Int: SampledKey {}
extension UInt8: SampledKey {}
extension UInt16: SampledKey {}
extension UInt32: SampledKey {}
extension UInt64: SampledKey {}
extension UInt128: SampledKey {}
extension UInt: SampledKey {}

extension Sampled where Self: BinaryFloatingPoint {
    package static var edges: [Self] {
        [
            -.infinity, -.greatestFiniteMagnitude, -1, -.leastNormalMagnitude, -.leastNonzeroMagnitude, -0.0, 0,
            .leastNonzeroMagnitude, .leastNormalMagnitude, 1, .greatestFiniteMagnitude, .infinity, .nan, -.nan,
        ]
    }
}

extension SampledKey where Self: BinaryFloatingPoint {
    package static func sortsBefore(_ left: Self, _ right: Self) -> Bool {
        left < right || (!left.isNaN && right.isNaN)
    }
}

extension Float: SampledKey {
    package static func random(using generator: inout SeededGenerator) -> Float {
        Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
    }
}

extension Double: SampledKey {
    package static func random(using generator: inout SeededGenerator) -> Double {
        Double(bitPattern: generator.next())
    }
}

extension Date: SampledKey {
    package static var edges: [Date] {
        Double.edges.map(Date.init(timeIntervalSinceReferenceDate:)) + [.distantPast, .distantFuture]
    }

    package static func random(using generator: inout SeededGenerator) -> Date {
        Date(timeIntervalSinceReferenceDate: .random(using: &generator))
    }

    package static func sortsBefore(_ left: Date, _ right: Date) -> Bool {
        Double.sortsBefore(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    }
}

extension Bool: SampledKey {
    package static var edges: [Bool] { [false, true] }
    package static func random(using generator: inout SeededGenerator) -> Bool { generator.next() & 1 == 1 }
    package static func sortsBefore(_ left: Bool, _ right: Bool) -> Bool { !left && right }
}

extension String: SampledKey {
    package static var edges: [String] {
        [
            "", "\0", "\0\0", "\u{1}", "\u{1}\u{1}", "\u{2}", "\0\u{1}", "\u{1}\0", "a", "a\0", "a\0b", "a\u{1}", "ab",
            "abcdefg", "abcdefgh", "abcdefgh\0", "abcdefghi", "b", "Z", "é", "e\u{301}", "ÿ", "日本", "日本語", "👩‍👩‍👧",
            "\u{10FFFF}", "\u{7F}", "\u{80}", String(repeating: "long ", count: 40),
        ]
    }

    package static func random(using generator: inout SeededGenerator) -> String {
        let alphabet = Array("\0\u{1}\u{2}aab zé日👍\u{FFFF}".unicodeScalars)
        var string = ""
        for _ in 0..<generator.next() % 12 {
            string.unicodeScalars.append(alphabet[Int(generator.next() % UInt64(alphabet.count))])
        }
        return string
    }

    package static func sortsBefore(_ left: String, _ right: String) -> Bool {
        Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
    }
}

extension Data: SampledKey {
    package static var edges: [Data] { [[UInt8]].bytesEdges.map { Data($0) } }
    package static func random(using generator: inout SeededGenerator) -> Data {
        Data([UInt8].random(using: &generator))
    }
    package static func sortsBefore(_ left: Data, _ right: Data) -> Bool { left.lexicographicallyPrecedes(right) }
}

extension Array: Sampled where Element: Sampled {
    package static var edges: [[Element]] {
        [[UInt8]].bytesEdges as? [[Element]] ?? [[], Array(Element.edges.prefix(3)), Element.edges]
    }

    package static func random(using generator: inout SeededGenerator) -> [Element] {
        (0..<generator.next() % 6).map { _ in Element.sample(using: &generator) }
    }
}

extension Array: SampledKey where Element == UInt8 {
    package static func sortsBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}

extension [[UInt8]] {
    package static var bytesEdges: [[UInt8]] {
        [
            [], [0], [0, 0], [0, 1], [0, 255], [1], [1, 0], [1, 1], [1, 2], [2], [127], [128], [255], [255, 255],
            [9, 9, 9, 9, 9, 9, 9, 9], [9, 9, 9, 9, 9, 9, 9, 9, 0], [9, 9, 9, 9, 9, 9, 9, 1], [UInt8](0...255),
        ]
    }
}

extension UUID: SampledKey {
    package static var edges: [UUID] {
        [0, 1, 127, 128, 255].map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
    }

    package static func random(using generator: inout SeededGenerator) -> UUID {
        var bits = (generator.next(), generator.next())
        if generator.next() & 3 == 0 { bits.0 |= 0xFF }
        return UUID(uuid: unsafe unsafeBitCast(bits, to: uuid_t.self))
    }

    package static func sortsBefore(_ left: UUID, _ right: UUID) -> Bool { left.uuidString < right.uuidString }
}

extension Optional: Sampled where Wrapped: Sampled {
    package static var edges: [Wrapped?] { [nil] + Wrapped.edges.map(Optional.some) }

    package static func random(using generator: inout SeededGenerator) -> Wrapped? {
        generator.next() & 3 == 0 ? nil : .random(using: &generator)
    }
}

extension Optional: SampledKey where Wrapped: SampledKey {
    package var isNil: Bool { map(\.isNil) ?? true }

    package static func sortsBefore(_ left: Wrapped?, _ right: Wrapped?) -> Bool {
        switch (left, right) {
        case (_, nil): false
        case (nil, _): true
        case (let left?, let right?): Wrapped.sortsBefore(left, right)
        }
    }
}

extension SampledKey where Self: CaseIterable & RawRepresentable, RawValue: SampledKey {
    package static var edges: [Self] { Array(allCases) }

    package static func random(using generator: inout SeededGenerator) -> Self {
        let cases = Array(allCases)
        return cases[Int(generator.next() % UInt64(cases.count))]
    }

    package static func sortsBefore(_ left: Self, _ right: Self) -> Bool {
        RawValue.sortsBefore(left.rawValue, right.rawValue)
    }
}

extension Level: SampledKey {}
extension Sign: SampledKey {}

extension Descending: Sampled, SampledKey where Base: SampledKey {
    package var isNil: Bool { value.isNil }

    package static var edges: [Self] { Base.edges.map(Self.init) }
    package static func random(using generator: inout SeededGenerator) -> Self { Self(.random(using: &generator)) }
    package static func sortsBefore(_ left: Self, _ right: Self) -> Bool { Base.sortsBefore(right.value, left.value) }
}

extension Tuple: Sampled, SampledKey where repeat each Element: SampledKey {
    package static var edges: [Self] {
        var generator = SeededGenerator(seed: 1)
        return (0..<40).map { _ in Self(repeat (each Element).sample(using: &generator)) }
    }

    package static func random(using generator: inout SeededGenerator) -> Self {
        Self(repeat (each Element).sample(using: &generator))
    }

    package static func sortsBefore(_ left: Self, _ right: Self) -> Bool {
        for (type, left, right) in repeat ((each Element).self, each left.elements, each right.elements) {
            if type.sortsBefore(left, right) { return true }
            if type.sortsBefore(right, left) { return false }
        }
        return false
    }
}

extension Version: SampledKey {
    package static var edges: [Version] {
        [Version(major: 0, label: ""), Version(major: 255, label: "b"), Version(major: 256, label: "a")]
    }

    package static func random(using generator: inout SeededGenerator) -> Version {
        Version(major: .sample(using: &generator), label: .sample(using: &generator))
    }
}
