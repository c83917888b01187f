// Positions of lists: ascending, near to what was there, and numbered again only where no number is left.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Positions of links") struct PositionGapsTests {
    private let gap = PositionGaps.gap

    @Test func aNewList_isNumberedInGaps() {
        #expect(PositionGaps.positions(keeping: [nil, nil, nil]) == [0, gap, 2 * gap])
        #expect(PositionGaps.positions(keeping: []).isEmpty)
    }

    @Test func insertedLinks_leaveTheOthersWhereTheyAre() {
        #expect(PositionGaps.positions(keeping: [nil, 0, gap]) == [-gap, 0, gap])
        #expect(PositionGaps.positions(keeping: [0, gap, nil, nil]) == [0, gap, 2 * gap, 3 * gap])
        #expect(PositionGaps.positions(keeping: [0, nil, gap]) == [0, gap / 2, gap])
        #expect(PositionGaps.positions(keeping: [0, nil, nil, nil, 8]) == [0, 2, 4, 6, 8])
    }

    @Test func aMovedLink_aloneIsWritten() {
        #expect(PositionGaps.positions(keeping: [2 * gap, 0, gap]) == [-gap, 0, gap])
        #expect(PositionGaps.positions(keeping: [gap, 2 * gap, 0]) == [gap, 2 * gap, 3 * gap])
    }

    @Test func withoutANumberBetween_theListIsNumberedAgain() {
        #expect(PositionGaps.positions(keeping: [0, nil, 1]) == [0, gap, 2 * gap])
        let limit = PositionGaps.limit
        #expect(PositionGaps.positions(keeping: [limit, nil]) == [0, gap])
        #expect(PositionGaps.positions(keeping: [nil, -limit]) == [0, gap])
        #expect(PositionGaps.positions(keeping: [.min, .max]) == [0, gap])
        #expect(PositionGaps.positions(keeping: [-limit, nil, limit]) == [-limit, 0, limit])
        #expect(PositionGaps.after(limit) == nil)
        #expect(PositionGaps.after(limit - gap) == limit)
    }

    @Test func positionsBeyondTheLimits_areNumberedAgain() {
        let limit = PositionGaps.limit
        for bounds: (Int64?, Int64?) in [
            (.min, .max), (.min, 0), (0, .max), (nil, .min), (.max, nil), (.min, nil), (nil, .max), (1, 0), (0, 0),
            (limit + 1, nil), (nil, -limit - 1),
        ] {
            #expect(PositionGaps.run(of: 2, between: bounds) == nil, "\(bounds)")
        }
        #expect(PositionGaps.run(of: 1, between: (-limit, limit)) == [0])
    }

    @Test func randomRuns_lieWithinTheirBounds() {
        var (random, seed) = SeededGenerator.fromEnvironment()
        func bound() -> Int64? {
            let edges = [Int64.min, .max, 0, PositionGaps.limit, -PositionGaps.limit]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return nil
            case 1: return Int64.random(in: .min ... .max, using: &random)
            default:
                return edges.randomElement(using: &random)
                    .map { $0 &+ Int64.random(in: -3...3, using: &random) }
            }
        }
        for _ in 0..<5000 {
            let bounds = (bound(), bound())
            let count = Int.random(in: 1...5, using: &random)
            guard let run = PositionGaps.run(of: count, between: bounds) else { continue }
            let all = [bounds.0].compactMap(\.self) + run + [bounds.1].compactMap(\.self)
            let comment: Comment = "TROVE_TEST_SEED=\(seed): \(bounds) \(run)"
            #expect(run.count == count && zip(all, all.dropFirst()).allSatisfy { $0 < $1 }, comment)
            #expect(all.allSatisfy { abs($0) <= PositionGaps.limit }, comment)
        }
    }

    @Test func randomLists_ascendAndKeepALongestAscent() {
        var (random, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...8, using: &random)
            let range = Int64(Int.random(in: 1...3, using: &random) * 6)
            var unused = Set<Int64>(-range...range)
            let old = (0..<count).map { _ -> Int64? in
                guard Bool.random(using: &random), let position = unused.randomElement(using: &random) else {
                    return nil
                }
                unused.remove(position)
                return position
            }
            let new = PositionGaps.positions(keeping: old)
            let comment: Comment = "TROVE_TEST_SEED=\(seed): \(old) became \(new)"
            #expect(new.count == count && zip(new, new.dropFirst()).allSatisfy { $0 < $1 }, comment)
            let kept = zip(old, new).count { $0 == $1 }
            #expect(kept == longestAscent(old.compactMap(\.self)) || new == PositionGaps.numbered(count), comment)
        }
    }

    /// The length of the longest ascending subsequence, by trying all.
    private func longestAscent(_ positions: [Int64]) -> Int {
        (0..<(1 << positions.count)).map { mask in
            let chosen = positions.indices.filter { mask & 1 << $0 != 0 }.map { positions[$0] }
            return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? chosen.count : 0
        }.max() ?? 0
    }
}
