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
    /// - Parameters:
    ///   - gathering: Whether the closures of indexes of gathered text are called for all records, to find stale texts.
    ///     Closures that gather outside of transactions are called by the async form alone.
    ///   - progress: Receives the number of records and entries compared, and the total, which can grow: the entries of
    ///     an index are compared with the records only if their number is wrong. An error ends the check.
    /// - Returns: The differences, at most 1,000; an empty array if there are none.
    /// - Throws: ``StoreError/TextError/gatheringFailed(type:index:reason:)``; the error of `progress`.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot. Memory is constant, except for
    ///   unique values with the same first 494 bytes.
    @available(*, noasync, message: "await the call")
    public func check(
        gathering: Bool = false, progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> [IndexDifference] {
        try readToEnd { context in
            var differences: [IndexDifference] = []
            let steps = CheckSteps(progress)
            for type in declaredTypes { try steps.expectRecords(of: type.schema, in: context) }
            for type in declaredTypes where differences.count < IndexDifference.limit {
                differences += try type.checkIndexes(context, steps)
                if gathering { differences += try context.staleTexts(of: type.schema) }
            }
            if differences.count < IndexDifference.limit { differences += try context.checkLinks(steps) { _ in true } }
            try steps.end()
            return Array(differences.prefix(IndexDifference.limit))
        }
    }

    /// Compares the indexes of a type with the entries derived from its records, and checks the links of its relations,
    /// as `check()` does.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - index: The name of the only index to compare, such as `index(age)`; nil for all, and for the links.
    ///   - gathering: Whether the closures of indexes of gathered text are called for all records, to find stale texts.
    ///     Closures that gather outside of transactions are called by the async form alone.
    ///   - progress: Receives the number of records and entries compared, and the total, as for `check()`. An error
    ///     ends the check.
    /// - Returns: The differences, at most 1,000; an empty array if there are none.
    /// - Throws: ``StoreError/SchemaError/noSuchIndex(type:index:indexes:)``;
    ///   ``StoreError/TextError/gatheringFailed(type:index:reason:)``; the error of `progress`.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot. Memory is constant, except for
    ///   unique values with the same first 494 bytes.
    @available(*, noasync, message: "await the call")
    public func check<Record: IndexKeyRecord>(
        _ type: Record.Type, index: String? = nil, gathering: Bool = false,
        progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> [IndexDifference] {
        let declared = type.schema.indexes.map(\.text)
        if let index, !declared.contains(index) {
            throw StoreError.schema(.noSuchIndex(type: type.schema.name, index: index, indexes: declared))
        }
        return try readToEnd { context in
            let steps = CheckSteps(progress)
            try steps.expectRecords(of: type.schema, in: context)
            let links = index == nil ? try context.checkLinks(steps) { $0.hasEnd(type.keyPrefix) } : []
            var stale = gathering ? try context.staleTexts(of: type.schema) : []
            stale.removeAll { index ?? $0.index != $0.index }
            let differences = try type.checkIndexes(context, steps, only: index) + stale + links
            try steps.end()
            return Array(differences.prefix(IndexDifference.limit))
        }
    }
}

extension ReadContext {
    /// Checks the links of relations.
    fileprivate func checkLinks(
        _ steps: CheckSteps, of isIncluded: (CatalogRelation) -> Bool
    ) throws -> [IndexDifference] {
        var differences: [IndexDifference] = []
        for var type in try storedTypes() where differences.count < IndexDifference.limit {
            guard let stored = relations[type.keyPrefix], isIncluded(stored.relation) else { continue }
            type.name = stored.schema.name
            steps.expect(type.count)
            differences += try checkStoredIndexes(of: type, index: nil, steps).differences
        }
        return differences
    }
}

extension IndexKeyRecord {
    /// Compares the readable indexes with the entries derived from the records.
    ///
    /// - Parameter index: The name of the only index; nil for all.
    static func checkIndexes(
        _ context: ReadContext, _ steps: CheckSteps, only index: String? = nil
    ) throws -> [IndexDifference] {
        try translatingErrors {
            guard let table = try context.table(for: schema) else { return [] }
            let checked = zip(table.indexes, indexes).map { target, declared in
                let contents = target.kind.maintainer.contents(of: target, declared.descriptor, context.keyspace)
                return target.isReady && index ?? declared.descriptor.text == declared.descriptor.text
                    ? CheckedIndex(
                        name: declared.descriptor.text, database: target.database, seed: target.seed,
                        forbidsDuplicates: declared.descriptor.forbidsDuplicates,
                        hasAllEntries: !declared.descriptor.needsKeysOnly,
                        entryLayout: CatalogIndex(declared.descriptor).entryLayout(in: schema.layout),
                        valueSize: declared.valueSize(in:), contents: contents, ranks: target.ranks)
                    : nil
            }
            var check = IndexCheck(
                context.keyspace, type: schema.name, keyLayout: table.type.keyLayout, records: table.database,
                seed: table.checksumSeed, checked, steps
            ) { key, value in
                entries(of: try decode(key, value, table), key)
            }
            try check.run()
            return check.differences
        }
    }
}
