// The report of a salvage: the records copied from a damaged store, and the losses.

import LMDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The result of `Store.salvage(from:to:strayPages:progress:)`: the records copied, and the losses.
public struct SalvageReport: Hashable, Sendable, Codable {
    /// A record table.
    public struct Table: Hashable, Sendable, Codable {
        /// The record type, with its module; nil if its catalog entry is lost.
        ///
        /// The records of such a type are copied too. They are visible again as soon as a program writes a record of
        /// the type.
        public var type: String?
        /// The relation whose links are the records of the table; nil for a type with records of its own.
        public var links: StoredLinks?
        /// The table's name in the damaged file. During a migration to other keys, a type has two tables.
        public var name: String
        /// The number of records according to the store; nil if it is lost.
        public var recorded: UInt64?
        /// The total number of records copied.
        public var copied: UInt64 = 0
        /// The number of copied records from stray pages.
        public var copiedFromStrayPages: UInt64 = 0
        /// The number of records that failed their checksum or could not be read.
        public var damaged: UInt64 = 0
        /// Whether the table is copied from the commit before the last, because the table of the last commit could not
        /// be reached.
        public var isOfCommitBefore = false

        /// Whether every record of the last commit was copied.
        public var isComplete: Bool {
            type != nil && damaged == 0 && !isOfCommitBefore && copied == recorded
        }
    }

    /// The verification of the damaged file.
    public var source: FileReport
    /// The record tables, in the order of their names.
    public var tables: [Table] = []
    /// The indexes and unique constraints, each after its type's name with the module, such as
    /// `App.Person, index(age)`. When a program with their declarations opens the new store, they are rebuilt from the
    /// copied records.
    public var indexesToRebuild: [String] = []
    /// The identifier of the old store, which the new store keeps.
    public var identifier: UUID?
    /// Whether the old store's identifier was lost, so that the new store has a new identifier.
    public var hasNewIdentifier = false
    /// The number of links of symmetric relations that were copied in one direction, and have both again.
    public var restoredLinks: UInt64 = 0
    /// Whether the records from stray pages may include deleted or older records, because the free pages are not fully
    /// known.
    public var mayHoldDeletedRecords = false
    /// The losses in the meta pages and the catalog, in words.
    public var losses: [String] = []

    /// Whether nothing was lost.
    public var isComplete: Bool { losses.isEmpty && !mayHoldDeletedRecords && tables.allSatisfy(\.isComplete) }
    /// The number of records copied.
    public var copied: UInt64 { tables.reduce(0) { $0 + $1.copied } }
}

extension SalvageReport: CustomStringConvertible {
    /// A line for each table and for each loss, and the verdict.
    public var description: String {
        var lines = tables.map { table in
            let damaged = table.damaged > 0 ? ", \(table.damaged) damaged" : ""
            return "\(table.type ?? "table \(table.name) of an unknown type"): "
                + "\(table.copied) \(table.links == nil ? "records" : "links") copied\(damaged)"
        }
        lines += losses.map { "lost: \($0)" }
        return (lines + ["\(isComplete ? "everything was copied" : "something was lost"); \(copied) records"])
            .joined(separator: "\n")
    }
}
