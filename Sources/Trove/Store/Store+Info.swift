// What can be told about a store as a whole.

import LMDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The size and state of a store.
public struct StoreInfo: Hashable, Sendable, Encodable {
    /// The canonical path of its file.
    public var path: String
    /// The random number that tells it, and its copies, from all others.
    public var identifier: UUID
    /// How many transactions have changed it.
    public var commitSequence: UInt64
    /// The bytes of the file that have ever been used, free pages among them.
    public var usedSize: Int
    /// The size of the memory map in bytes, the most that the file can grow to before the map does.
    public var mapSize: Int
    /// The size of a page in bytes.
    public var pageSize: Int
    /// The most read transactions of all processes together.
    public var maximumReaders: Int
    /// Who reads it.
    public var readers: [StoreReader]
}

extension Store {
    /// The size and state of the store.
    ///
    /// - Throws: ``StoreError``.
    public var info: StoreInfo {
        get throws {
            let (identifier, sequence) = try read { context in
                let catalog = try context.catalogStorage()
                return (try catalog.storeEntry().identifier, try catalog.number(.commitSequence))
            }
            let readers = try readers
            return try translatingErrors {
                let info = try environment.info
                return StoreInfo(
                    path: path, identifier: identifier, commitSequence: sequence, usedSize: info.usedSize,
                    mapSize: info.mapSize, pageSize: info.pageSize, maximumReaders: info.maximumReaders,
                    readers: readers)
            }
        }
    }
}
