// The size and state of a whole store.

import LMDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The size and state of a store.
public struct StoreInfo: Hashable, Sendable, Encodable {
    /// The canonical path of the store's file.
    public var path: String
    /// The random identifier of the store and of its copies.
    public var identifier: UUID
    /// The number of commits with changes.
    public var commitSequence: UInt64
    /// The bytes of the file that have ever been used, including free pages.
    public var usedSize: Int
    /// The size of the memory map in bytes: the maximum size of the file until the map grows.
    public var mapSize: Int
    /// The size of a page in bytes.
    public var pageSize: Int
    /// The maximum number of read transactions of all processes together.
    public var maximumReaders: Int
    /// The readers of the store.
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
