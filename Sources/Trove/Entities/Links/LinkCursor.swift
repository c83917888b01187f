// A cursor over links, in the order of an end.
//
// Where most owners of the table are wanted, a single scan passes over the others. Where few are, the cursor seeks
// each.

import LMDB
import TroveCoding

/// A cursor over the links of an owner, or of several owners whose keys ascend.
struct LinkCursor: ~Copyable {
    /// The number of entries passed over before the cursor seeks the next owner.
    private static let patience = 8

    private let links: LinkTable
    private let database: Database
    private let hasPosition: Bool
    /// The end of the last owner's entries.
    private let end: [UInt8]?
    private var owner: [UInt8]
    /// Whether the scan ends with the owner's entries.
    private let hasOneOwner: Bool
    private var keys: KeyCursor
    /// Whether the owner was found by a seek.
    private var isSparse = true

    /// Creates a cursor over the links of an owner.
    ///
    /// - Parameters:
    ///   - side: The end of the owner.
    ///   - entry: The entry after which the cursor begins; nil for all links.
    init(
        _ links: LinkTable, _ side: LinkSide, of owner: [UInt8], after entry: [UInt8]? = nil, isDescending: Bool = false
    ) throws {
        let database = try links.database(of: side, owner)
        var range = KeyRange(prefix: owner)
        let end = range.upper
        if let entry { range = isDescending ? range.before(entry) : range.after(entry) }
        keys = try KeyCursor(links.keyspace, database, ScanRange(range, isDescending: isDescending))
        self.links = links
        self.database = database
        self.end = end
        self.owner = owner
        hasOneOwner = true
        hasPosition = links.relation.form.position(on: side) != nil
    }

    /// Creates a cursor over the links of several owners. ``move(to:)`` moves to the first of them.
    ///
    /// - Parameters:
    ///   - side: The end of the owners.
    ///   - owners: The keys of the owners in ascending order, at least one.
    init(_ links: LinkTable, _ side: LinkSide, of owners: KeyViews) throws {
        database = try links.database(of: side, owners[0])
        self.links = links
        owner = []
        hasOneOwner = false
        hasPosition = links.relation.form.position(on: side) != nil
        end = KeyRange(prefix: owners[owners.count - 1].copy()).upper
        keys = KeyCursor()
    }

    /// Moves to the first link of an owner, whose key is greater than the previous owner's.
    mutating func move(to next: ByteView) throws {
        owner.removeAll(keepingCapacity: true)
        next.append(to: &owner)
        var passed = 0
        while keys.isFetched || (!isSparse && passed < Self.patience) {
            guard let key = try keys.key() else { return }
            if key.compare(next) >= 0 {
                isSparse = false
                return
            }
            keys.advance()
            passed += 1
        }
        if keys.isOver { return }
        isSparse = true
        keys = try KeyCursor(links.keyspace, database, ScanRange(from: owner, upTo: end))
    }

    /// Returns the next link of the owner; nil after the last. The entry holds until the transaction writes.
    ///
    /// - Parameter limit: The maximum number of links to fetch.
    @inline(__always)
    mutating func next(atMost limit: Int = .max) throws -> LinkEntry? {
        guard let key = try keys.key(atMost: limit), isOfOwner(key) else { return nil }
        keys.advance()
        return try links.entry(key, after: owner.count, hasPosition: hasPosition)
    }

    /// Returns whether the owner has another link.
    mutating func hasNext() throws -> Bool {
        guard let key = try keys.key() else { return false }
        return isOfOwner(key)
    }

    @inline(__always)
    private func isOfOwner(_ key: ByteView) -> Bool { hasOneOwner || key.starts(with: owner) }
}
