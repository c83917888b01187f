// The hints of the last commits, compared with a list of all commits: they miss no change, and those of the newest
// commit add none if its keys fit.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

/// Random changes of commits.
private struct RandomChanges {
    var generator: SeededGenerator
    let types: UInt32

    mutating func key() -> [UInt8] {
        let count = Int.random(in: 1...12, using: &generator)
        return (0..<count).map { _ in UInt8.random(in: 0...3, using: &generator) }
    }

    private mutating func range() -> KeyRange {
        KeyRange(lower: key(), upper: Bool.random(using: &generator) ? key() : nil)
    }

    mutating func next() -> ChangedKeys {
        var changes = ChangedKeys()
        if Int.random(in: 0..<60, using: &generator) == 0 { return .everything }
        // Most commits are small, and some touch more keys or types than an entry holds.
        let many = Int.random(in: 0..<15, using: &generator) == 0
        for _ in 0..<Int.random(in: 0...(many ? 120 : 4), using: &generator) {
            let type = UInt32.random(in: 0..<types, using: &generator)
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: changes.noteAny(type)
            case 1: changes.note(type, range())
            default: key().withRawSpan { changes.note(type, $0) }
            }
        }
        return changes
    }
}

extension RecentChanges {
    /// Writes and reads the entry as the catalog does.
    fileprivate func stored() throws -> RecentChanges {
        let parts: [[UInt8]] = try [
            ValueWriter.bytes(of: newest), ValueWriter.bytes(of: others), ValueWriter.bytes(of: types),
            ValueWriter.bytes(of: commits), ValueWriter.bytes(of: changes),
        ]
        return try Self.decoded(Array(parts.joined()))
    }

    fileprivate static func decoded(_ bytes: [UInt8]) throws(CodingError) -> RecentChanges {
        try bytes.withRawSpan { (bytes) throws(CodingError) in
            try ValueReader.read(bytes) { (reader) throws(CodingError) in try RecentChanges(decoding: &reader) }
        }
    }
}

@Suite("Recent changes") struct RecentChangesTests {
    /// Returns whether changes include all that others may have changed.
    private func covers(_ wide: ChangedKeys, _ narrow: ChangedKeys) -> Bool {
        if wide.isEverything { return true }
        if narrow.isEverything { return false }
        return narrow.types.allSatisfy { type in
            guard case .some(let keys, let ranges) = wide.keys(of: type) else { return true }
            guard case .some(let changed, let changedRanges) = narrow.keys(of: type) else { return false }
            return Set(changed).isSubset(of: keys) && Set(changedRanges).isSubset(of: ranges)
        }
    }

    private func changes(_ keys: [(UInt32, [UInt8])]) -> ChangedKeys {
        var changes = ChangedKeys()
        for (type, key) in keys { key.withRawSpan { changes.note(type, $0) } }
        return changes
    }

