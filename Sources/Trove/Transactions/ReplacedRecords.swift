// The records that a statement's collision rules have removed.

/// The stored values of removed records, by type and key.
struct ReplacedRecords {
    private var values: [UInt32: [[UInt8]: [UInt8]]] = [:]

    subscript(_ keyPrefix: UInt32, _ key: [UInt8]) -> [UInt8]? {
        get { values[keyPrefix]?[key] }
        set { values[keyPrefix, default: [:]][key] = newValue }
    }

    /// Adds the records of a nested transaction.
    mutating func formUnion(_ other: ReplacedRecords) {
        values.merge(other.values) { $0.merging($1) { $1 } }
    }
}
