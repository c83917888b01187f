// Changes the links of a relation. A list keeps its order at both ends, and a change writes the changed links alone.

import LMDB
import TroveCoding

/// The changes of a relation's links in a write transaction.
final class LinkWriter {
    /// The maximum size of both ends of a link in bytes. With a position they are a list entry.
    static let sizeLimit = KeyWriter.sizeLimit - LinkTable.positionSize

    /// The number of links to repair at a time.
    static let batch = 65_536

    /// The number of links of an entity to remove at a time. Each takes some 50 bytes of memory beside the keys.
    private static let removalBatch = 1 << 20

    let links: LinkTable
    let form: LinkForm
    let lists: [List]
    /// The context may keep the writer.
    private unowned let context: TransactionContext
    private let isExclusive: (first: Bool, second: Bool)
    /// Whether the transaction has stopped to note keys of links, since there are too many.
    private var notesNoKeys = false

    /// The list of an end.
    struct List {
        let side: LinkSide
        let table: Database
        /// The ordinal of the end's position in a record; nil if the links of the end have no order.
        let ordinal: Int?
    }

    /// - Throws: ``StoreError/RecordError/indexDamaged(type:index:key:)`` if a list lacks links.
    init(links: LinkTable, context: TransactionContext) throws {
        self.links = links
        self.context = context
        form = links.relation.form
        isExclusive = (links.relation.isExclusive(.first), links.relation.isExclusive(.second))
        lists = try links.relation.form.sidesWithLists.map { side in
            List(side: side, table: try links.database(of: side), ordinal: links.relation.form.position(on: side))
        }
    }

    /// Returns whether an entity at an end has at most one link.
    func isExclusive(_ side: LinkSide) -> Bool { side == .first ? isExclusive.first : isExclusive.second }

    /// Writes the gathered changes of the history if they fill their memory: before the search for a link.
    func writeFullHistory() throws { try context.writeFullHistory() }

    /// Notes the change of a link.
    func note(_ kind: ChangeKind, of key: RawSpan) {
        if notesNoKeys { return }
        context.note(kind, of: key, in: links.table)
        notesNoKeys = context.recorder == nil && context.changedKeys.isWhole(links.table.schema.keyPrefix)
    }

    // MARK: Statements about an entity

    /// Makes the first of some entities the only link of another, at an end with at most one link.
    func set(_ owner: [UInt8], to targets: KeyList, _ side: LinkSide) throws {
        try checkSizes(owner, targets, side)
        try ByteView.with(owner) { owner in
            try targets.withKey(0) { target in
                while let current = try links.first(of: owner, side) {
                    let isCurrent = try ByteView.with(current) { current in
                        if current.equals(target) { return true }
                        try remove(owner, current, side)
                        return false
                    }
                    if isCurrent { return }
                }
                _ = try insert(owner, target, side, at: nil)
            }
        }
    }

    /// Makes entities the list of an entity's links, in their order. Doubles count once, at their first place.
    ///
    /// - Complexity: O(*n* log *n*) in the length of both lists. Only changed links are written.
    func replace(_ owner: [UInt8], with targets: KeyList, _ side: LinkSide) throws {
        try checkSizes(owner, targets, side)
        try ByteView.with(owner) { owner in
            let difference = try links.difference(of: owner, to: targets, side)
            if difference.isOfEmptyList { return try add(targets, to: owner, side, at: 0) }
            guard let removed = difference.removed else { return try rearrange(owner, as: targets, side) }
            for index in removed.indices { try removed.withKey(index) { try remove(owner, $0, side) } }
            if difference.added.isEmpty || !removed.isEmpty { return }
            if try !insert(targets, difference.added, to: owner, side, between: difference.bounds) {
                try rearrange(owner, as: targets, side)
            }
        }
    }

    /// Adds entities at the end of an entity's list, in their order. Entities that are linked stay in their places.
    ///
    /// - Complexity: O(*k* log *n*) for *k* entities, whatever the length of the list.
    func append(_ owner: [UInt8], _ targets: KeyList, _ side: LinkSide) throws {
        try checkSizes(owner, targets, side)
        try ByteView.with(owner) { owner in try add(targets, to: owner, side, at: try end(of: owner, side)) }
    }

    /// Removes the links to some entities. Does nothing for entities that are not linked.
    ///
    /// - Parameter ignoringDamage: Whether damaged links are removed as well. Their list entries are searched for.
    func remove(_ owner: [UInt8], _ targets: [[UInt8]], _ side: LinkSide, ignoringDamage: Bool = false) throws {
        for target in targets {
            if ignoringDamage {
                try removeIgnoringDamage(owner, target, side)
                continue
            }
            try ByteView.with(owner) { owner in
                try ByteView.with(target) { target in
                    // No link has a longer key.
                    guard owner.count + target.count <= Self.sizeLimit, try removeDirection(owner, target, side) else {
                        return
                    }
                    if form.isSymmetric, !owner.equals(target) { try removeDirectionOrThrow(target, owner, side) }
                }
            }
        }
    }

