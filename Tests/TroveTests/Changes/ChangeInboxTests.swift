// The extracts of the inbox, which are kept for the loops that ask for the same, compared with those of a log.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Inbox of changes") struct ChangeInboxTests {
    private func changes(_ key: UInt8) -> ChangedKeys {
        var changes = ChangedKeys()
        [key].withRawSpan { changes.note(1, $0) }
        return changes
    }

    @Test func extracts_areThoseOfALog_atRandom() {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let inbox = ChangeInbox()
        var log = ChangeLog()
        inbox.open {}
        var next: UInt64 = 1
        for step in 0..<3_000 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                // Most commits follow the last one. A number can come back after a commit of unknown outcome.
                let isRepeated = Int.random(in: 0..<4, using: &random) == 0
                let commit = isRepeated ? UInt64.random(in: 1...next, using: &random) : next
                let changed = changes(UInt8.random(in: 0...9, using: &random))
                inbox.add(CommitNotice(sequence: commit, changedKeys: changed))
                log.add(commit...commit, changed, isOwn: true)
                next = max(next, commit) + UInt64.random(in: 1...2, using: &random)
            case 1:
                let first = UInt64.random(in: 1...next, using: &random)
                let commits = first...first + UInt64.random(in: 0...2, using: &random)
                let changed = changes(UInt8.random(in: 0...9, using: &random))
                inbox.addForeign(commits, changed)
                log.add(commits, changed, isOwn: false)
                next = max(next, commits.upperBound + 1)
            default:
                let first = next - min(next, UInt64.random(in: 1...3, using: &random))
                let last = max(first, next - 1)
                let found = inbox.changes(after: first, through: last)
                let expected = log.changes(after: first, through: last)
                let isEqual =
                    found.changes.keys(of: 1) == expected.changes.keys(of: 1) && found.gaps == expected.gaps
                    && found.isOwn == expected.isOwn
                #expect(isEqual, "TROVE_TEST_SEED=\(seed), step \(step)")
            }
        }
    }

    @Test func aNewObservation_knowsNothingOfTheLast() {
        let inbox = ChangeInbox()
        inbox.open {}
        inbox.add(CommitNotice(sequence: 1, changedKeys: changes(1)))
        #expect(inbox.changes(after: 0, through: 1).gaps.isEmpty)
        inbox.close()
        inbox.open {}
        #expect(inbox.changes(after: 0, through: 1).gaps == [1...1])
    }
}
