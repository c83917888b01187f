// The rewrite of a relation's links, in transactions of bounded size: as links of another form, or with other
// identifiers at an end. Each transaction stores the position reached, as the rewrite of records does.
//
// The old links stay in use until the last step. A write of links by another program ends the rewrite, which then
// begins again: it would miss the written links.

import LMDB
import TroveCoding

/// The rewrite of a relation's links.
struct LinkRewrite {
    /// Returns the new identifier of an entity, at a side of the old links; nil to drop its links.
    typealias Identifiers = (LinkSide, [UInt8]) throws -> [UInt8]?

    /// The first position of the second directions of links. They are at the end of each list.
    private static let mirrorStart: Int64 = 1 << 61

    /// How many times longer links take to be collected and written than to be collected alone.
    private static let costOfWriting = 4

    let source: StoredRelation
    let target: StoredRelation
    /// Whether the target's first end is the source's second end.
    let isSwapped: Bool

    private var keyPrefix: UInt32 { source.schema.keyPrefix }
    private var addsMirrors: Bool { target.relation.form.isSymmetric && !source.relation.form.isSymmetric }

    /// A link, with its number among the old links.
    private struct Link {
        var ends: LinkKeys.Ends
        var positions: [Int64]
        var number: Int64
    }

    // MARK: Batches

    /// Copies the next links.
    ///
    /// - Parameters:
    ///   - identifiers: Returns the new identifiers.
    ///   - check: Receives the ends of each old link.
    /// - Returns: The progress, and whether all links have been copied.
    func copyBatch(
        _ context: TransactionContext, _ size: TypeMigration.BatchSize, until deadline: ContinuousClock.Instant,
        _ identifiers: Identifiers = { $1 }, check: (LinkKeys.Ends) throws -> Void = { _ in }
    ) throws -> (progress: MigrationProgress, isOver: Bool) {
        let catalog = try context.catalogStorage()
        guard let type = try catalog.type(keyPrefix), let links = try context.links(source) else {
            throw StoreError.record(
                .corrupted(
                    type: source.schema.name, key: StoredKey([], of: source.schema.name),
                    reason: CodingError(.malformed(expected: "the type of the links"))))
        }
        var migration = try underWay(context, type)
        var copy = try LinkCopy(target, of: type, context.keyspace, isNew: migration.position.isEmpty)
        let keys = try LinkKeys(type)
        // The links take longer to write than to collect.
        let now = ContinuousClock.now
        let collected = now + (deadline - now) / Self.costOfWriting
        var isOver = false
        repeat {
            var chunk: [Link] = []
            try read(links, keys, after: migration, upTo: size.records, into: &chunk)
            for link in chunk {
                try check(link.ends)
                try add(link, to: &copy, identifiers)
            }
            migration.done += UInt64(chunk.count)
            if let last = chunk.last { migration.position = last.ends.first + last.ends.second }
            isOver = chunk.count < size.records
        } while !isOver && copy.size < size.bytes && ContinuousClock.now < collected
        try copy.write()
        try catalog.setMigration(keyPrefix, migration)
        context.noteChange()
        let progress = MigrationProgress(
            type: source.schema.qualifiedName, phase: .rewriting, done: Int(migration.done),
            total: max(Int(migration.total), Int(migration.done)))
        return (progress, isOver)
    }

    /// Returns the catalog's entry of this rewrite, or a new entry.
    private func underWay(_ context: TransactionContext, _ type: CatalogType) throws -> CatalogMigration {
        let (version, generation) = (target.schema.fieldsVersion, type.generation ^ 1)
        let known = try context.catalogStorage().migration(keyPrefix)
        if let known, known.version == version, known.generation == generation { return known }
        try context.endMigration(of: type, keyPrefix)
        // Other programs load the catalog again, with the rewrite in it.
        try context.set(type, keyPrefix)
        let records = try context.keyspace.openTable(TableName(keyPrefix: keyPrefix, generation: type.generation))
        let total = try context.keyspace.count(records)
        return CatalogMigration(version: version, generation: generation, done: 0, total: UInt64(total), position: [])
    }

    /// Reads the next links.
    private func read(
        _ links: LinkTable, _ keys: LinkKeys, after migration: CatalogMigration, upTo limit: Int,
        into chunk: inout [Link]
    ) throws {
        try links.keyspace.scan(links.table.database, ScanRange(after: migration.position)) { key, value in
            try links.table.verify(key, value)
            let count = source.relation.form.positionCount
            guard let ends = keys.ends(of: key),
                value.byteCount == StoredValue.size(fields: count * LinkTable.positionSize)
            else {
                throw links.table.corrupted(key, CodingError(.malformed(expected: "a link")))
            }
            let positions = LinkTable.positions(in: value, count: count).first(count)
            chunk.append(
                Link(ends: ends, positions: positions, number: Int64(migration.done) + Int64(chunk.count)))
            return chunk.count < limit ? .continue : .stop
        }
    }

    private func add(_ link: Link, to copy: inout LinkCopy, _ identifiers: Identifiers) throws {
        guard let oldFirst = try identifiers(.first, link.ends.first),
            let oldSecond = try identifiers(.second, link.ends.second)
        else { return }
        let (first, second) = isSwapped ? (oldSecond, oldFirst) : (oldFirst, oldSecond)
        guard first.count + second.count <= LinkWriter.sizeLimit else {
            throw StoreError.entity(
                .linkTooLarge(
                    relation: source.schema.name, key: target.schema.storedKey(first + second),
                    size: first.count + second.count, limit: LinkWriter.sizeLimit))
        }
        copy.add(first, second, positions(of: link), replaces: addsMirrors)
        if addsMirrors, first != second {
            let position = Self.mirrorStart + link.number * PositionGaps.gap
            copy.add(
                second, first, [Int64](repeating: position, count: target.relation.form.positionCount), replaces: false)
        }
    }

    /// Returns the positions of a rewritten link. A new list is in the order of the old links' keys.
    private func positions(of link: Link) -> [Int64] {
        var positions = [Int64](
            repeating: link.number * PositionGaps.gap, count: target.relation.form.positionCount)
        for side in LinkSide.allCases {
            guard let place = target.relation.form.position(on: side),
                let old = source.relation.form.position(on: isSwapped ? side.other : side)
            else { continue }
            positions[place] = link.positions[old]
        }
        return positions
    }

    // MARK: The last step

    /// Replaces the old links by the rewritten links, after all links have been copied.
    func finish(_ context: TransactionContext) throws {
        let catalog = try context.catalogStorage()
        guard var type = try catalog.type(keyPrefix) else { return }
        let name = TableName(keyPrefix: keyPrefix, generation: type.generation)
        let numbers = LinkCopy.listNumbers(of: target, type)
        try context.keyspace.deleteAll(context.keyspace.openTable(name))
        for number in type.indexes.keys.sorted() {
            try context.empty(number, of: &type, keyPrefix)
            try catalog.setIndex(keyPrefix, number, nil)
        }
        type.indexes = [:]
        for (number, list) in zip(numbers, target.schema.indexes) {
            type.indexes[number] = CatalogIndex(list)
            type.indexes[number]?.state = .readable
        }
        type.generation = name.other.generation
        type.keyLayout = target.schema.keyLayout
        type.adopt(target.schema)
        type.oldestOrdinal = type.newestOrdinal
        try catalog.setMigration(keyPrefix, nil)
        try context.replace(target, type)
        context.noteAny(keyPrefix, type)
    }
}
