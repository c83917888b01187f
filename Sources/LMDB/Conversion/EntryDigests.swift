// The comparison of two files by their entries.

/// The tables of a file, in order, each with a checksum over all of its entries.
struct EntryDigests: Equatable {
    struct Table: Equatable {
        var name: String
        var entries: UInt64 = 0
        var checksum = CRC32C()
    }

    private(set) var tables: [Table] = []

    /// The number of entries of all tables.
    var entries: UInt64 { tables.reduce(0) { $0 + $1.entries } }

    /// Begins a table.
    mutating func begin(_ name: String) { tables.append(Table(name: name)) }

    /// Adds an entry to the last table.
    ///
    /// - Returns: Whether all bytes of the value could be read.
    mutating func add(_ entry: FileEntry) -> Bool {
        let last = tables.count - 1
        var checksum = tables[last].checksum
        entry.withKey { key in
            unsafe withUnsafeBytes(of: (UInt64(key.byteCount), UInt64(entry.value.size))) {
                unsafe checksum.update($0.bytes)
            }
            checksum.update(key)
        }
        let isRead = entry.value.forEachPiece { checksum.update($0) }
        tables[last].checksum = checksum
        tables[last].entries += 1
        return isRead
    }
}
