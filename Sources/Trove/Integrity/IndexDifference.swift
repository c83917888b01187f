// A difference between an index and its records.

/// A wrong index entry, or a damaged record.
public struct IndexDifference: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of a difference.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A record has no entry.
        case missing
        /// No record derives the entry.
        case orphaned
        /// The record's entry exists, with wrong stored contents.
        case damaged
        /// Two records have equal values in a unique index.
        case notUnique
        /// The record fails its checksum. Its entries cannot be derived.
        case damagedRecord
    }

    /// The record type's name.
    public var type: String
    /// The index, such as `index(age)`; nil for a damaged record.
    public var index: String?
    /// The kind of the difference.
    public var kind: Kind
    /// The key of the record; for an orphaned entry, the key of the entry.
    public var key: StoredKey
    /// The key of the other record with the same values.
    public var other: StoredKey?

    /// The difference, in a single line.
    public var description: String {
        let what =
            switch kind {
            case .missing: "the record with the key \(key) has no entry"
            case .orphaned: "the entry \(key) belongs to no record"
            case .damaged: "the entry of the record with the key \(key) is damaged"
            case .notUnique:
                "the record with the key \(key) has the same values as the record with the key "
                    + (other.map(\.description) ?? "")
            case .damagedRecord: "the record with the key \(key) is damaged"
            }
        return "\(type)\(index.map { ", " + $0 } ?? ""): \(what)"
    }
}