    @Test func everyEncoding_isReadBack() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomChanges(generator: generator, types: 5)
        for _ in 0..<400 {
            let changes = random.next()
            guard let bytes = try changes.encoded(upTo: 1 << 20) else {
                #expect(changes.isEverything)
                continue
            }
            let decoded = try bytes.withRawSpan { bytes in
                try ValueReader.read(bytes) { (reader) throws(CodingError) in
                    try ChangedKeys(decoding: &reader, count: bytes.byteCount)
                }
            }
            #expect(decoded.types == changes.types, "TROVE_TEST_SEED=\(seed)")
            for type in changes.types {
                #expect(decoded.keys(of: type) == changes.keys(of: type), "TROVE_TEST_SEED=\(seed)")
            }
        }
    }

    /// The model is the list of all commits. The hints never miss a change, and of the last commits they add none.
    @Test func hints_neverMissAChange() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomChanges(generator: generator, types: 50)
        for _ in 0..<3 {
            let first = UInt64.random(in: 0...9, using: &random.generator)
            var all: [ChangedKeys] = []
            var recent = RecentChanges(after: first)
            for _ in 0..<100 {
                let changes = random.next()
                all.append(changes)
                let commit = first + UInt64(all.count)
                // A program without the feature commits, and leaves the entry as it is.
                if Int.random(in: 0..<30, using: &random.generator) == 0 { continue }
                try recent.add(commit, changes)
                #expect(try recent.stored() == recent, "TROVE_TEST_SEED=\(seed)")
                let start = UInt64.random(in: max(1, commit - min(commit - 1, 60))...commit, using: &random.generator)
                let range = start...UInt64.random(in: start...commit, using: &random.generator)
                let hints = try recent.changes(of: range)
                let truth = range.reduce(into: ChangedKeys()) { union, commit in
                    union.formUnion(commit > first ? all[Int(commit - first) - 1] : .everything)
                }
                let isCovered = covers(hints, truth)
                #expect(isCovered, "\(range) of \(commit): TROVE_TEST_SEED=\(seed)")
                // The newest commit adds nothing if its keys fit.
                let isShort = try changes.encoded(upTo: RecentChanges.commitLimit) == changes.encoded(upTo: 1 << 20)
                let isExact = covers(changes, try recent.changes(of: commit...commit))
                #expect(isExact || !isShort, "TROVE_TEST_SEED=\(seed)")
            }
        }
    }

    @Test func smallCommits_areKnownByTheirKeys_asFarAsTheyFit() throws {
        var recent = RecentChanges(after: 0)
        for commit in UInt64(1)...200 {
            try recent.add(commit, changes([(7, KeyWriter.bytes(of: Int(commit)))]))
        }
        #expect(recent.changes.count <= RecentChanges.byteLimit)
        let known = try (UInt64(1)...200).filter { try recent.changes(of: $0...$0).keys(of: 7) != .any }
        #expect(known == Array((200 - UInt64(known.count) + 1)...200))
        // 1 + 4 + 1 + 1 + 1 + 8 bytes a commit.
        #expect((RecentChanges.keptBytes / 16...RecentChanges.byteLimit / 16).contains(known.count))
        #expect(
            try recent.changes(of: 190...192).keys(of: 7)
                == .some((190...192).reversed().map { KeyWriter.bytes(of: $0) }))
        // The type has not been the only one: of the other types nothing has changed since the beginning.
        #expect(try recent.changes(of: 1...200).keys(of: 8) == .some([]))
    }

    @Test func aTypeThatHasNotChanged_isNotAGap() throws {
        var recent = RecentChanges(after: 0)
        try recent.add(1, changes([(1, [1])]))
        for commit in UInt64(2)...300 { try recent.add(commit, changes([(2, KeyWriter.bytes(of: Int(commit)))])) }
        #expect(try recent.changes(of: 2...300).keys(of: 1) == .some([]))
        #expect(try recent.changes(of: 2...300).keys(of: 2) == .any)
        #expect(try recent.changes(of: 1...300).keys(of: 1) == .any)
        #expect(try !recent.changes(of: 1...300).isEverything)
    }

    @Test func moreTypesThanHaveACommit_areOthers() throws {
        var recent = RecentChanges(after: 0)
        for commit in UInt64(1)...200 { try recent.add(commit, changes([(UInt32(commit), [1])])) }
        #expect(recent.types == (169...200).reversed())
        #expect(recent.others == 168)
        let hints = try recent.changes(of: 169...200)
        #expect(!hints.isEverything)
        #expect(hints.types == Set(169...200))
        #expect(try recent.changes(of: 1...200).isEverything)
    }

    @Test func aCommitWithoutTheEntry_isAGap() throws {
        var recent = RecentChanges(after: 0)
        try recent.add(1, changes([(1, [1])]))
        #expect(try recent.changes(of: 1...2).isEverything)
        try recent.add(3, changes([(1, [3])]))
        #expect(try recent.changes(of: 3...3).keys(of: 1) == .some([[3]]))
        #expect(try recent.changes(of: 2...3).isEverything)
    }

    @Test func aLargeCommit_listsItsTypes_andOneOfManyTypesNothing() throws {
        var recent = RecentChanges(after: 0)
        try recent.add(1, changes((0..<100).map { (5, KeyWriter.bytes(of: $0)) }))
        #expect(try recent.changes(of: 1...1).keys(of: 5) == .any)
        #expect(try !recent.changes(of: 1...1).isEverything)
        try recent.add(2, changes((0..<81).map { (UInt32($0), [1]) }))
        #expect(try recent.changes(of: 2...2).isEverything)
        try recent.add(3, .everything)
        try recent.add(4, ChangedKeys())
        #expect(try recent.changes(of: 4...4).types.isEmpty)
        #expect(try recent.changes(of: 3...4).isEverything)
    }

    // MARK: Any bytes

    @Test func damagedBytes_areAnError_andNeverATrap() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomChanges(generator: generator, types: 5)
        var recent = RecentChanges(after: 0)
        for commit in UInt64(1)...40 { try recent.add(commit, random.next()) }
        let sound = try [
            ValueWriter.bytes(of: recent.newest), ValueWriter.bytes(of: recent.others),
            ValueWriter.bytes(of: recent.types),
            ValueWriter.bytes(of: recent.commits), ValueWriter.bytes(of: recent.changes),
        ].flatMap { $0 }
        for count in stride(from: 0, to: sound.count, by: 11) {
            #expect(throws: CodingError.self) { try RecentChanges.decoded(Array(sound[..<count])) }
        }
        var decoded = 0
        for _ in 0..<400 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let damaged = try? RecentChanges.decoded(bytes) else { continue }
            decoded += 1
            // What can be read can be used.
            #expect(try damaged.stored() == damaged, "TROVE_TEST_SEED=\(seed)")
            _ = try damaged.changes(of: 1...40)
            var next = damaged
            try next.add(damaged.newest + 1, random.next())
            #expect(try next.stored() == next, "TROVE_TEST_SEED=\(seed)")
        }
        #expect(decoded > 0)
        for _ in 0..<400 {
            let count = Int.random(in: 0...80, using: &generator)
            _ = try? RecentChanges.decoded((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }

    @Test func impossibleEntries_areRefused() throws {
        func entry(
            newest: UInt64 = 9, others: UInt64 = 0, types: [UInt32] = [1, 2], commits: [UInt64] = [9, 8],
            changes: [UInt8] = []
        ) throws -> RecentChanges {
            try RecentChanges.decoded(
                [
                    ValueWriter.bytes(of: newest), ValueWriter.bytes(of: others), ValueWriter.bytes(of: types),
                    ValueWriter.bytes(of: commits), ValueWriter.bytes(of: changes),
                ].flatMap { $0 })
        }
        #expect(try entry().newest == 9)
        #expect(throws: CodingError.self) { try entry(newest: 1 << 62) }
        #expect(throws: CodingError.self) { try entry(others: 10) }
        #expect(throws: CodingError.self) { try entry(types: [1]) }
        #expect(throws: CodingError.self) { try entry(types: [1, 1]) }
        #expect(throws: CodingError.self) { try entry(commits: [8, 9]) }
        #expect(throws: CodingError.self) { try entry(commits: [10, 9]) }
        #expect(throws: CodingError.self) { try entry(changes: [1]) }
        #expect(throws: CodingError.self) { try entry(changes: [5, 1, 0, 0, 0, 3]) }
        #expect(throws: CodingError.self) { try entry(changes: [UInt8](repeating: 0, count: 11)) }
        #expect(try entry(changes: [5, 1, 0, 0, 0, 0]).changes(of: 9...9).keys(of: 1) == .any)
    }
}
