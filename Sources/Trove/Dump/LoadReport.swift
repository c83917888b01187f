// The result of loading text into a store.

/// The result of loading text into a store: the records by type, and the indexes that their program has to rebuild.
public struct LoadReport: Hashable, Sendable, Codable {
    /// A record type.
    public struct RecordType: Hashable, Sendable, Codable {
        /// The name with its module.
        public var name: String
        /// The relation whose links are the records of the type; nil for a type with records of its own.
        public var links: StoredLinks?
        /// The number of records stored, including replaced records.
        public var loaded = 0
        /// The number of records left out, because their keys existed.
        public var skipped = 0
        /// The emptied indexes, such as `index(age)`.
        public var indexesToRebuild: [String] = []
    }

    /// The record types, in the order of the text.
    public var types: [RecordType] = []
    /// The number of records stored.
    public var records: Int { types.reduce(0) { $0 + $1.loaded } }
}
