// The indexes of a type while its records are loaded. A declared type derives the entries itself; for any other type,
// they follow from the definitions in the catalog, where these say enough.

import LMDB
import TroveCoding
import TroveText

/// The record table of a type, and the indexes that are maintained with it.
final class LoadedIndexes {
    /// Adds the entries of a stored record. Returns false if they cannot be derived: the record is damaged, or only its
    /// program can read its layout.
    typealias Derive = (_ key: RawSpan, _ value: RawSpan, _ list: inout IndexEntries) throws -> Bool

    /// A record whose unique values another record had when it was stored.
    private struct Collision {
        var place: Int
        var value: [UInt8]
        var key: [UInt8]
        var line: Int
    }

    /// The maximum number of records for which all indexes are maintained, at least: more are stored without entries,
    /// which are then built at once.
    static let usualLimit = 10_000

    let table: RecordTable
    /// Whether the program declares the type: then new records are decoded.
    let isDeclared: Bool
    private let derive: Derive
    /// Whether each index is maintained, by its position in the table.
    private var isMaintained: [Bool]
    /// Whether each index forbids duplicate values.
    private let forbidsDuplicates: [Bool]
    private var change = RecordChange()
    private var collisions: [Collision] = []

    /// Creates the indexes of a declared type.
    init(of type: any IndexKeyRecord.Type, in table: RecordTable) {
        self.table = table
        isDeclared = true
        derive = type.loadDerivation(in: table)
        isMaintained = table.indexes.map { _ in true }
        forbidsDuplicates = type.schema.indexes.map(\.forbidsDuplicates)
    }

