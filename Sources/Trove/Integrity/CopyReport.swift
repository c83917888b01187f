// The report of a copy: the contents of the new store.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The contents of a copy of a store.
public struct CopyReport: Hashable, Sendable, Encodable {
    /// A record type.
    public struct RecordType: Hashable, Sendable, Encodable {
        /// The name with its module.
        public var name: String
        /// The relation whose links are the records of the type; nil for a type with records of its own.
        public var links: StoredLinks?
        /// The number of records, each verified.
        public var records: Int
    }

    /// The canonical path of the copy.
    public var path: String
    /// The store's unique identifier, which the copy shares.
    public var identifier: UUID
    /// The number of transactions that had changed the store before the copy.
    public var commitSequence: UInt64
    /// The size of the copy in bytes.
    public var size: Int
    /// The record types, by name.
    public var types: [RecordType]

    /// The number of records.
    public var records: Int { types.reduce(0) { $0 + $1.records } }
}

extension CopyReport: CustomStringConvertible {
    /// A line for each type, and a line for the whole.
    public var description: String {
        (types.map { "\($0.name): \($0.records) \($0.links == nil ? "records" : "links") copied" } + [
            "\(path): copied and verified; \(records) records, \(size) bytes"
        ]).joined(separator: "\n")
    }
}
