// Tests of the order of tuples: the order of their keys.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

struct TupleTests {
    private static let words = ["", "a", "a\0", "aa", "\u{E9}", "e\u{301}", "z", "\u{1}"]
    private static let numbers = [-Double.infinity, -1.5, -0.0, 0.0, 2, .infinity, .nan, -.nan]

    @Test func orderAndEquality_areThoseOfTheKeys() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let tuples = (0..<150).map { _ in
            Tuple(
                Self.words.randomElement(using: &generator) ?? "",
                [nil, false, true].randomElement(using: &generator) ?? nil,
                Self.numbers.randomElement(using: &generator) ?? 0,
                Descending(Int8.random(in: -2...2, using: &generator)))
        }
        for left in tuples {
            for right in tuples {
                let (leftKey, rightKey) = (KeyWriter.bytes(of: left), KeyWriter.bytes(of: right))
                let isRight =
                    (left < right) == leftKey.lexicographicallyPrecedes(rightKey)
                    && (left == right) == (leftKey == rightKey)
                    && (left != right || left.hashValue == right.hashValue)
                if !isRight { Issue.record("\(left) and \(right), seed \(seed)") }
            }
        }
        let sorted = tuples.map { KeyWriter.bytes(of: $0) }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(tuples.sorted().map { KeyWriter.bytes(of: $0) } == sorted, "seed \(seed)")
    }

    @Test func numbers_sortComponentByComponent() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<2000 {
            let left = (Int.random(in: -2...2, using: &generator), UInt8.random(in: 0...3, using: &generator))
            let right = (Int.random(in: -2...2, using: &generator), UInt8.random(in: 0...3, using: &generator))
            let isLess = Tuple(left.0, left.1) < Tuple(right.0, right.1)
            #expect(isLess == (left < right), "\(left), \(right), seed \(seed)")
        }
    }
}
