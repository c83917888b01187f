// What the opener of a store may choose.

import LMDB

/// How a store is opened.
///
/// The defaults are right for almost everyone.
public struct StoreOptions: Hashable, Sendable {
    /// When a transaction counts as committed.
    public enum Durability: Hashable, Sendable {
        /// When it is on disk: a power cut loses nothing that was acknowledged.
        case full
        /// When its data is on disk, but perhaps not the page that makes it current: a power cut may undo the last
        /// transactions, and leaves the store sound. About a third less time a commit.
        case noMetaSync
        /// At once: a power cut may leave the store unusable. Only for stores that can be made again.
        case noSync
    }

    /// The size of the memory map in bytes, the most that the store can grow to before the map does; nil for the
    /// automatic size, which no one runs out of: 1 TiB of address space, not memory or disk (4 GiB on iOS and its kin).
    public var mapSize: Int?
    /// The most read transactions of all processes together.
    public var maximumReaders: Int
    /// The most tables: one for each record type, and a few of the store's own. Each costs a write transaction about
    /// a quarter of a nanosecond to begin.
    public var maximumTables: Int
    /// When a transaction counts as committed.
    public var durability: Durability
    /// Whether the store is opened without the possibility to write.
    public var isReadOnly: Bool
    /// The mode of files that are created, as for `chmod`.
    public var fileMode: UInt16
    /// Whether the checksum of every record is verified when it is read; a few nanoseconds a record.
    public var verifiesChecksums: Bool

    /// Makes options, each with its default.
    public init(
        mapSize: Int? = nil, maximumReaders: Int = 512, maximumTables: Int = 512, durability: Durability = .full,
        isReadOnly: Bool = false, fileMode: UInt16 = 0o600, verifiesChecksums: Bool = false
    ) {
        self.mapSize = mapSize
        self.maximumReaders = maximumReaders
        self.maximumTables = maximumTables
        self.durability = durability
        self.isReadOnly = isReadOnly
        self.fileMode = fileMode
        self.verifiesChecksums = verifiesChecksums
    }

    func environmentOptions(isTemporary: Bool = false) -> EnvironmentOptions {
        var options = EnvironmentOptions(
            mapSize: mapSize, maximumReaders: maximumReaders, maximumDatabases: maximumTables,
            durability: isTemporary ? .noSync : durability.ofEnvironment, isReadOnly: isReadOnly, fileMode: fileMode)
        options.isTemporary = isTemporary
        return options
    }
}

extension StoreOptions.Durability {
    fileprivate var ofEnvironment: EnvironmentOptions.Durability {
        switch self {
        case .full: .full
        case .noMetaSync: .noMetaSync
        case .noSync: .noSync
        }
    }
}
