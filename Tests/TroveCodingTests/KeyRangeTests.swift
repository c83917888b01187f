// Tests of `KeyRange`: filtering encoded keys by a range gives the same result as filtering values.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples
import TroveTestSupport

struct KeyRangeTests {
    /// An operator, and its meaning for values.
    private func operators<Key: SampledKey>(_ first: Key, _ second: Key, _ third: Key) -> [(
        ComparisonOperator<Key>, (Key) -> Bool
    )] {
        // A comparison by order with nil is false.
        func byOrder(_ bounds: [Key], _ holds: @escaping (Key) -> Bool) -> (Key) -> Bool {
            { value in !value.isNil && !bounds.contains(where: \.isNil) && holds(value) }
        }
        return [
            (.greaterThan(first), byOrder([first]) { Key.sortsBefore(first, $0) }),
            (.greaterThanOrEqual(first), byOrder([first]) { !Key.sortsBefore($0, first) }),
            (.lessThan(first), byOrder([first]) { Key.sortsBefore($0, first) }),
            (.lessThanOrEqual(first), byOrder([first]) { !Key.sortsBefore(first, $0) }),
            (.equals(first), { Key.isSame($0, first) }),
            (
                .within([third, first, second, first]),
                { value in
                    [first, second, third].contains { Key.isSame($0, value) }
                }
            ),
            (.within([]), { _ in false }),
            (
                .range(from: first, upTo: second),
                byOrder([first, second]) { !Key.sortsBefore($0, first) && Key.sortsBefore($0, second) }
            ),
            (
                .closedRange(from: first, through: second),
                byOrder([first, second]) { !Key.sortsBefore($0, first) && !Key.sortsBefore(second, $0) }
            ),
        ]
    }

    @Test(arguments: KeyType.all)
    func ranges_selectWhatTheOperatorSays(_ key: KeyType) {
        func check<Key: SampledKey>(_ type: Key.Type) {
            var (generator, seed) = SeededGenerator.fromEnvironment()
            let values = type.samples(40, using: &generator)
            // Keys as they are stored: neighbors before and after, the component, perhaps another component.
            for prefix in [[], KeyWriter.bytes(of: "a"), [0xFF]] {
                for suffix in [[], KeyWriter.bytes(of: Int.max), KeyWriter.bytes(of: Int.min)] {
                    for _ in 0..<6 {
                        let arguments = (0..<3).map { _ in type.sample(using: &generator) }
                        for (comparison, holds) in operators(arguments[0], arguments[1], arguments[2]) {
                            let ranges = KeyRange.ranges(prefix: prefix, last: comparison)
                            for value in values {
                                let bytes = prefix + KeyWriter.bytes(of: value) + suffix
                                let count = ranges.count { $0.contains(bytes) }
                                if count != (holds(value) ? 1 : 0) {
                                    Issue.record("\(comparison): \(value) in \(count) ranges, seed \(seed)")
                                }
                            }
                            checkShape(ranges, prefix: prefix)
                        }
                    }
                }
            }
        }
        check(key.type)
    }

    private func checkShape(_ ranges: [KeyRange], prefix: [UInt8]) {
        let all = KeyRange(prefix: prefix)
        for range in ranges where range.isEmpty || range.lower.lexicographicallyPrecedes(all.lower) {
            Issue.record("\(range) is empty, or below its prefix")
        }
        for (range, next) in zip(ranges, ranges.dropFirst()) {
            guard let upper = range.upper, !next.lower.lexicographicallyPrecedes(upper) else {
                Issue.record("\(range) and \(next) are not in order")
                continue
            }
        }
    }

