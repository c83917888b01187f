// The test of values against bounds, beside the bounds' own bytes.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Bounds, at random") struct BoundsTests {
    private func check<Value: RowComponent>(_ type: Value.Type, using generator: inout SeededGenerator, _ seed: UInt64)
    {
        for _ in 0..<300 {
            let values = (0..<3).map { _ in Value.sample(using: &generator) }
            let comparisons: [ComparisonOperator<Value>] = [
                .equals(values[0]), .lessThan(values[0]), .greaterThanOrEqual(values[0]), .within(values),
                .closedRange(from: values[0], through: values[1]),
            ]
            for bounds in comparisons.map(ByteRanges.init) + [ByteRanges(.equals(values[0])).complement()] {
                let value = Value.sample(using: &generator)
                let isInside = ByteView.with(KeyWriter.bytes(of: value)) { bounds.contains($0) }
                #expect(BoundsTest(bounds).contains(value) == isInside, "\(value) in \(bounds), seed \(seed)")
            }
        }
    }

    @Test func valuesAreTested_asTheirBytes() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        check(Int.self, using: &generator, seed)
        check(String?.self, using: &generator, seed)
        check(UInt8.self, using: &generator, seed)
        check(Double.self, using: &generator, seed)
        check(String.self, using: &generator, seed)
        check(Descending<String>.self, using: &generator, seed)
        check(Descending<String?>.self, using: &generator, seed)
        check(Decimal.self, using: &generator, seed)
        check(UUID.self, using: &generator, seed)
        check(Data.self, using: &generator, seed)
        // Heads are of components that have up to 32 bytes.
        for size in 29...34 {
            let text = String(repeating: "x", count: size)
            #expect(KeyWriter.head(of: text) == (size < 32 ? ByteView.with(KeyWriter.bytes(of: text), \.head) : nil))
        }
    }
}
