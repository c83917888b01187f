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
        /// The indexes that were built after the records were loaded.
        public var rebuiltIndexes: [String] = []
    }

    /// The record types, in the order of the text.
    public var types: [RecordType] = []
    /// The number of records stored.
    public var records: Int { types.reduce(0) { $0 + $1.loaded } }
    /// Whether a dump in the text is of an earlier version of Trove: it does not end with the number of its records, so
    /// that it may be cut.
    public var mayBeIncomplete = false
}

extension LoadReport: CustomStringConvertible {
    /// A line for each type and for each emptied or rebuilt index, and a line for the whole.
    public var description: String {
        var lines = types.flatMap { type in
            let noun = type.links == nil ? "records" : "links"
            let skipped = type.skipped > 0 ? ", \(type.skipped) skipped" : ""
            return ["\(type.name): \(type.loaded) \(noun) loaded\(skipped)"]
                + type.rebuiltIndexes.map { "\(indexName($0, of: type.name)): rebuilt" }
                + type.indexesToRebuild.map { "\(indexName($0, of: type.name)): emptied" }
        }
        if mayBeIncomplete { lines.append("a dump without the number of its records: it may be incomplete") }
        return (lines + ["\(records) records loaded"]).joined(separator: "\n")
    }
}
