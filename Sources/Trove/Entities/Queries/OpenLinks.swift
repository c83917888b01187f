// The links of entities in a transaction.

import LMDB
import TroveCoding

/// A source of links in a transaction.
final class OpenLinks: OpenKeySource {
    private let source: LinkSource
    private let context: ReadContext
    /// The links; nil if the store has none of the relation.
    private let table: LinkTable?
    /// The side of the walked entities in the links.
    private let side: LinkSide
    /// The ordinal of an owner's positions in a link's record; nil if the links of an owner have no order.
    private let positionOrdinal: Int?
    private lazy var owners = Result { try ownerList() }
    /// Memory for the key of a link's record.
    private var pair: [UInt8] = []

    /// The number of owners up to which each is tested by a lookup.
    private static let lookupLimit = 4

    /// Owners in memory, in order.
    private struct OwnerList {
        var keys: [[UInt8]] = []
        /// The places of the keys, if there are many.
        var places: [[UInt8]: Int] = [:]

        init(_ keys: [[UInt8]]) {
            self.keys = keys
            guard keys.count > lookupLimit else { return }
            places.reserveCapacity(keys.count)
            for (place, key) in keys.enumerated() { places[key] = place }
        }
    }

    /// - Parameters:
    ///   - source: A planned source.
    ///   - found: The links, and the side of the relation's owners; nil if the store has none of the relation.
    init(_ source: LinkSource, _ context: ReadContext, _ found: (links: LinkTable, side: LinkSide)?) {
        self.source = source
        self.context = context
        table = found?.links
        let relation = found?.links.relation
        let ownSide = found?.side ?? source.relation.side
        side = source.isForward || relation?.form.isSymmetric == true ? ownSide : ownSide.other
        positionOrdinal = relation?.form.position(on: side)
    }

    var ownerPlan: QueryPlan? { if case .query(_, let scan) = source.owners { scan?.plan } else { nil } }

    var description: String { source.description }

    /// Whether each key is linked with a single owner at most, or there is a single owner.
    private var findsKeysOnce: Bool {
        source.owners.knownCount == 1 || table.map { $0.relation.isExclusive(targetSide) } ?? true
    }

    /// The side of the keys in the links.
    private var targetSide: LinkSide { table?.relation.form.isSymmetric == true ? side : side.other }

    var isSingle: Bool {
        guard source.owners.knownCount == 1 else { return source.owners.knownCount == 0 }
        return table.map { $0.relation.isExclusive(side) } ?? true
    }

    var isInKeyOrder: Bool { source.owners.knownCount == 1 && positionOrdinal == nil }

    func entryCount(atMost limit: Int) throws -> Int {
        guard let table else { return 0 }
        switch source.owners {
        case .keys(let keys), .entities(let keys, _):
            var count = 0
            for key in keys where count < limit { count += try table.count(of: key, side, atMost: limit - count) }
            return count
        case .query(_, let scan):
            var count = 0
            var keys: [[UInt8]] = []
            let owners = try ownerStream()
            while count < limit {
                guard let owner = try owners.next() else {
                    scan?.keys = keys
                    break
                }
                keys.append(owner)
                count += try 1 + table.count(of: owner, side, atMost: limit - count - 1)
            }
            return count
        }
    }

    // MARK: Testing

    func contains(_ key: ByteView) throws -> Bool { try firstOwner(of: key) != nil }

    func place(of key: ByteView) throws -> [UInt8]? {
        guard let place = try firstOwner(of: key) else { return nil }
        return try KeyWriter.bytes(of: place) + position(of: key, in: owners.get().keys[place]) + key.copy()
    }

    /// Returns the place of the first owner linked with a key; nil if there is none.
    private func firstOwner(of key: ByteView) throws -> Int? {
        guard let table else { return nil }
        let owners = try owners.get()
        var visited = 0
        if owners.keys.count > Self.lookupLimit {
            var first: Int?
            var links = try LinkCursor(table, targetSide, of: key.copy())
            while visited < owners.keys.count, let link = try links.next() {
                if let place = owners.places[link.target.copy()] { first = min(first ?? place, place) }
                visited += 1
            }
            if visited < owners.keys.count { return first }
        }
        return try owners.keys.firstIndex { owner in
            setPair(owner, key)
            return try pair.count <= KeyWriter.sizeLimit
                && table.keyspace.withEntry(table.table.database, pair) { _, _ in }
        }
    }

    private func setPair(_ owner: [UInt8], _ key: ByteView) {
        pair.removeAll(keepingCapacity: true)
        if side == .second { key.append(to: &pair) }
        pair += owner
        if side == .first { key.append(to: &pair) }
    }

    /// Returns the bytes of a key's position among the links of an owner; empty if they have no order.
    private func position(of key: ByteView, in owner: [UInt8]) throws -> [UInt8] {
        guard let table, let positionOrdinal else { return [] }
        setPair(owner, key)
        return try table.positions(pair).map { KeyWriter.bytes(of: $0[positionOrdinal]) } ?? []
    }

    // MARK: Walking

    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? {
        guard let table else { return key == nil ? EmptyWalk() : nil }
        let walk = LinkWalk(
            table, side, try ownerStream(), findsKeysOnce: findsKeysOnce, isDescending: isDescending)
        guard let key else { return walk }
        guard source.owners.knownCount == 1, let owner = try owners.get().keys.first else {
            return try walk.skip(through: key) ? walk : nil
        }
        let position = try ByteView.with(key) { try self.position(of: $0, in: owner) }
        if positionOrdinal != nil, position.isEmpty { return nil }
        walk.begin(after: owner + position + key)
        return walk
    }

    private func ownerStream() throws -> any OwnerStream {
        switch source.owners {
        case .keys(let keys): return KnownOwners(keys)
        case .entities(let keys, let schema): return StoredOwners(keys, schema, in: context)
        case .query(let query, let scan):
            if let keys = scan?.keys { return KnownOwners(keys) }
            return try scan.flatMap { try query.ownerKeys(by: $0.plan, in: context) } ?? KnownOwners([])
        }
    }

    private func ownerList() throws -> OwnerList {
        if case .query(_, let scan) = source.owners, let keys = scan?.keys { return OwnerList(keys) }
        var keys: [[UInt8]] = []
        let stream = try ownerStream()
        while let key = try stream.next() { keys.append(key) }
        if case .query(_, let scan) = source.owners { scan?.keys = keys }
        return OwnerList(keys)
    }
}

/// The walk over the links of a relation that the store does not have.
private final class EmptyWalk: SourceKeyWalk {
    func read(into keys: EntryBuffer, atMost limit: Int) -> Bool { false }
}
