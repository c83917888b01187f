// Stores records without their Swift types, in a write transaction.
//
// The bytes of a record follow from its layout alone. Index entries do not: the indexes of each changed type are
// emptied in the same transaction, as for a rebuild by hand, and the program builds them when it opens the store. The
// lists of links do follow from the layout: they are built at the end of the transaction.

import LMDB
import TroveCoding

/// Writes records of dumped types.
struct RecordLoader {
    /// A type whose records are being loaded.
    private struct Target {
        var type: CatalogType
        let records: Database
        let seed: CRC32C
        var layouts: [UInt32: RecordLayout] = [:]
        var isChanged = false
        var report: LoadReport.RecordType
    }

    private let context: TransactionContext
    private let rule: ConflictRule
    private var targets: [UInt32: Target] = [:]
    private var order: [UInt32] = []
    private var current: UInt32?
    private var version: UInt32 = 0

    init(_ context: TransactionContext, onConflict rule: ConflictRule) {
        self.context = context
        self.rule = rule
    }

    /// The name of the current type.
    var typeName: String? { current.flatMap { targets[$0]?.type.qualifiedName } }

    // MARK: Types

    /// Makes a type current, by its name with or without the module: a stored type, or else a type of the schema.
    ///
    /// - Throws: ``LoadError`` if there is no such type, or several.
    mutating func begin(named name: String, _ schema: [DumpedType]) throws {
        for types in [try context.storedTypes().map(DumpedType.init), schema] {
            var found = types.filter { $0.name == name }
            if found.isEmpty { found = types.filter { $0.name.hasSuffix("." + name) } }
            // A schema can have a type several times.
            let names = Set(found.map(\.name)).sorted()
            guard names.count <= 1 else { throw LoadError(line: 0, .ambiguousType(name, candidates: names)) }
            if let type = found.first { return try begin(type, line: 0) }
        }
        throw LoadError(line: 0, .unknownType(name))
    }

    /// Makes a type current, and adds it to the catalog if necessary. The version is the type's newest.
    mutating func begin(_ dumped: DumpedType, line: Int) throws {
        current = nil
        if targets[dumped.keyPrefix] == nil {
            targets[dumped.keyPrefix] = try target(for: dumped, line)
            order.append(dumped.keyPrefix)
        }
        current = dumped.keyPrefix
        version = dumped.layouts.last?.version ?? 0
    }

    /// Makes a version of the current type current.
    mutating func begin(version: UInt32) { self.version = version }

    private func target(for dumped: DumpedType, _ line: Int) throws -> Target {
        let stored = try context.catalogStorage().type(dumped.keyPrefix)
        if let stored, stored.qualifiedName != dumped.name {
            throw LoadError(
                line: line, type: dumped.name, .otherLayouts(stored: stored.qualifiedName, dumped: dumped.name))
        }
        try dumped.checkLayouts(line: line)
        let merge = LayoutMerge(dumped, line: line)
        var type = try stored.map(merge.merged) ?? merge.newType()
        if let links = dumped.links { try context.addRelation(links, of: &type, dumped.keyPrefix, line: line) }
        let name = TableName(keyPrefix: dumped.keyPrefix, generation: type.generation)
        let target = Target(
            type: type, records: try context.keyspace.createTable(named: name.text), seed: name.checksumSeed,
            report: LoadReport.RecordType(name: type.qualifiedName, links: dumped.links))
        if stored != type { try context.set(type, dumped.keyPrefix) }
        return target
    }

