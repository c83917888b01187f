// A walk over the links of entities.

import LMDB
import TroveCoding

/// A walk over the links of some owners: the links of an owner in the order of its list, one owner after another.
final class LinkWalk: SourceKeyWalk {
    private let table: LinkTable
    private let side: LinkSide
    private let isDescending: Bool
    private let owners: any OwnerStream
    /// The keys found so far; nil if no key is found twice.
    private var seen: Set<[UInt8]>?
    /// The entry after which the walk of the first owner begins.
    private var start: [UInt8]?

    /// The links of the current owner.
    private var links: LinkCursor?

    /// - Parameters:
    ///   - side: The side of the owners.
    ///   - findsKeysOnce: Whether no two owners are linked with the same key.
    init(
        _ table: LinkTable, _ side: LinkSide, _ owners: any OwnerStream, findsKeysOnce: Bool, isDescending: Bool
    ) {
        self.table = table
        self.side = side
        self.owners = owners
        self.isDescending = isDescending
        seen = findsKeysOnce ? nil : []
    }

    /// Begins the walk of the first owner after an entry.
    func begin(after entry: [UInt8]) { start = entry }

    /// Skips the keys up to a key. Returns whether the walk has found it.
    func skip(through key: [UInt8]) throws -> Bool {
        while let found = try nextKey(atMost: .max) {
            if found.compare(key) == 0 { return true }
        }
        return false
    }

    func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool {
        let start = keys.count
        while keys.count - start < limit, let key = try nextKey(atMost: limit - (keys.count - start)) {
            keys.append(key: key)
        }
        return keys.count > start
    }

    /// Returns the next key that was not found before, valid until the next call.
    private func nextKey(atMost limit: Int) throws -> ByteView? {
        while true {
            if let link = try links?.next(atMost: limit) {
                if seen?.insert(link.target.copy()).inserted ?? true { return link.target }
                continue
            }
            links = nil
            guard let owner = try owners.next() else { return nil }
            links = try LinkCursor(table, side, of: owner, after: start.take(), isDescending: isDescending)
        }
    }
}
