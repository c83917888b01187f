// A position in the history of a store.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A position in the history of a store, after a commit.
///
/// It is `Codable`, and can be a property of a record. The record can be stored in the same write as the results of the
/// commits before the position. In the store of the history itself, leave the type of the record out of the history by
/// ``HistoryPolicy/excluding(_:)``: otherwise each stored token is a new commit.
///
/// A token belongs to a store and to its copies, as long as these have the same commits. With another store, or with a
/// copy that has gone another way, ``ReadContext/history(after:limit:)`` throws.
public struct HistoryToken: Hashable, Sendable, RawRepresentable, Codable, RecordValue {
    /// The identifier of the store.
    let store: UUID
    /// The number of the commit.
    let commit: UInt64
    /// The random number of the commit.
    let identifier: UInt64

    init(store: UUID, commit: UInt64, identifier: UInt64) {
        self.store = store
        self.commit = commit
        self.identifier = identifier
    }

    /// The number of the commit before the position, as in ``HistoryCommit/sequence``.
    public var sequence: UInt64 { commit }

    /// Creates a token from its text; nil if the text is none.
    public init?(rawValue: String) {
        let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let store = UUID(uuidString: String(parts[0])), let commit = UInt64(parts[1]),
            let identifier = UInt64(parts[2], radix: 16)
        else { return nil }
        self.init(store: store, commit: commit, identifier: identifier)
        // A number can be written in several ways, a token in a single way.
        guard self.rawValue == rawValue else { return nil }
    }

    /// The token as a text, such as `5E0B7A52-0C3C-4C60-8F0B-8A9F0E6C4D1B.17.9f3a2c5d7e1b4a68`.
    public var rawValue: String { "\(store.uuidString).\(commit).\(String(identifier, radix: 16))" }
}

extension HistoryToken: CustomStringConvertible {
    /// The text of the token.
    public var description: String { rawValue }
}
