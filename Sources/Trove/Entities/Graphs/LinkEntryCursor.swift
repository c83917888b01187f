// The links of many owners, read in the order of the owners' keys.
//
// Where most owners of the table are wanted, a single scan passes over the others. Where few are, the cursor seeks
// each.

import LMDB
import TroveCoding

/// A cursor over the entries of some owners, whose keys ascend.
struct LinkEntryCursor: ~Copyable {
    /// The number of entries passed over before the cursor seeks the next owner.
    private static let patience = 8

    private let keyspace: Keyspace
    private let database: Database
    /// The end of the last owner's entries.
    private let end: [UInt8]?
    private var scan: RangeScan?
    private var batch: EntryBatch?
    private var position = 0
    /// Whether the last owner was found by a seek.
    private var isSparse = true

    /// - Parameter last: The key of the last owner.
    init(_ keyspace: Keyspace, _ database: Database, upTo last: ByteView) {
        self.keyspace = keyspace
        self.database = database
        end = KeyRange(prefix: last.copy()).upper
    }

    /// The key of the entry at the position; nil at the end. It is valid until the next move.
    var entry: ByteView? {
        guard let batch, position < batch.count else { return nil }
        return batch[position].key
    }

    /// Moves to the next entry.
    mutating func advance() throws {
        position += 1
        if let batch, position == batch.count { try fetch() }
    }

    /// Moves to the first entry of an owner, or after the place where it would be.
    mutating func move(to owner: ByteView) throws {
        var passed = 0
        while let key = entry {
            if key.compare(owner) >= 0 {
                isSparse = false
                return
            }
            position += 1
            passed += 1
            guard let batch, position == batch.count else { continue }
            if isSparse || passed >= Self.patience { break }
            try fetch()
        }
        if scan != nil, batch == nil { return }
        isSparse = true
        scan = try keyspace.scan(database, ScanRange(from: owner.copy(), upTo: end), mayWrite: false)
        try fetch()
    }

    private mutating func fetch() throws {
        position = 0
        batch = try scan?.next()
    }
}