    /// Creates the indexes whose entries follow from the newest layout. Nil if the layout cannot be read.
    ///
    /// - Parameter analyzers: Analyzers of full-text indexes beside the built-in ones.
    init?(
        of type: CatalogType, _ keyPrefix: UInt32, _ analyzers: [TextAnalyzer], in context: TransactionContext
    ) throws {
        guard let version = type.newestVersion, let text = type.layouts[version]?.text else { return nil }
        let layout: RecordLayout
        do throws(CodingError) { layout = try RecordLayout(text) } catch { return nil }
        guard layout.unknownPart == nil else { return nil }
        let known = type.indexes.sorted { $0.key < $1.key }.compactMap { _, index in
            index.derivation(in: layout, analyzers)
        }
        let schema = RecordSchema(
            qualifiedName: type.qualifiedName, keyPrefix: keyPrefix, layout, known.map(\.descriptor))
        let table = try context.use(type, for: schema)
        let derivations = known.map(\.derivation)
        self.table = table
        isDeclared = false
        isMaintained = table.indexes.map { _ in true }
        forbidsDuplicates = known.map { $0.descriptor.kind.isUnique && !$0.descriptor.allowsDuplicates }
        derive = { key, value, list in
            list.removeAll()
            guard table.isIntact(key, value), StoredValue.version(of: value) == version else { return false }
            do {
                let fields = try layout.read(key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
                for (place, derivation) in derivations.enumerated() {
                    try derivation.derive(fields, key, as: place, into: &list)
                }
                return true
            } catch is CodingError {
                return false
            }
        }
    }

    // MARK: Which indexes

    /// The numbers of the maintained indexes.
    var numbers: [UInt32] { isMaintained.indices.filter { isMaintained[$0] }.map { table.indexes[$0].number } }

    /// The numbers of the maintained indexes that do not forbid duplicate values.
    var numbersWithDuplicates: [UInt32] {
        isMaintained.indices.filter { isMaintained[$0] && !forbidsDuplicates[$0] }.map { table.indexes[$0].number }
    }

    /// Ends the maintenance of emptied indexes.
    func stopMaintaining(_ numbers: some Sequence<UInt32>) {
        for place in isMaintained.indices where numbers.contains(table.indexes[place].number) {
            isMaintained[place] = false
        }
    }

    // MARK: Entries

    /// Derives the entries of the stored record that a record replaces, before that is written. Returns false if they
    /// cannot be derived: also if the declared type cannot decode the record, which must be replaceable.
    func deriveOld(_ key: RawSpan, _ value: RawSpan) -> Bool {
        guard isMaintained.contains(true) else { return true }
        do {
            return try derive(key, value, &change.old)
        } catch {
            // Also an error of the program's migration of an older record.
            change.old.removeAll()
            return false
        }
    }

    /// Derives the entries of a record to store. Returns false if they cannot be derived.
    func deriveNew(_ key: RawSpan, _ value: RawSpan) throws -> Bool {
        // A declared type also checks rules that the layout does not have. Older records are converted later.
        let isChecked = isDeclared && StoredValue.version(of: value) == table.fieldsVersion
        guard isChecked || isMaintained.contains(true) else { return true }
        return try derive(key, value, &change.new)
    }

    /// Forgets the entries of the last record.
    func removeAll() {
        change.removeAll()
    }

    /// Returns the error for the first unique index in which another record has the values of the new record; nil if
    /// there is none.
    func collisionError(of key: [UInt8], _ context: TransactionContext) throws -> StoreError? {
        for (place, entry) in uniqueEntries {
            if let existing = try holder(of: change.new.value(of: entry), place, excluding: key, context) {
                return .record(
                    .notUnique(
                        type: table.type.qualifiedName, index: name(of: place), key: table.type.storedKey(key),
                        existing: table.type.storedKey(existing)))
            }
        }
        return nil
    }

    /// Notes the unique values that another record has. ``checkCollisions(_:_:)`` finds out whether it still has them.
    func noteCollisions(of key: [UInt8], line: Int, _ context: TransactionContext) throws {
        for (place, entry) in uniqueEntries {
            let value = change.new.value(of: entry)
            guard try holder(of: value, place, excluding: key, context) != nil else { continue }
            collisions.append(Collision(place: place, value: Array(value), key: key, line: line))
        }
    }

    /// - Throws: ``LoadError`` if two records have the same unique values after all lines.
    func checkCollisions(_ type: CatalogType, _ context: TransactionContext) throws {
        for collision in collisions where isMaintained[collision.place] {
            guard try value(of: collision.key, collision.place, context) == collision.value,
                let existing = try holder(
                    of: collision.value[...], collision.place, excluding: collision.key, context)
            else { continue }
            throw LoadError(
                line: collision.line, type: type.qualifiedName,
                .store(
                    .record(
                        .notUnique(
                            type: type.qualifiedName, index: name(of: collision.place),
                            key: type.storedKey(collision.key), existing: type.storedKey(existing)))))
        }
    }

    /// Writes a record whose entries are derived. Returns false if the mode keeps a stored record.
    func write(
        _ key: [UInt8], _ value: [UInt8], _ mode: TransactionCore.PutMode, _ context: TransactionContext
    ) throws -> Bool {
        let isWritten = try context.keyspace.put(table.database, key, size: value.count, mode: mode) { destination in
            value.withRawSpan { copyBytes($0, into: &destination) }
        }
        if isWritten { try key.withRawSpan { try apply($0, isRemoved: false, context) } }
        return isWritten
    }

    /// Removes a record whose entries are derived.
    func remove(_ key: [UInt8], _ context: TransactionContext) throws {
        try context.keyspace.delete(table.database, key)
        try key.withRawSpan { try apply($0, isRemoved: true, context) }
    }

    /// Removes the entries that only the old record has, and stores the entries that only the new record has.
    private func apply(_ key: RawSpan, isRemoved: Bool, _ context: TransactionContext) throws {
        guard isMaintained.contains(true) else { return }
        change.compareEntries()
        try context.apply(change, key, to: table, isMaintained)
        try context.follow(key, isRemoved: isRemoved, in: table, isMaintained)
    }

    private func name(of place: Int) -> String { table.schema.indexes[place].text }

    // MARK: Unique values

    /// The new entries whose values no other record may have, with the positions of their indexes.
    private var uniqueEntries: [(place: Int, entry: Int)] {
        change.new.entries.indices.compactMap { entry in
            let place = change.new.entries[entry].index
            return isMaintained[place] && forbidsDuplicates[place] ? (place, entry) : nil
        }
    }

    /// Returns the key of another record with a value, by the stored entries; nil if there is none.
    private func holder(
        of value: ArraySlice<UInt8>, _ place: Int, excluding key: [UInt8], _ context: TransactionContext
    ) throws -> [UInt8]? {
        let target = table.indexes[place]
        let head = KeyRange(prefix: Array(value.prefix(IndexEntries.headSize)))
        var found: [UInt8]?
        try context.keyspace.scan(target.database, ScanRange(from: head.lower, upTo: head.upper)) { entry, stored in
            let isLong = stored.byteCount > 0
            let bytes = copiedBytes(entry)
            guard isLong || bytes.starts(with: value) else { return .continue }
            let recordKey =
                isLong
                ? StoredEntry.recordKey(in: stored, key: entry, seed: target.seed) : Array(bytes.dropFirst(value.count))
            guard let recordKey else {
                throw StoreError.record(
                    .indexDamaged(
                        type: table.type.qualifiedName, index: name(of: place),
                        key: StoredKey(bytes, of: table.type.qualifiedName)))
            }
            if recordKey == key { return .continue }
            // Long values with the same head are adjacent.
            if isLong, try self.value(of: recordKey, place, context) != Array(value) { return .continue }
            found = recordKey
            return .stop
        }
        return found
    }

    /// Returns the indexed value of the stored record with a key; nil if the record has no entry.
    private func value(of key: [UInt8], _ place: Int, _ context: TransactionContext) throws -> [UInt8]? {
        var list = IndexEntries()
        _ = try context.keyspace.withEntry(table.database, key) { key, stored in
            if try !derive(key, stored, &list) { list.removeAll() }
        }
        return list.entries.firstIndex { $0.index == place }.map { Array(list.value(of: $0)) }
    }
}

extension IndexKeyRecord {
    /// Returns the derivation of the entries of stored records, from the decoded records.
    fileprivate static func loadDerivation(in table: RecordTable) -> LoadedIndexes.Derive {
        { key, value, list in
            guard table.isIntact(key, value) else { return false }
            Self.derive(try Self.decode(key, value, table), key, .all, into: &list)
            return true
        }
    }
}

extension CatalogIndex {
    /// Returns the description of the index, and the derivation of its entries; nil if only its program can derive
    /// them.
    func derivation(
        in layout: RecordLayout, _ analyzers: [TextAnalyzer]
    ) -> (descriptor: IndexDescriptor, derivation: LayoutDerivation)? {
        guard kind != .list, let definition = IndexDefinition(parsing: self.definition, in: layout),
            let derivation = LayoutDerivation(self, in: layout, among: analyzers), !derivation.isPartial
        else { return nil }
        var rule: TextRule?
        if kind == .fullText {
            guard let analyzer = derivation.analyzer else { return nil }
            rule = TextRule(
                analyzer, keepsOrder: definition.analyzer?.keepsOrder ?? true, weights: [],
                fields: definition.columns.count)
        }
        // The rule for duplicate values is not stored. An index that may have some is checked by its program.
        return (IndexDescriptor(kind, definition, rule, allowsDuplicates: mayHaveDuplicates), derivation)
    }
}
