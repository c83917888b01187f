// Compares indexes with the entries derived from the records.

import LMDB
import TroveCoding

extension Store {
    /// Compares the indexes of all declared types with the entries derived from their records, and checks the links of
    /// all relations.
    ///
    /// ```swift
    /// for difference in try store.check() { print(difference) }
    /// ```
    ///
    /// `rebuild(_:index:progress:)` repairs all differences of an index except duplicate values. A damaged record
    /// fails its checksum. It can be deleted with `ignoringDamage:`, together with its index entries. An intact record
    /// that the type cannot decode is listed, too, and can be replaced or deleted as any other. An index that is
    /// still being built is left out. `verify(path:progress:)` checks the file itself.
    ///
    /// The lists of a relation are compared with its links. An end of a relation to one has at most one link, and each
    /// link of a symmetric relation is stored in both directions. `rebuild(progress:)` repairs the lists and the
    /// directions. Links to entities that are not stored are allowed: see `relationNotes()`.
    ///
    /// Gathered text is compared with the rest of its index. Whether it is the text of now, only its closure knows: see
    /// `gathering`.
    ///
    /// - Parameter gathering: Whether the closures of indexes of gathered text are called for all records, to find
    ///   stale texts. Closures that gather outside of transactions are called by the async form alone.
    /// - Returns: The differences, at most 1,000; an empty array if there are none.
    /// - Throws: ``StoreError/TextError/gatheringFailed(type:index:reason:)``.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot. Memory is constant, except for
    ///   unique values with the same first 494 bytes.
    @available(*, noasync, message: "await the call")
    public func check(gathering: Bool = false) throws -> [IndexDifference] {
        try readToEnd { context in
            var differences: [IndexDifference] = []
            for type in declaredTypes where differences.count < IndexDifference.limit {
                differences += try type.checkIndexes(context)
                if gathering { differences += try context.staleTexts(of: type.schema) }
            }
            if differences.count < IndexDifference.limit { differences += try context.checkLinks { _ in true } }
            return Array(differences.prefix(IndexDifference.limit))
        }
    }

    /// Compares the indexes of a type with the entries derived from its records, and checks the links of its relations,
    /// as `check()` does.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - gathering: Whether the closures of indexes of gathered text are called for all records, to find stale texts.
    ///     Closures that gather outside of transactions are called by the async form alone.
    /// - Returns: The differences, at most 1,000; an empty array if there are none.
    /// - Throws: ``StoreError/TextError/gatheringFailed(type:index:reason:)``.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot. Memory is constant, except for
    ///   unique values with the same first 494 bytes.
    @available(*, noasync, message: "await the call")
    public func check<Record: IndexKeyRecord>(_ type: Record.Type, gathering: Bool = false) throws -> [IndexDifference]
    {
        try readToEnd { context in
            let links = try context.checkLinks { $0.hasEnd(type.keyPrefix) }
            let stale = gathering ? try context.staleTexts(of: type.schema) : []
            return Array((try type.checkIndexes(context) + stale + links).prefix(IndexDifference.limit))
        }
    }
}

extension ReadContext {
    /// Checks the links of relations.
    fileprivate func checkLinks(of isIncluded: (CatalogRelation) -> Bool) throws -> [IndexDifference] {
        var differences: [IndexDifference] = []
        for var type in try storedTypes() where differences.count < IndexDifference.limit {
            guard let stored = relations[type.keyPrefix], isIncluded(stored.relation) else { continue }
            type.name = stored.schema.name
            differences += try checkStoredIndexes(of: type).differences
        }
        return differences
    }
}

extension IndexKeyRecord {
    /// Compares the readable indexes with the entries derived from the records.
    static func checkIndexes(_ context: ReadContext) throws -> [IndexDifference] {
        try translatingErrors {
            guard let table = try context.table(for: schema) else { return [] }
            let checked = zip(table.indexes, indexes).map { target, declared in
                let contents = target.kind.maintainer.contents(of: target, declared.descriptor, context.keyspace)
                return target.isReady
                    ? CheckedIndex(
                        name: declared.descriptor.text, database: target.database, seed: target.seed,
                        forbidsDuplicates: declared.descriptor.forbidsDuplicates,
                        hasAllEntries: !declared.descriptor.needsKeysOnly,
                        entryLayout: CatalogIndex(declared.descriptor).entryLayout(in: schema.layout),
                        valueSize: declared.valueSize(in:), contents: contents)
                    : nil
            }
            var check = IndexCheck(
                context.keyspace, type: schema.name, keyLayout: table.type.keyLayout, records: table.database,
                seed: table.checksumSeed, checked
            ) { key, value in
                entries(of: try decode(key, value, table), key)
            }
            try check.run()
            return check.differences
        }
    }
}
