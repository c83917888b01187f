// A difference between an index and its records.

/// A wrong index entry, a wrong link, or a record that is damaged or cannot be read.
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
        /// The record is intact, and its type cannot decode it: a case was removed from an enum. Its entries are not
        /// checked. `get` throws the reason.
        case unreadableRecord
        /// The entity at the end of a relation to one has two links.
        case secondLink
        /// A link of a symmetric relation is stored in one direction only.
        case missingDirection
        /// A list of links is not in the catalog, or lacks links. Reads of the list throw
        /// ``StoreError/RecordError/indexDamaged(type:index:key:)`` until a rebuild.
        case incompleteList
        /// The gathered text of the record differs from the text that the closure of the index returns now.
        case stale
        /// The totals of a group are not those of its records.
        case wrongTotals
        /// The counts of a ranked index are not those of its entries.
        case wrongRanks

        /// Whether the key of a difference is the key of an entry, not of a record.
        package var isOfEntries: Bool { self == .orphaned || self == .wrongTotals || self == .wrongRanks }
    }

    /// The maximum number of differences to report.
    static let limit = 1000

    /// The record type's name.
    public var type: String
    /// The index, such as `index(age)`; nil for a damaged record, and for a link.
    public var index: String?
    /// The kind of the difference.
    public var kind: Kind
    /// The key of the record; for an orphaned entry, the key of the entry; for wrong totals, the group; for wrong
    /// ranks, the entry, or empty for the first entries; empty for an incomplete list.
    public var key: StoredKey
    /// The key of the other record with the same values, or of the other link of the same entity.
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
            case .unreadableRecord: "the record with the key \(key) is intact, and its type cannot read it"
            case .secondLink:
                "the link \(key) is a second link of a relation to one, beside \(other.map(\.description) ?? "")"
            case .missingDirection: "the link \(key) is stored in one direction only"
            case .wrongTotals: "the totals of the group \(key) are not those of its records"
            case .wrongRanks: "the counts at the entry \(key) are not those of the entries"
            case .stale: "the text of the record with the key \(key) is not the text that is gathered now"
            case .incompleteList: "the list of links is not in the catalog, or lacks links"
            }
        return "\(type)\(index.map { ", " + $0 } ?? ""): \(what)"
    }
}