    /// Removes all links of an entity.
    ///
    /// - Parameter ignoringDamage: Whether damaged links are removed as well. Their list entries are searched for.
    /// - Complexity: O(*m* log *n*) for *m* links of *n*, in constant memory.
    func removeAll(_ owner: [UInt8], _ side: LinkSide, ignoringDamage: Bool = false) throws {
        if ignoringDamage { return try removeAllIgnoringDamage(owner, side) }
        try ByteView.with(owner) { owner in
            if isExclusive(side) {
                guard let target = try links.first(of: owner, side) else { return }
                try ByteView.with(target) { try remove(owner, $0, side) }
            } else {
                while try removeBatch(owner, side) {}
            }
        }
    }

    /// Removes the first links of an entity, in each table in the order of its keys. Returns whether there may be more.
    private func removeBatch(_ owner: ByteView, _ side: LinkSide) throws -> Bool {
        let batch = try links.list(of: owner, side, limit: Self.removalBatch)
        // The entries of a symmetric relation are in a single table, and go one by one.
        let list = form.isSymmetric ? nil : lists.first { $0.side == side }
        try batch.keys.withKeys { targets in
            for index in targets.sortedIndices() {
                let target = targets[Int(index)]
                if form.isSymmetric {
                    try remove(owner, target, side)
                } else {
                    try removeDirectionOrThrow(owner, target, side, keepingEntriesOf: list?.side)
                }
            }
        }
        guard let list, !batch.isEmpty else { return batch.count == Self.removalBatch }
        let last = batch.count - 1
        try batch.keys.withKey(last) { target in
            try withEntry(of: owner, at: list.ordinal == nil ? nil : batch.positions[last], to: target) { entry in
                let range = ScanRange(from: owner.copy(), upTo: copiedBytes(entry) + [0])
                _ = try links.keyspace.deleteRange(list.table, range)
            }
        }
        return batch.count == Self.removalBatch
    }

    /// Returns the targets of an entity's links, in the order of its list.
    func targets(of owner: [UInt8], _ side: LinkSide) throws -> KeyList {
        try ByteView.with(owner) { owner in
            guard isExclusive(side) else { return try links.list(of: owner, side).keys }
            return KeyList(bytes: try links.first(of: owner, side).map { [$0] } ?? [])
        }
    }

    // MARK: Links

    /// Adds a link, unless it exists. An entity that can have one link only loses its former link.
    ///
    /// - Parameter position: The position among the owner's links; nil for the end of the list.
    /// - Returns: Whether the link is new.
    func insert(_ owner: ByteView, _ target: ByteView, _ side: LinkSide, at position: Int64?) throws -> Bool {
        try writeFullHistory()
        let otherSide = form.isSymmetric ? side : side.other
        if isExclusive(otherSide) {
            while let former = try links.first(of: target, otherSide) {
                let isLinked = try ByteView.with(former) { former in
                    if former.equals(owner) { return true }
                    try remove(target, former, otherSide)
                    return false
                }
                if isLinked { return false }
            }
        } else if try holds(owner, target, side) {
            return false
        }
        var positions = StoredPositions()
        if let ordinal = form.position(on: side) { positions[ordinal] = try position ?? end(of: owner, side) ?? 0 }
        if form.isSymmetric {
            try put(owner, target, on: side, at: positions)
            if !owner.equals(target) { try putMirror(of: owner, target) }
            return true
        }
        if let ordinal = form.position(on: otherSide) { positions[ordinal] = try end(of: target, otherSide) ?? 0 }
        try put(owner, target, on: side, at: positions)
        return true
    }

    /// Stores the other direction of a symmetric link, at the end of the list.
    func putMirror(of owner: ByteView, _ target: ByteView) throws {
        try writeFullHistory()
        var positions = StoredPositions()
        positions[0] = try end(of: target, .first) ?? 0
        try put(target, owner, on: .first, at: positions)
    }

    /// Returns the position at the end of an entity's list; nil if the list has no order.
    func end(of owner: ByteView, _ side: LinkSide) throws -> Int64? {
        guard form.position(on: side) != nil else { return nil }
        if let end = PositionGaps.after(try links.lastPosition(of: owner.copy(), side)) { return end }
        let list = try links.list(of: owner, side)
        for (index, position) in PositionGaps.numbered(list.count).enumerated() {
            try list.keys.withKey(index) { target in
                try renumber(owner, target, side, from: list.positions[index], to: position)
                try putEntry(owner, position, target, of: side)
            }
        }
        return Int64(list.count) * PositionGaps.gap
    }

    /// Removes a link that exists.
    func remove(_ owner: ByteView, _ target: ByteView, _ side: LinkSide) throws {
        try removeDirectionOrThrow(owner, target, side)
        if form.isSymmetric, !owner.equals(target) { try removeDirectionOrThrow(target, owner, side) }
    }

    /// Removes a direction of a link that exists.
    ///
    /// - Throws: ``StoreError/RecordError/indexDamaged(type:index:key:)`` if it does not exist.
    private func removeDirectionOrThrow(
        _ owner: ByteView, _ target: ByteView, _ side: LinkSide, keepingEntriesOf keptSide: LinkSide? = nil
    ) throws {
        guard try removeDirection(owner, target, side, keepingEntriesOf: keptSide) else {
            throw missing(owner, target, side)
        }
    }
}