    @Test func hasPrefix_selectsByBytes() {
        func check<Key: SampledKey & PrefixKeyComponent>(
            _ type: Key.Type, _ begins: (Key, Key) -> Bool
        ) {
            var (generator, seed) = SeededGenerator.fromEnvironment()
            let values = type.samples(80, using: &generator)
            for prefix in values {
                let ranges = KeyRange.ranges(prefix: [7], last: ComparisonOperator.hasPrefix(prefix))
                for value in values {
                    let bytes = [7] + KeyWriter.bytes(of: value) + [1, 2, 3]
                    let isFound = ranges.contains { $0.contains(bytes) }
                    if isFound != begins(value, prefix) {
                        Issue.record("\(value) begins with \(prefix): \(isFound), seed \(seed)")
                    }
                }
            }
        }
        check(String.self) { Array($0.utf8).starts(with: Array($1.utf8)) }
        check(Data.self) { $0.starts(with: $1) }
        check([UInt8].self) { $0.starts(with: $1) }
        check(String?.self) { value, prefix in
            guard let prefix else { return value == nil }
            return value.map { Array($0.utf8).starts(with: Array(prefix.utf8)) } ?? false
        }
    }

    @Test func hasPrefix_ofNothing_isEverythingOfTheColumn() {
        let range = KeyRange.ranges(prefix: [7], last: ComparisonOperator.hasPrefix(""))
        #expect(range == [KeyRange(lower: [7], upper: [8])])
    }

    @Test func rangeOfTheWrongWayRound_isNothing() {
        #expect(KeyRange.ranges(prefix: [], last: ComparisonOperator<Int>.range(from: 2, upTo: 1)).isEmpty)
        #expect(KeyRange.ranges(prefix: [], last: ComparisonOperator<Int>.range(from: 2, upTo: 2)).isEmpty)
        #expect(KeyRange.ranges(prefix: [], last: ComparisonOperator<Int>.closedRange(from: 2, through: 1)).isEmpty)
        #expect(KeyRange.ranges(prefix: [], last: ComparisonOperator<Int>.greaterThan(.max)).isEmpty)
        #expect(KeyRange.ranges(prefix: [1], last: ComparisonOperator<Int>.greaterThan(.max)).isEmpty)
    }

    @Test func swiftRanges_areTheirBounds() {
        #expect(ComparisonOperator<Int>.range(1..<3) == .range(from: 1, upTo: 3))
        #expect(ComparisonOperator<String>.closedRange("a"..."b") == .closedRange(from: "a", through: "b"))
    }

    @Test func lessThan_isDescendingByDefault() {
        #expect(ComparisonOperator<Int>.lessThan(1).isDescendingByDefault)
        #expect(ComparisonOperator<Int>.lessThanOrEqual(1).isDescendingByDefault)
        #expect(!ComparisonOperator<Int>.equals(1).isDescendingByDefault)
        #expect(!ComparisonOperator<String>.hasPrefix("").isDescendingByDefault)
    }

    @Test func successor_isTheSmallestAboveAllThatBeginSo() {
        #expect(KeyRange.successor(of: []) == nil)
        #expect(KeyRange.successor(of: [255, 255]) == nil)
        #expect(KeyRange.successor(of: [1, 255, 255]) == [2])
        #expect(KeyRange.successor(of: [1, 2]) == [1, 3])
        #expect(KeyRange(prefix: [255]).contains([255, 255, 255]))
        #expect(KeyRange.all.contains([]))
    }

    @Test func range_continuesAfterAndBeforeAKey() {
        let range = KeyRange(lower: [2], upper: [5])
        #expect(range.after([3]) == KeyRange(lower: [3, 0], upper: [5]))
        #expect(range.after([1]) == range)
        #expect(range.after([4]).contains([4, 0]) && !range.after([4]).contains([4]))
        #expect(range.after([6]).isEmpty)
        #expect(range.before([3]) == KeyRange(lower: [2], upper: [3]))
        #expect(range.before([9]) == range)
        #expect(range.before([2]).isEmpty && range.before([1]).isEmpty)
        #expect(KeyRange.all.before([3]) == KeyRange(lower: [], upper: [3]))
    }
}
