// Changes the links of a relation. A list keeps its order at both ends, and a change costs what has changed.
//
// Only `put`, `move` and `remove` write. A link's record precedes its list entries. An error of the engine in between
// keeps the transaction from committing.

import LMDB
import TroveCoding

/// The changes of a relation's links in a write transaction.
final class LinkWriter {
    /// The maximum size of both ends of a link in bytes. With a position they are a list entry.
    static let sizeLimit = KeyWriter.sizeLimit - LinkTable.positionSize

    /// The number of links to remove or to repair at a time.
    static let batch = 65_536

    let links: LinkTable
    /// The context may keep the writer.
    private unowned let context: TransactionContext
    private let relation: CatalogRelation
    private let keyspace: Keyspace
    private let lists: [List]
    /// Memory for the key of a record, and for a list entry.
    private var record: [UInt8] = []
    private var entry: [UInt8] = []

    /// The list of an end.
    private struct List {
        let side: LinkSide
        let table: Database
        /// The place of the end's position in a record; nil if the links of the end have no order.
        let place: Int?
    }

    init(links: LinkTable, context: TransactionContext) {
        self.links = links
        self.context = context
        relation = links.relation
        keyspace = links.keyspace
        lists = links.relation.form.sidesWithLists.map { side in
            List(side: side, table: links.database(of: side), place: links.relation.form.position(on: side))
        }
    }

    // MARK: Statements about an entity

    /// Makes the first of some entities the only link of another, at an end with at most one link.
    func set(_ owner: [UInt8], to targets: KeyList, _ side: LinkSide) throws {
        try targets.withKey(0) { target in
            try checkSize(owner, target, side)
            while let current = try ByteView.with(owner, { try links.first(of: $0, side) }) {
                if ByteView.with(current, { $0.equals(target) }) { return }
                try remove(owner, current, side)
            }
            _ = try insert(owner, target, side, at: nil)
        }
    }

    /// Makes entities the list of an entity's links, in their order. Doubles count once, at their first place.
    ///
    /// - Complexity: O(*n* log *n*) in the length of both lists. Only changed links are written.
    func replace(_ owner: [UInt8], with targets: KeyList, _ side: LinkSide) throws {
        try checkSizes(owner, targets, side)
        let old = try links.list(of: owner, side)
        if old.isEmpty { return try add(targets, to: owner, side, at: 0) }
        let start = old.commonStart(targets)
        let end = old.commonEnd(targets, after: start)
        let (removed, added) = (start..<old.count - end, start..<targets.count - end)
        if added.isEmpty {
            for index in removed { try remove(owner, Array(old.keys[index]), side) }
        } else if try !removed.isEmpty || !add(targets, added, to: owner, side, in: old) {
            try rearrange(owner, old, as: targets, side)
        }
    }

    /// Adds entities at the end of an entity's list, in their order. Entities that are linked stay in their places.
    ///
    /// - Complexity: O(*k* log *n*) for *k* entities, whatever the length of the list.
    func append(_ owner: [UInt8], _ targets: KeyList, _ side: LinkSide) throws {
        try checkSizes(owner, targets, side)
        try add(targets, to: owner, side, at: try end(of: owner, side))
    }

    /// Removes the links to some entities. Does nothing for entities that are not linked.
    ///
    /// - Parameter ignoringDamage: Whether damaged links are removed as well. Their list entries are searched for.
    func remove(_ owner: [UInt8], _ targets: [[UInt8]], _ side: LinkSide, ignoringDamage: Bool = false) throws {
        if ignoringDamage {
            for target in targets { try removeIgnoringDamage(owner, target, side) }
            return
        }
        for target in targets where try removeRecord(owner, target, side) {
            if relation.form.isSymmetric, owner != target { try removeRecordOrThrow(target, owner, side) }
        }
    }

