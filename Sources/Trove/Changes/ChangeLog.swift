// The changes of the last commits, by the number of the commit.
//
//     entries   [ 1…40 joined ][ 41…41 ][ 42…42 ]     [ 44…44 ]        a gap: commit 43 is of another process
//
// Beyond a number of entries, the older half is joined into one. So nothing is forgotten, and old changes get coarse:
// of many keys, only the types are left.

/// The changes of commits in ascending order.
struct ChangeLog: Sendable {
    /// Some commits that follow each other, and the union of their changes.
    struct Entry: Sendable {
        var commits: ClosedRange<UInt64>
        var changes: ChangedKeys
        /// Whether all of the commits are of this process.
        var isOwn: Bool
    }

    /// The changes between two commits.
    struct Extract {
        var changes = ChangedKeys()
        /// Whether all of the commits are of this process.
        var isOwn = true
        /// The commits about which nothing is known.
        var gaps: [ClosedRange<UInt64>] = []
    }

    /// The maximum number of entries, and of bytes of their keys.
    static let (entryLimit, byteLimit) = (64, 65_536)

    private(set) var entries: [Entry] = []
    private var size = 0

    /// Adds the changes of some commits. Changes of known commits are united with the known changes.
    mutating func add(_ commits: ClosedRange<UInt64>, _ changes: ChangedKeys, isOwn: Bool) {
        size += changes.size
        if entries.last.map({ $0.commits.upperBound < commits.lowerBound }) ?? true {
            entries.append(Entry(commits: commits, changes: changes, isOwn: isOwn))
        } else {
            insert(commits, changes, isOwn: isOwn)
        }
        if entries.count > Self.entryLimit || size > Self.byteLimit { joinOlderHalf() }
    }

    private mutating func insert(_ commits: ClosedRange<UInt64>, _ changes: ChangedKeys, isOwn: Bool) {
        let first = entries.firstIndex { $0.commits.upperBound >= commits.lowerBound } ?? entries.endIndex
        let end = entries[first...].firstIndex { $0.commits.lowerBound > commits.upperBound } ?? entries.endIndex
        let new = Entry(commits: commits, changes: changes, isOwn: isOwn)
        let joined = entries[first..<end].reduce(into: new) { $0.formUnion($1) }
        entries.replaceSubrange(first..<end, with: [joined])
    }

    private mutating func joinOlderHalf() {
        let half = entries.prefix(max(2, entries.count / 2))
        guard half.count > 1, let first = half.first else { return }
        let joined = half.dropFirst().reduce(into: first) { $0.formUnion($1) }
        entries.replaceSubrange(..<half.endIndex, with: [joined])
        size = entries.reduce(0) { $0 + $1.changes.size }
    }

    /// Returns the changes after a commit, up to another.
    func changes(after first: UInt64, through last: UInt64) -> Extract {
        var extract = Extract()
        var known = first
        for entry in entries where entry.commits.upperBound > first && entry.commits.lowerBound <= last {
            if entry.commits.lowerBound > known + 1 { extract.gaps.append(known + 1...entry.commits.lowerBound - 1) }
            extract.changes.formUnion(entry.changes)
            extract.isOwn = extract.isOwn && entry.isOwn
            known = entry.commits.upperBound
        }
        if known < last { extract.gaps.append(known + 1...last) }
        if !extract.gaps.isEmpty { extract.isOwn = false }
        return extract
    }
}

extension ChangeLog.Entry {
    /// Joins a neighbor. Commits between the two are unknown: any record may have changed.
    fileprivate mutating func formUnion(_ other: ChangeLog.Entry) {
        let (low, high) = (
            min(commits.lowerBound, other.commits.lowerBound), max(commits.upperBound, other.commits.upperBound)
        )
        let isGapless =
            commits.overlaps(other.commits) || commits.upperBound + 1 == other.commits.lowerBound
            || other.commits.upperBound + 1 == commits.lowerBound
        commits = low...high
        changes.formUnion(isGapless ? other.changes : .everything)
        isOwn = isOwn && other.isOwn && isGapless
    }
}
