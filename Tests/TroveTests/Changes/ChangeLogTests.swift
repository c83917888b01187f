// The log of changes, against the list of all commits.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Log of changes") struct ChangeLogTests {
    private func changes(_ keys: [(UInt32, UInt8)]) -> ChangedKeys {
        keys.reduce(into: ChangedKeys()) { changes, key in [key.1].withRawSpan { changes.note(key.0, $0) } }
    }

    @Test func changes_ofARange_areJoined() {
        var log = ChangeLog()
        for commit in 1...5 as ClosedRange<UInt64> {
            log.add(commit...commit, changes([(1, UInt8(commit))]), isOwn: true)
        }
        let some = log.changes(after: 2, through: 4)
        #expect(some.changes.keys(of: 1) == .some([[3], [4]]))
        #expect(some.isOwn && some.gaps.isEmpty)
        #expect(log.changes(after: 5, through: 5).changes.keys(of: 1) == .some([]))
        #expect(log.changes(after: 5, through: 7).gaps == [6...7])
    }

    @Test func gaps_areFilledLater() {
        var log = ChangeLog()
        log.add(3...3, changes([(1, 3)]), isOwn: true)
        log.add(6...6, changes([(1, 6)]), isOwn: true)
        #expect(log.changes(after: 1, through: 7).gaps == [2...2, 4...5, 7...7])
        #expect(!log.changes(after: 1, through: 7).isOwn)
        log.add(4...5, changes([(1, 4)]), isOwn: false)
        let filled = log.changes(after: 2, through: 6)
        #expect(filled.gaps.isEmpty && !filled.isOwn)
        #expect(filled.changes.keys(of: 1) == .some([[3], [4], [6]]))
        // A commit of unknown outcome, and then another of its number.
        log.add(6...6, .everything, isOwn: true)
        #expect(log.changes(after: 5, through: 6).changes.keys(of: 9) == .any)
    }

    @Test func anyCommit_isListedOrAGap() {
        var (random, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<100 {
            var log = ChangeLog()
            var all: [UInt64: [(UInt32, UInt8)]] = [:]
            var next: UInt64 = 1
            for _ in 0..<Int.random(in: 1...200, using: &random) {
                if Int.random(in: 0..<4, using: &random) == 0 { next += UInt64.random(in: 1...3, using: &random) }
                let commit = Bool.random(using: &random) ? next : UInt64.random(in: 1...next, using: &random)
                let keys = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    (UInt32.random(in: 1...3, using: &random), UInt8.random(in: 0...9, using: &random))
                }
                log.add(commit...commit, changes(keys), isOwn: true)
                all[commit, default: []] += keys
                next = max(next, commit + 1)
            }
            #expect(log.entries.count <= ChangeLog.entryLimit)
            let first = UInt64.random(in: 0...next, using: &random)
            let last = UInt64.random(in: first...next, using: &random)
            let extract = log.changes(after: first, through: last)
            for commit in first..<last where !extract.gaps.contains(where: { $0.contains(commit + 1) }) {
                let isKnown = all[commit + 1] != nil || extract.changes.isEverything
                #expect(isKnown, "TROVE_TEST_SEED=\(seed)")
                for (type, key) in all[commit + 1] ?? [] {
                    guard case .some(let keys, _) = extract.changes.keys(of: type) else { continue }
                    #expect(keys.contains([key]), "TROVE_TEST_SEED=\(seed)")
                }
            }
        }
    }

    @Test func manyBytes_areBounded() {
        var log = ChangeLog()
        for commit in 1...200 as ClosedRange<UInt64> {
            var changes = ChangedKeys()
            let key = [UInt8](repeating: UInt8(commit), count: 400)
            for number in 0..<30 { (key + [UInt8(number)]).withRawSpan { changes.note(1, $0) } }
            log.add(commit...commit, changes, isOwn: true)
        }
        #expect(log.entries.reduce(0) { $0 + $1.changes.size } <= ChangeLog.byteLimit)
        #expect(log.changes(after: 0, through: 200).changes.keys(of: 1) == .any)
        #expect(log.changes(after: 0, through: 200).gaps.isEmpty)
        #expect(log.changes(after: 199, through: 200).changes.keys(of: 2) == .some([]))
    }
}
