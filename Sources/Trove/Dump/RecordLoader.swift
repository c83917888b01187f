// Stores records without their Swift types, in a write transaction.
//
// The bytes of a record follow from its layout. So do the entries of most indexes: `LoadedIndexes.swift` maintains
// them. Indexes that only their program can maintain are emptied in the same transaction, as for a rebuild by hand; so
// are all but the unique ones after many records. The lists of links are built at the end of the transaction.

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
        /// The indexes; nil before the first record, and if the layout of the type cannot be read.
        var indexes: LoadedIndexes?
        /// The number of records for which all indexes are maintained.
        let limit: Int
        var report: LoadReport.RecordType
    }

    private let context: TransactionContext
    private let options: LoadOptions
    /// The types that the program declares, by their prefixes.
    private let declared: [UInt32: any IndexKeyRecord.Type]
    private var targets: [UInt32: Target] = [:]
    private var order: [UInt32] = []
    private var current: UInt32?
    private var version: UInt32 = 0

    init(_ context: TransactionContext, _ options: LoadOptions, declared: [any IndexKeyRecord.Type]) {
        self.context = context
        self.options = options
        self.declared = Dictionary(declared.map { ($0.schema.keyPrefix, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name of the current type.
    var typeName: String? { current.flatMap { targets[$0]?.type.qualifiedName } }

    /// The number of records stored so far.
    private(set) var records = 0

    // MARK: Types

    /// Makes a type current, by its name with or without the module: a stored type, else a type of the schema, or else
    /// a type that the program declares.
    ///
    /// - Throws: ``LoadError`` if there is no such type, or several.
    mutating func begin(named name: String, _ schema: [DumpedType]) throws {
        let declared = declared.values.map { DumpedType($0) }
        for types in [try context.storedTypes().map(DumpedType.init), schema, declared] {
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
    ///
    /// - Throws: ``LoadError`` if the store, or an earlier description in the text, has another type with the prefix.
    mutating func begin(_ dumped: DumpedType, line: Int) throws {
        current = nil
        if let target = targets[dumped.keyPrefix] {
            try dumped.check(against: target.type, line: line)
            if let links = dumped.links, context.relations[dumped.keyPrefix] != nil {
                // The relation is known: it is only compared.
                var type = target.type
                try context.addRelation(links, of: &type, dumped.keyPrefix, line: line)
            }
        } else {
            targets[dumped.keyPrefix] = try target(for: dumped, line)
            order.append(dumped.keyPrefix)
        }
        current = dumped.keyPrefix
        version = dumped.layouts.last?.version ?? 0
    }

    /// Makes a version of the current type current.
    mutating func begin(version: UInt32) { self.version = version }

    private func target(for dumped: DumpedType, _ line: Int) throws -> Target {
        guard dumped.keyPrefix != HistoryRow.schema.keyPrefix else {
            throw LoadError(line: line, .unknownType(dumped.name))
        }
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
        let records = try context.keyspace.createTable(named: name.text)
        let count = try context.keyspace.count(records)
        if stored != type { try context.set(type, dumped.keyPrefix) }
        return Target(
            type: type, records: records, seed: name.checksumSeed,
            limit: options.keepsIndexes ? .max : max(LoadedIndexes.usualLimit, count / 4),
            report: LoadReport.RecordType(name: type.qualifiedName, links: dumped.links))
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
            try context.writeFullHistory()
            let kind = try context.kind(ofSaving: key, in: target.records)
            if try put(key, value, of: current, line: line) {
                records += 1
                targets[current]?.report.loaded += 1
                context.note(kind, of: key, current, target.type)
            } else if options.rule == .throw {
                throw StoreError.record(.keyExists(type: name, key: target.type.storedKey(key)))
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
        let others = try layout.writeFields(StoredFields(Array(fields.fields.dropFirst(layout.key.count))))
        return (key, try layout.storedValue(key: key, fields: others, version, seed: target.seed))
    }

    /// Writes a record and its index entries. Returns false if a record has the key, and the rule keeps it.
    private mutating func put(_ key: [UInt8], _ value: [UInt8], of prefix: UInt32, line: Int) throws -> Bool {
        guard let target = targets[prefix] else { return false }
        let mode: TransactionCore.PutMode = options.rule == .replace ? .replace : .keep
        guard let indexes = target.indexes else { return try write(key, value, to: target.records, mode) }
        if target.report.loaded == target.limit { try empty(indexes.numbersWithDuplicates, of: prefix) }
        indexes.removeAll()
        var isDerived = true
        let isStored = try key.withRawSpan { key in
            try context.keyspace.withValue(target.records, key) { stored in
                if options.rule == .replace { isDerived = indexes.deriveOld(key, stored) }
            }
        }
        if isStored, options.rule != .replace { return false }
        isDerived = try derive(key, value, for: indexes, of: target.type.qualifiedName) && isDerived
        if !isDerived { try empty(indexes.numbers, of: prefix) }
        if options.rule == .replace {
            try indexes.noteCollisions(of: key, line: line, context)
        } else if let error = try indexes.collisionError(of: key, context) {
            throw error
        }
        return try indexes.write(key, value, mode, context)
    }

    /// Derives the entries of a new record. A declared type decodes it: an error is one of the text.
    private func derive(
        _ key: [UInt8], _ value: [UInt8], for indexes: LoadedIndexes, of type: String
    ) throws -> Bool {
        do {
            return try key.withRawSpan { key in try value.withRawSpan { try indexes.deriveNew(key, $0) } }
        } catch StoreError.record(.corrupted(_, _, let reason)) {
            throw StoreError(writing: type, reason)
        } catch StoreError.record(.unreadable(_, _, _, let reason)) {
            throw StoreError(writing: type, reason)
        }
    }

    private func write(
        _ key: [UInt8], _ value: [UInt8], to records: Database, _ mode: TransactionCore.PutMode
    ) throws -> Bool {
        try context.keyspace.put(records, key, size: value.count, mode: mode) { destination in
            value.withRawSpan { copyBytes($0, into: &destination) }
        }
    }

    /// Empties indexes that are not maintained from now on.
    ///
    /// - Throws: ``LoadError/Reason/indexesNotKept(_:)`` if all indexes are to be kept.
    private mutating func empty(_ numbers: [UInt32], of prefix: UInt32) throws {
        guard !numbers.isEmpty, var target = targets[prefix] else { return }
        let before = target.type.indexes
        let ready = numbers.sorted().compactMap { before[$0] }.filter(\.isReady)
        if options.keepsIndexes, !ready.isEmpty {
            throw LoadError(line: 0, type: target.type.qualifiedName, .indexesNotKept(ready.map(\.text)))
        }
        try context.empty(numbers, of: &target.type, prefix)
        let emptied = before.keys.filter { numbers.contains($0) || before[$0] != target.type.indexes[$0] }.sorted()
        target.report.indexesToRebuild += emptied.compactMap { before[$0]?.text }
        target.indexes?.stopMaintaining(emptied)
        targets[prefix] = target
        try context.set(target.type, prefix)
    }

    /// Before the first record of a type: ends its migration, which could miss the record, opens its indexes, and
    /// empties the indexes that cannot be maintained.
    private mutating func prepare(_ prefix: UInt32) throws {
        guard var target = targets[prefix] else { return }
        let ordinal = target.type.layouts[version]?.ordinal ?? 0
        if target.isChanged, target.type.oldestOrdinal <= ordinal { return }
        let before = target.type
        let isFirst = !target.isChanged
        if isFirst {
            try context.endMigration(of: target.type, prefix)
            target.indexes = try indexes(of: &target.type, prefix)
            for (number, index) in target.type.indexes where index.kind == .list {
                try context.empty(number, of: &target.type, prefix)
            }
        }
        target.type.oldestOrdinal = min(target.type.oldestOrdinal, ordinal)
        target.isChanged = true
        targets[prefix] = target
        if isFirst || target.type != before { try context.set(target.type, prefix) }
        guard isFirst else { return }
        let maintained = target.indexes?.numbers ?? []
        try empty(
            target.type.indexes.keys.filter { number in
                target.type.indexes[number]?.kind != .list && !maintained.contains(number)
            }, of: prefix)
    }

    /// Returns the indexes of a type: of the program's declaration, if it can write the type.
    private func indexes(of type: inout CatalogType, _ prefix: UInt32) throws -> LoadedIndexes? {
        if let declared = declared[prefix], declared.schema.fieldsVersion == type.newestVersion {
            do {
                _ = try context.tableForWriting(declared.schema)
                // The table of the catalog is of the time before the transaction.
                type = try context.catalogStorage().type(prefix) ?? type
                let table = try context.use(type, for: declared.schema)
                if table.keepsKeys, table.indexes.count == declared.schema.indexes.count {
                    return LoadedIndexes(of: declared, in: table)
                }
            } catch StoreError.schema(.schemaNewer) {
                // The store has indexes that this program cannot maintain.
            }
        }
        return try LoadedIndexes(of: type, prefix, options.analyzers, in: context)
    }

    // MARK: The end

    /// Checks unique values, and builds the lists of changed relations, after the last record.
    ///
    /// - Throws: ``LoadError`` if two records have the same unique values, or an entity has two links in a relation to
    ///   one.
    func finish() throws {
        for prefix in order {
            guard let target = targets[prefix], target.isChanged else { continue }
            try target.indexes?.checkCollisions(target.type, context)
            try context.finishLoading(prefix)
        }
    }

    /// The records and indexes of each type.
    var report: LoadReport { LoadReport(types: order.compactMap { targets[$0]?.report }) }

    /// The declared types with emptied indexes.
    var typesToBuild: [any IndexKeyRecord.Type] {
        order.compactMap { prefix in
            guard let target = targets[prefix], target.indexes?.isDeclared == true,
                !target.report.indexesToRebuild.isEmpty
            else { return nil }
            return declared[prefix]
        }
    }
}
