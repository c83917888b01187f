// Sample values of decimal numbers, and of types that are not key components.

import Foundation
import TroveCoding
import TroveTestSupport

extension Set: Sampled where Element: Sampled {
    package static var edges: [Set<Element>] {
        [[], Set(Element.edges.prefix(1)), Set(Element.edges.filter { $0 == $0 })]
    }

    package static func random(using generator: inout SeededGenerator) -> Set<Element> {
        Set([Element].random(using: &generator).filter { $0 == $0 })
    }
}

extension Dictionary: Sampled where Key: Sampled, Value: Sampled {
    package static var edges: [[Key: Value]] { [[:]] }

    package static func random(using generator: inout SeededGenerator) -> [Key: Value] {
        var dictionary: [Key: Value] = [:]
        for key in [Key].random(using: &generator) where key == key {
            dictionary[key] = .sample(using: &generator)
        }
        return dictionary
    }
}

extension Decimal: SampledKey {
    package static var edges: [Decimal] {
        [
            0, 1, -1, .pi, .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, .nan,
            Decimal(sign: .plus, exponent: 3, significand: 12), Decimal(sign: .minus, exponent: -2, significand: 1250),
            Decimal(sign: .plus, exponent: -128, significand: 1), Decimal(sign: .minus, exponent: -128, significand: 1),
            Decimal(sign: .plus, exponent: 127, significand: 1), Decimal(sign: .minus, exponent: 127, significand: 1),
            Decimal(sign: .plus, exponent: -128, significand: greatestFiniteMagnitude.significand),
            greatestFiniteMagnitude.significand, greatestFiniteMagnitude.significand - 1,
        ] + ["0.1", "0.09", "0.11", "10", "9.9", "100", "101", "0.5", "0.05", "-0.5", "-0.05", "-10", "-9.9"].map(read)
            + [38, 37, 1].map { read(String(repeating: "9", count: $0)) }
            + [128, 165].map { read("1" + String(repeating: "0", count: $0)) }
    }

    private static func read(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

    /// NaN is after every number. In Swift it is before them.
    package static func sortsBefore(_ left: Decimal, _ right: Decimal) -> Bool {
        !left.isNaN && (right.isNaN || left < right)
    }

    package static func random(using generator: inout SeededGenerator) -> Decimal {
        let significand = Decimal(generator.next() >> (generator.next() % 64)) * Decimal(generator.next() | 1)
        return Decimal(
            sign: .random(using: &generator) ? .plus : .minus, exponent: Int(generator.next() % 200) - 120,
            significand: significand)
    }
}

extension URL: Sampled {
    package static var edges: [URL] {
        let base = URL(string: "https://example.com/a/b?c=d")
        let urls = [
            URL(string: "https://example.com"), URL(string: "mailto:a@b.c"), URL(string: "../c#d", relativeTo: base),
            URL(string: "https://example.com/日本?q=é"), URL(string: "file:///tmp/a%20b"), URL(string: "relative"),
            URL(fileURLWithPath: "relative file"), URL(fileURLWithPath: "/absolute/directory/"),
        ]
        return urls.compactMap(\.self)
    }

    package static func random(using generator: inout SeededGenerator) -> URL {
        let base = edges[Int(generator.next() % UInt64(edges.count))]
        return base.appending(path: String(generator.next() % 1_000))
    }
}

extension Place: Sampled {
    package static var edges: [Place] {
        [Place(name: "", latitude: 0, tags: nil), Place(name: "é", latitude: -90, tags: [])]
    }

    package static func random(using generator: inout SeededGenerator) -> Place {
        Place(
            name: .sample(using: &generator), latitude: .sample(using: &generator), tags: .sample(using: &generator))
    }
}

extension Tree: Sampled {
    package static var edges: [Tree] { [.leaf(0), .node([]), .node([.leaf(1), .node([.node([.leaf(-1)])])])] }

    package static func random(using generator: inout SeededGenerator) -> Tree {
        generator.next() & 1 == 0 ? .leaf(.random(using: &generator)) : .node(.random(using: &generator))
    }
}
