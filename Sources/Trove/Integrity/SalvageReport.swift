// What was taken out of a damaged store, and what was not.

import LMDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What ``Store/salvage(from:to:strayPages:progress:)`` has copied, and what was lost.
public struct SalvageReport: Hashable, Sendable, Codable {
    /// A table of records.
    public struct Table: Hashable, Sendable, Codable {
        /// The record type, with its module; nil where the catalog's entry for it is lost.
        ///
        /// Its records are copied all the same: they are there again when a program writes a record of the type.
        public var type: String?
        /// The table's name in the damaged file. While a migration to other keys is under way, a type has two.
        public var name: String
        /// How many records the store says it had; nil where nothing says so any more.
        public var recorded: UInt64?
        /// How many were copied, in all.
        public var copied: UInt64 = 0
        /// How many of these come from stray pages.
        public var copiedFromStrayPages: UInt64 = 0
        /// How many were found with a wrong checksum, or could not be read.
        public var damaged: UInt64 = 0
        /// Whether the table is as of the commit before the last, because the last one's was out of reach.
        public var isOfCommitBefore = false

        /// Whether each record of the last commit was copied.
        public var isComplete: Bool {
            type != nil && damaged == 0 && !isOfCommitBefore && copied == recorded
        }
    }

    /// What was found in the damaged file.
    public var source: FileReport
    /// The tables of records, in the order of their names.
    public var tables: [Table] = []
    /// The indexes and unique constraints, each behind its type's name. They are made anew of the records that were copied,
    /// when a program opens the new store that declares them.
    public var tablesToRebuild: [String] = []
    /// The number that tells the new store from others: the old store's.
    public var identifier: UUID?
    /// Whether the old store's identifier was lost, and the new one has another.
    public var hasNewIdentifier = false
    /// Whether old records may be among those from stray pages, because it is not known of all pages whether
    /// they are free.
    public var mayHoldDeletedRecords = false
    /// What is lost of the head of the file and of the catalog, in words.
    public var losses: [String] = []

    /// Whether nothing was lost.
    public var isComplete: Bool { losses.isEmpty && !mayHoldDeletedRecords && tables.allSatisfy(\.isComplete) }
    /// How many records were copied.
    public var copied: UInt64 { tables.reduce(0) { $0 + $1.copied } }
}