    /// Removes all links of an entity.
    ///
    /// - Parameter ignoringDamage: Whether damaged links are removed as well. Their list entries are searched for.
    /// - Complexity: O(*m* log *n*) for *m* links of *n*, in constant memory.
    func removeAll(_ owner: [UInt8], _ side: LinkSide, ignoringDamage: Bool = false) throws {
        if ignoringDamage { return try removeAllIgnoringDamage(owner, side) }
        if relation.isExclusive(side) {
            while let target = try ByteView.with(owner, { try links.first(of: $0, side) }) {
                try remove(owner, target, side)
            }
            return
        }
        while true {
            let list = try links.list(of: owner, side, limit: Self.batch)
            if list.isEmpty { return }
            // The records in the order of their keys.
            for index in list.keys.sortedIndices() {
                let target = Array(list.keys[index])
                if relation.form.isSymmetric {
                    try remove(owner, target, side)
                } else {
                    try removeRecordOrThrow(owner, target, side, keepingEntriesOf: side)
                }
            }
            // Their entries in the order of the list.
            guard !relation.form.isSymmetric, let ownList = lists.first(where: { $0.side == side }) else { continue }
            for index in list.keys.indices {
                try list.keys.withKey(index) { try removeEntry(owner, list.positions[index], $0, in: ownList) }
            }
        }
    }

    // MARK: Lists

    /// Adds entities to the end of a list, unless they are linked.
    ///
    /// - Parameter position: The position of the first; nil for a list without an order.
    private func add(_ targets: KeyList, to owner: [UInt8], _ side: LinkSide, at position: Int64?) throws {
        var position = position
        for index in targets.indices {
            let isAdded = try targets.withKey(index) { try insert(owner, $0, side, at: position) }
            guard isAdded, let last = position else { continue }
            position = try LinkPositions.after(last) ?? end(of: owner, side)
        }
    }

    /// Adds entities between two neighbors in a list. Returns false if some are linked or named twice, or if there are
    /// not enough positions; then nothing is written.
    private func add(
        _ targets: KeyList, _ added: Range<Int>, to owner: [UInt8], _ side: LinkSide, in old: LinkList
    ) throws -> Bool {
        let bounds = (
            lower: added.lowerBound > 0 ? old.positions[added.lowerBound - 1] : nil,
            upper: added.lowerBound < old.count ? old.positions[added.lowerBound] : nil
        )
        let known = Set(added.map { targets[$0] })
        guard known.count == added.count, let run = LinkPositions.run(of: added.count, between: bounds) else {
            return false
        }
        for index in added where try links.holds(owner, Array(targets[index]), side) { return false }
        for (index, position) in zip(added, run) {
            _ = try targets.withKey(index) { try insert(owner, $0, side, at: position) }
        }
        return true
    }

    /// Removes, moves and adds links of a list.
    private func rearrange(_ owner: [UInt8], _ old: LinkList, as targets: KeyList, _ side: LinkSide) throws {
        var places: [ArraySlice<UInt8>: Int] = [:]
        var new: [Int] = []
        for index in targets.indices where places[targets[index]] == nil {
            places[targets[index]] = new.count
            new.append(index)
        }
        var kept = [Int64?](repeating: nil, count: new.count)
        for index in old.keys.indices {
            if let place = places[old.keys[index]] {
                kept[place] = old.positions[index]
            } else {
                try remove(owner, Array(old.keys[index]), side)
            }
        }
        for (place, position) in LinkPositions.positions(keeping: kept).enumerated() where kept[place] != position {
            try targets.withKey(new[place]) { target in
                if let former = kept[place] {
                    try move(owner, target, side, from: former, to: position)
                } else {
                    _ = try insert(owner, target, side, at: position)
                }
            }
        }
    }

    // MARK: Links

