// The size and state of a whole store, as a value.

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
    /// The features of the format that the store uses, by their groups and numbers. Each store starts without any.
    public var features: [StoreFeature]
    /// The bytes of the file that have ever been used, including free pages.
    public var usedSize: Int
    /// The size of the memory map in bytes: the maximum size of the file until the map grows.
    public var mapSize: Int
    /// The size of a page in bytes.
    public var pageSize: Int
    /// The format of the file, which is that of the loaded liblmdb.
    public var fileFormat: FileFormat
    /// The release of liblmdb, and whether it was built from source: `0.9.24`, or `0.9.70 (built from source)`.
    public var library: String
    /// The maximum number of read transactions of all processes together.
    public var maximumReaders: Int
    /// The readers of the store.
    public var readers: [StoreReader]
}
