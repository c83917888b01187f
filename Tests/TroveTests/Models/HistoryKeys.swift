// The keys of all records at a commit: read from the store, or followed from the beginning of its history.

import Foundation
import LMDB
import Testing

@testable import Trove

/// The keys of records and links by the key prefix of their type.
struct HistoryKeys: Equatable {
    private var keys: [UInt32: Set<[UInt8]>] = [:]

    var count: Int { keys.values.reduce(0) { $0 + $1.count } }

    init() {}

    /// Reads the keys of all types, except the rows of the history and the types that its rules leave out.
    init(in context: ReadContext) throws {
        let excluded = context.catalogSnapshot.history?.excluded ?? []
        for type in try context.storedTypes() {
            if type.keyPrefix == HistoryRow.schema.keyPrefix || excluded.contains(type.keyPrefix) { continue }
            try context.keyspace.scan(type.records, ScanRange()) { key, _ in
                keys[type.keyPrefix, default: []].insert(copiedBytes(key))
                return .continue
            }
        }
    }

    /// Applies a commit. The change of a key must agree with the keys so far.
    ///
    /// - Parameter types: The types of which any record may have changed in a commit so far. Their keys are unknown.
    mutating func apply(_ commit: HistoryCommit, any types: inout Set<UInt32>, _ note: Comment = "") {
        for entry in commit.entries where !types.contains(entry.keyPrefix) {
            let change = "\(entry.kind) \(entry.key) of \(entry.keyPrefix)"
            let comment: Comment = "\(change), commit \(commit.sequence), \(note)"
            var own = keys[entry.keyPrefix] ?? []
            switch entry.kind {
            case .inserted: #expect(own.insert(entry.key).inserted, comment)
            case .deleted: #expect(own.remove(entry.key) != nil, comment)
            case .updated: #expect(own.contains(entry.key), comment)
            case .any: types.insert(entry.keyPrefix)
            }
            keys[entry.keyPrefix] = own.isEmpty ? nil : own
        }
    }

    /// Applies a commit in which no type may have any change.
    mutating func apply(_ commit: HistoryCommit, _ note: Comment = "") {
        var types: Set<UInt32> = []
        apply(commit, any: &types, note)
        #expect(types == [], note)
    }

    /// Leaves out the keys of some types.
    func without(_ types: Set<UInt32>) -> HistoryKeys {
        var others = self
        for type in types { others.keys[type] = nil }
        return others
    }
}

/// A follower of the whole history of a store, if the store keeps one.
struct HistoryKeysFollower {
    private var keys = HistoryKeys()
    private var token: HistoryToken?

    /// The rules for a random test: every other seed has a history.
    static func policy(_ seed: UInt64) -> HistoryPolicy? { seed % 2 == 0 ? .keep() : nil }

    /// Applies all new commits, and compares their keys with the stored keys.
    mutating func follow(_ store: Store, _ note: Comment) throws {
        try store.read { context in
            guard context.catalogSnapshot.history != nil else { return }
            for commit in try context.history(after: token) {
                keys.apply(commit, note)
                token = commit.token
            }
            #expect(try token == context.historyToken, note)
            #expect(try keys == HistoryKeys(in: context), note)
        }
    }
}

extension HistoryCommit {
    /// The changes of all types in words, such as `updated Note id: 1`, with the kept parts of deleted records.
    var lines: [String] {
        storedChanges.map { change in
            let type = change.type.split(separator: ".").dropFirst().joined(separator: ".")
            let words = [change.kind.rawValue, type, change.key.map { "\($0)" } ?? "", change.tombstone?.json ?? ""]
            return words.filter { !$0.isEmpty }.joined(separator: " ")
        }
    }
}