    /// Adds a link, unless it exists. An entity that can have one link only loses its former link.
    ///
    /// - Parameter position: The position among the owner's links; nil for the end of the list.
    /// - Returns: Whether the link is new.
    private func insert(_ owner: [UInt8], _ target: ByteView, _ side: LinkSide, at position: Int64?) throws -> Bool {
        let otherSide = relation.form.isSymmetric ? side : side.other
        if relation.isExclusive(otherSide) {
            while let former = try links.first(of: target, otherSide) {
                if former == owner { return false }
                try remove(target.copy(), former, otherSide)
            }
        } else {
            setRecord(owner, target, side)
            if try keyspace.hasKey(links.table.database, startingWith: record[...]) { return false }
        }
        var places = LinkPlaces()
        if let place = relation.form.position(on: side) { places[place] = try position ?? end(of: owner, side) ?? 0 }
        if relation.form.isSymmetric {
            try put(owner, target, side, places)
            if !ByteView.with(owner, { $0.equals(target) }) { try putMirror(of: owner, target.copy()) }
            return true
        }
        if let place = relation.form.position(on: otherSide) {
            places[place] = try end(of: target.copy(), otherSide) ?? 0
        }
        try put(owner, target, side, places)
        return true
    }

    /// Stores the other direction of a symmetric link, at the end of the list.
    func putMirror(of owner: [UInt8], _ target: [UInt8]) throws {
        var places = LinkPlaces()
        places[0] = try end(of: target, .first) ?? 0
        try ByteView.with(owner) { try put(target, $0, .first, places) }
    }

    /// Returns the position at the end of an entity's list; nil if the list has no order.
    private func end(of owner: [UInt8], _ side: LinkSide) throws -> Int64? {
        guard relation.form.position(on: side) != nil else { return nil }
        if let end = LinkPositions.after(try links.lastPosition(of: owner, side)) { return end }
        let list = try links.list(of: owner, side)
        for (index, position) in LinkPositions.numbered(list.count).enumerated() {
            try list.keys.withKey(index) { try move(owner, $0, side, from: list.positions[index], to: position) }
        }
        return Int64(list.count) * LinkPositions.gap
    }

    private func remove(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide) throws {
        try removeRecordOrThrow(owner, target, side)
        if relation.form.isSymmetric, owner != target { try removeRecordOrThrow(target, owner, side) }
    }

    private func move(
        _ owner: [UInt8], _ target: ByteView, _ side: LinkSide, from old: Int64, to position: Int64
    ) throws {
        guard let place = relation.form.position(on: side), let list = lists.first(where: { $0.side == side }) else {
            return
        }
        setRecord(owner, target, side)
        var places: LinkPlaces?
        try record.withRawSpan { key in
            _ = try keyspace.withValueToReplace(links.table.database, key) { value in
                places = try links.positions(in: value, of: key)
            }
        }
        guard var places else { throw missing() }
        places[place] = position
        try writeRecord(places)
        try removeEntry(owner, old, target, in: list)
        try putEntry(owner, position, target, in: list)
    }

    // MARK: Bytes

    /// Stores a link's record and its list entries.
    private func put(_ owner: [UInt8], _ target: ByteView, _ side: LinkSide, _ places: LinkPlaces) throws {
        setRecord(owner, target, side)
        try writeRecord(places)
        for list in lists {
            let position = list.place.map { places[$0] }
            if list.side == side {
                try putEntry(owner, position, target, in: list)
            } else {
                ByteView.with(owner) { setEntry(target, position, $0) }
                try writeEntry(in: list)
            }
        }
    }

    private func setRecord(_ owner: [UInt8], _ target: ByteView, _ side: LinkSide) {
        record.removeAll(keepingCapacity: true)
        if side == .first { record.append(contentsOf: owner) }
        target.append(to: &record)
        if side == .second { record.append(contentsOf: owner) }
    }

    private func writeRecord(_ places: LinkPlaces) throws {
        let table = links.table
        let count = relation.form.positionCount
        try record.withRawSpan { key in
            let size = StoredValue.size(fields: count * LinkTable.positionSize)
            // The search for the link, or for a former one, has moved the cursor to its place.
            _ = try keyspace.put(table.database, key, size: size, mode: .replaceNext) { value in
                for place in 0..<count {
                    value.storeBytes(
                        of: places[place].littleEndian,
                        toByteOffset: StoredValue.headerSize + place * LinkTable.positionSize, as: Int64.self)
                }
                StoredValue.seal(&value, table.fieldsVersion, key: key, seed: table.checksumSeed)
            }
            note(key)
        }
    }

