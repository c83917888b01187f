// Counts of a damaged file, which can be any numbers.

import Testing
import TroveTestSupport

@testable import LMDB
@testable import Trove

@Suite struct ClampedCountsTests {
    @Test func sums_endAtTheGreatestNumber() {
        #expect(Int.max.addingClamped(1) == .max)
        #expect((Int.max - 1).addingClamped(1) == .max)
        #expect(3.addingClamped(4) == 7)
        #expect([Int.max, 1, .max].clampedSum() == .max)
        #expect([Int]().clampedSum() == 0)
        #expect((Int.max / 2 + 1).multipliedClamped(by: 2) == .max)
        #expect(6.multipliedClamped(by: 7) == 42)
        #expect(Int.max.multipliedClamped(by: 0) == 0)
    }

    @Test func theSizeOfATree_endsAtTheGreatestNumber() {
        var tree = DatabaseStatistics()
        (tree.branchPages, tree.leafPages, tree.overflowPages, tree.pageSize) = (1, 2, 3, 4_096)
        #expect(tree.size == 6 * 4_096)
        tree.leafPages = .max
        #expect(tree.size == .max)
        (tree.branchPages, tree.leafPages, tree.overflowPages) = (0, .max / 4_096 + 1, 0)
        #expect(tree.size == .max)
    }

    @Test func theStepsOfACheck_endAtTheGreatestNumber() throws {
        var last: (done: Int, total: Int)?
        let steps = CheckSteps { last = ($0, $1) }
        steps.expect(.max)
        steps.expect(5)
        steps.expect(-7)
        for _ in 0..<256 { try steps.advance() }
        #expect(last?.done == 256 && last?.total == .max)
        try steps.end()
        #expect(last?.done == .max && last?.total == .max)
    }
}
