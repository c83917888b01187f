// The changes of the last commits, as the catalog's entry `recent` stores them for other processes.
//
//     recent  = newest(UInt64) others(UInt64) types([UInt32]) commits([UInt64]) changes([UInt8])
//     newest  = the number of the commit that stored the entry
//     types   = the key prefixes of the types changed last, at most 32; the type changed last comes first
//     commits = for each of these types, the number of the last commit that changed it
//     others  = a commit after which no other type has changed
//     changes = { count(LEB128) byte* }            the changes of the commits newest, newest - 1, …, at most 1,000
//                                                  bytes; ChangedKeys+Encoding.swift has their form
//
// A program that does not know the entry commits without storing it: then `newest` is not the number of the last
// commit. So the entry can lack changes, and shows that it does.

import TroveCoding

/// The keys that the last commits have changed, and the last change of each type.
struct RecentChanges: Hashable, Sendable {
    /// The maximum number of bytes of all changes, and of the changes of a commit. A commit with more lists its types
    /// alone.
    static let (byteLimit, commitLimit) = (1000, 400)
    /// The maximum number of bytes that stay when the changes exceed their limit. So the next commits need not count
    /// again.
    static let keptBytes = 750
    /// The maximum number of types with a commit of their own.
    static let typeLimit = 32

    private(set) var newest: UInt64
    private(set) var others: UInt64
    private(set) var types: [UInt32] = []
    private(set) var commits: [UInt64] = []
    private(set) var changes: [UInt8] = []

    /// Creates the entry of a store of whose commits nothing is known.
    ///
    /// - Parameter newest: The number of the last commit.
    init(after newest: UInt64) {
        self.newest = newest
        others = newest
    }

    // MARK: Writing

    /// Adds the changes of a commit. If it does not follow the newest, the changes of all earlier commits are unknown.
    mutating func add(_ commit: UInt64, _ changed: ChangedKeys) throws(CodingError) {
        if commit != newest + 1 { self = RecentChanges(after: commit - 1) }
        guard let encoded = try changed.encoded(upTo: Self.commitLimit) else {
            self = RecentChanges(after: commit)
            return
        }
        newest = commit
        changed.forEachType { note($0) }
        try changes.insert(contentsOf: ValueWriter.bytes(of: encoded), at: 0)
        if changes.count > Self.byteLimit { try changes.removeSubrange(endOfKept()...) }
    }

    /// Makes a type the type changed last.
    private mutating func note(_ type: UInt32) {
        if types.first == type {
            commits[0] = newest
            return
        }
        if let index = types.firstIndex(of: type) {
            types.remove(at: index)
            commits.remove(at: index)
        }
        types.insert(type, at: 0)
        commits.insert(newest, at: 0)
        guard types.count > Self.typeLimit else { return }
        types.removeLast()
        others = max(others, commits.removeLast())
    }

    /// Returns the end of the last commit whose changes are within the limit.
    private func endOfKept() throws(CodingError) -> Int {
        var end = 0
        try changes.withRawSpan { (bytes) throws(CodingError) in
            try ValueReader.read(bytes) { (reader) throws(CodingError) in
                while reader.remaining > 0 {
                    try reader.skip(reader.readLength())
                    if reader.offset <= Self.keptBytes { end = reader.offset }
                }
            }
        }
        return end
    }

    // MARK: Reading

    /// Returns the keys that some commits may have changed.
    func changes(of commits: ClosedRange<UInt64>) throws(CodingError) -> ChangedKeys {
        guard commits.upperBound <= newest else { return .everything }
        var known = ChangedKeys()
        var next = newest
        try forEachCommit { commit, changes in
            if commits.contains(commit) { known.formUnion(changes) }
            next = commit - 1
        }
        guard next >= commits.lowerBound else { return known }
        // Of the commits up to `next`, only the last change of each type is known.
        if others >= commits.lowerBound { return .everything }
        for (type, last) in zip(types, self.commits) where last >= commits.lowerBound { known.noteAny(type) }
        return known
    }

    private func forEachCommit(_ body: (UInt64, ChangedKeys) -> Void) throws(CodingError) {
        try changes.withRawSpan { (bytes) throws(CodingError) in
            try ValueReader.read(bytes) { (reader) throws(CodingError) in
                var commit = newest
                while reader.remaining > 0 {
                    guard commit > 0 else { throw reader.malformed("the changes of the last commits") }
                    let count = try reader.readCount()
                    body(commit, try ChangedKeys(decoding: &reader, count: count))
                    commit -= 1
                }
            }
        }
    }
}

extension RecentChanges {
    /// Reads the entry, and checks all of it.
    init(decoding reader: inout ValueReader) throws(CodingError) {
        newest = try UInt64(decoding: &reader)
        others = try UInt64(decoding: &reader)
        types = try [UInt32](decoding: &reader)
        commits = try [UInt64](decoding: &reader)
        changes = try [UInt8](decoding: &reader)
        let isDescending = zip(commits, commits.dropFirst()).allSatisfy { $0 >= $1 }
        guard newest < 1 << 62, others <= newest, commits.first ?? 0 <= newest, isDescending,
            types.count == commits.count, Set(types).count == types.count
        else { throw reader.malformed("the types changed last") }
        try forEachCommit { _, _ in }
    }
}