    private func putEntry(_ owner: [UInt8], _ position: Int64?, _ target: ByteView, in list: List) throws {
        ByteView.with(owner) { setEntry($0, position, target) }
        try writeEntry(in: list)
    }

    private func writeEntry(in list: List) throws {
        try entry.withRawSpan { key in
            _ = try keyspace.put(list.table, key, size: 0, mode: .replaceNext) { _ in }
        }
    }

    private func removeEntry(_ owner: [UInt8], _ position: Int64?, _ target: ByteView, in list: List) throws {
        ByteView.with(owner) { setEntry($0, list.place == nil ? nil : position, target) }
        try removeEntry(in: list)
    }

    private func removeEntry(in list: List) throws {
        try entry.withRawSpan { _ = try keyspace.remove(list.table, $0) { _ in } }
    }

    private func setEntry(_ owner: ByteView, _ position: Int64?, _ target: ByteView) {
        entry.removeAll(keepingCapacity: true)
        owner.append(to: &entry)
        if let position {
            let sortable = UInt64(bitPattern: position) ^ 1 << 63
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                entry.append(UInt8(truncatingIfNeeded: sortable >> shift))
            }
        }
        target.append(to: &entry)
    }

    func note(_ key: RawSpan) {
        context.noteChange()
        context.changedKeys.note(links.table.schema.keyPrefix, key)
    }

    /// Removes a link that exists.
    ///
    /// - Throws: ``StoreError/indexDamaged(type:index:key:)`` if it does not exist.
    private func removeRecordOrThrow(
        _ owner: [UInt8], _ target: [UInt8], _ side: LinkSide, keepingEntriesOf keptSide: LinkSide? = nil
    ) throws {
        guard try removeRecord(owner, target, side, keepingEntriesOf: keptSide) else { throw missing() }
    }

    /// Removes a link's record and its list entries, in one direction. Returns whether the link existed.
    ///
    /// - Parameter keptSide: The end whose entries stay.
    @discardableResult
    func removeRecord(
        _ owner: [UInt8], _ target: [UInt8], _ side: LinkSide, keepingEntriesOf keptSide: LinkSide? = nil
    ) throws -> Bool {
        try ByteView.with(target) { target in
            setRecord(owner, target, side)
            var places = LinkPlaces()
            let isStored = try record.withRawSpan { key in
                try keyspace.remove(links.table.database, key) { places = try links.positions(in: $0, of: key) }
            }
            guard isStored else { return false }
            for list in lists where list.side != keptSide {
                let position = list.place.map { places[$0] }
                if list.side == side {
                    try removeEntry(owner, position, target, in: list)
                } else {
                    ByteView.with(owner) { setEntry(target, position, $0) }
                    try removeEntry(in: list)
                }
            }
            record.withRawSpan { note($0) }
            return true
        }
    }

    /// Returns the error for an entry whose link, in `record`, does not exist.
    private func missing() -> StoreError {
        .indexDamaged(
            type: links.name, index: links.table.schema.indexes.first?.text ?? "", key: links.table.storedKey(record))
    }

    private func checkSizes(_ owner: [UInt8], _ targets: KeyList, _ side: LinkSide) throws {
        for index in targets.indices { try targets.withKey(index) { try checkSize(owner, $0, side) } }
    }

    private func checkSize(_ owner: [UInt8], _ target: ByteView, _ side: LinkSide) throws {
        let size = owner.count + target.count
        guard size <= Self.sizeLimit else {
            throw StoreError.linkTooLarge(
                relation: links.name, key: links.table.storedKey(links.key(owner, target.copy(), side)), size: size,
                limit: Self.sizeLimit)
        }
    }
}
