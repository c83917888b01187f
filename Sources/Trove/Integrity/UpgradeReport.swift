// The reports of an upgrade: what it would do, and what it did.

import LMDB

/// The format of a store's file, and what its upgrade to the format of the loaded liblmdb would need.
public struct UpgradePlan: Hashable, Sendable, Codable {
    /// The store's file.
    public var path: String
    /// The format of the file.
    public var format: FileFormat
    /// The format of the loaded library.
    public var target: FileFormat
    /// The release of liblmdb, and whether it was built from source.
    public var library: String
    /// Whether a process has the store open. An upgrade waits for it.
    public var isInUse: Bool
    /// The free space that an upgrade needs on the volume, in bytes.
    public var neededSpace: Int
    /// The free space of the volume in bytes; nil if the system does not say.
    public var availableSpace: UInt64?

    /// Whether there is nothing to do.
    public var isUpToDate: Bool { format == target }
}

/// The result of `Store.upgrade(path:keepingOriginal:progress:)`.
public struct UpgradeReport: Hashable, Sendable, Codable {
    /// The store's file.
    public var path: String
    /// The format before the upgrade.
    public var from: FileFormat
    /// The format of the file now.
    public var to: FileFormat
    /// The release of liblmdb, and whether it was built from source.
    public var library: String
    /// The number of tables; 0 if there was nothing to do.
    public var tables = 0
    /// The number of entries of all tables; 0 if there was nothing to do.
    public var entries: UInt64 = 0
    /// The size of the file before the upgrade, in bytes.
    public var sizeBefore: Int
    /// The size of the file now, in bytes.
    public var sizeAfter: Int
    /// The path of the old file, if it was kept.
    public var original: String?

    /// Whether the file was converted.
    public var hasConverted: Bool { from != to }
}