    /// Returns the current layout.
    ///
    /// - Throws: ``LoadError`` if there is no current type, or its layout cannot be read.
    mutating func layout(line: Int) throws -> RecordLayout {
        guard let current, let target = targets[current] else { throw LoadError(line: line, .missingType) }
        if let known = target.layouts[version] { return known }
        let name = target.type.qualifiedName
        guard let stored = target.type.layouts[version] else {
            throw LoadError(line: line, type: name, .unknownVersion(version))
        }
        let (layout, key): (RecordLayout, [LayoutField])
        do throws(CodingError) {
            layout = try RecordLayout(stored.text)
            key = try RecordLayout(target.type.keyLayout + "{}").key
        } catch {
            throw LoadError(line: line, type: name, .unreadableLayout(stored.text))
        }
        guard layout.unknownPart == nil else {
            throw LoadError(line: line, type: name, .unreadableLayout(stored.text))
        }
        guard layout.key.map(\.type) == key.map(\.type) else {
            throw LoadError(
                line: line, type: name, .otherLayouts(stored: target.type.keyLayout, dumped: stored.text))
        }
        targets[current]?.layouts[version] = layout
        return layout
    }

    // MARK: Records

    /// Stores a record of the current type and version.
    ///
    /// - Parameter fields: The components of the key, then the fields, in the order of the layout.
    mutating func store(_ fields: StoredFields, _ layout: RecordLayout, line: Int) throws {
        guard let current, let target = targets[current] else { throw LoadError(line: line, .missingType) }
        let name = target.type.qualifiedName
        do {
            let (key, value) = try bytes(of: fields, layout, target)
            try prepare(current)
            let isStored = try context.keyspace.put(
                target.records, key, size: value.count, mode: rule == .replace ? .replace : .keep
            ) { destination in
                value.withRawSpan { copyBytes($0, into: &destination) }
            }
            if isStored {
                targets[current]?.report.loaded += 1
                context.noteChange()
                key.withRawSpan { context.changedKeys.note(current, $0) }
            } else if rule == .throw {
                throw StoreError.keyExists(type: name, key: target.type.storedKey(key))
            } else {
                targets[current]?.report.skipped += 1
            }
        } catch let error as StoreError {
            throw LoadError(line: line, type: name, .store(error))
        } catch let error as CodingError {
            throw LoadError(line: line, type: name, .store(StoreError(writing: name, error)))
        }
    }

    /// Returns the bytes of a record, after reading them back.
    private func bytes(
        of fields: StoredFields, _ layout: RecordLayout, _ target: Target
    ) throws -> (key: [UInt8], value: [UInt8]) {
        let key = try layout.writeKey(StoredFields(Array(fields.fields.prefix(layout.key.count))))
        guard key.count <= KeyWriter.sizeLimit else {
            throw CodingError(.keyTooLarge(size: key.count, limit: KeyWriter.sizeLimit))
        }
        let others = try layout.writeFields(StoredFields(Array(fields.fields.dropFirst(layout.key.count))))
        _ = try key.withRawSpan { key in
            try others.withRawSpan { others in try layout.read(key: key, fields: others) }
        }
        var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + others
        StoredValue.seal(&value, version, key: key, seed: target.seed)
        return (key, value)
    }

    /// Before the first record of a type: ends its migration, which could miss the record, and empties its indexes.
    private mutating func prepare(_ prefix: UInt32) throws {
        guard var target = targets[prefix] else { return }
        let ordinal = target.type.layouts[version]?.ordinal ?? 0
        if target.isChanged, target.type.oldestOrdinal <= ordinal { return }
        if !target.isChanged {
            try context.endMigration(of: target.type, prefix)
            for number in target.type.indexes.keys.sorted() {
                if let index = target.type.indexes[number], index.kind != .list {
                    target.report.indexesToRebuild.append(index.text)
                }
                try context.empty(number, of: &target.type, prefix)
            }
        }
        target.type.oldestOrdinal = min(target.type.oldestOrdinal, ordinal)
        target.isChanged = true
        targets[prefix] = target
        try context.set(target.type, prefix)
    }

    /// Builds the lists of changed relations, after the last record.
    ///
    /// - Throws: ``LoadError`` if an entity has two links in a relation to one.
    func finish() throws {
        for prefix in order {
            guard let target = targets[prefix], target.isChanged else { continue }
            try context.finishLoading(prefix)
        }
    }

    /// The records and indexes of each type.
    var report: LoadReport { LoadReport(types: order.compactMap { targets[$0]?.report }) }
}
