// Sets of record numbers, and searches for known numbers.

import Testing
import TroveTestSupport

@testable import Trove

struct RecordNumberSetTests {
    @Test func aSet_hasItsNumbers() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for density in [1, 3, 50, 10_000] {
            var known: Set<UInt64> = []
            for base in [0, 65_536, 3 << 32] as [UInt64] {
                for _ in 0..<(70_000 / density) { known.insert(base + UInt64.random(in: 1...200_000, using: &random)) }
            }
            var set = RecordNumberSet()
            for id in known.sorted() { set.append(id) }
            #expect(set.count == known.count)
            for id in known { #expect(set.contains(id), "\(id), seed \(seed)") }
            for _ in 0..<20_000 {
                let id = UInt64.random(in: 0...300_000, using: &random) + (Bool.random(using: &random) ? 0 : 3 << 32)
                if set.contains(id) != known.contains(id) { Issue.record("\(id), seed \(seed)") }
            }
        }
        #expect(!RecordNumberSet().contains(0))
    }

    @Test func knownNumbers_areSought() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for _ in 0..<200 {
            let ids = Set(
                (0..<Int.random(in: 0...60, using: &random)).map { _ in UInt64.random(in: 1...200, using: &random) }
            )
            .sorted()
            let scorer = NumbersScorer(ids)
            var target: UInt64 = 1
            while target < 220 {
                let expected = ids.first { $0 >= target } ?? endOfPostings
                #expect(try scorer.seek(target) == expected, "\(target) in \(ids), seed \(seed)")
                target += UInt64.random(in: 1...40, using: &random)
            }
        }
    }
}
