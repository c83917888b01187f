// Checks indexes using the catalog alone, without the Swift types.

import LMDB
import TroveCoding

extension ReadContext {
    /// Compares the indexes of a type with the entries derived from its records, as far as the index definitions allow.
    ///
    /// Duplicate values are not reported, because a unique constraint may allow them. For the links of a relation, the
    /// links are checked too: see ``StoredTypeCheck/linkDifferences``.
    ///
    /// - Parameters:
    ///   - type: An element of ``storedTypes()``.
    ///   - index: The name of the only index to compare, such as `index(age)`; nil for all, and for the links.
    ///   - progress: Receives the number of records and entries compared, and the total, which can grow: the entries of
    ///     an index are compared with the records only if their number is wrong. An error ends the check.
    /// - Returns: The result for each index.
    /// - Throws: ``StoreError``, and the error of `progress`:
    ///   ``StoreError/SchemaError/noSuchIndex(type:index:indexes:)`` if the type does not have the index.
    /// - Complexity: O(*n* log *n*) in the number of records, in constant memory.
    public final func checkStoredIndexes(
        of type: StoredType, index: String? = nil,
        progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> StoredTypeCheck {
        let steps = CheckSteps(progress)
        steps.expect(type.count)
        let check = try checkStoredIndexes(of: type, index: index, steps)
        try steps.end()
        return check
    }

    /// Compares the indexes of some types, as ``checkStoredIndexes(of:index:progress:)`` does.
    package final func checkStoredIndexes(
        of types: [StoredType], progress: @escaping (_ done: Int, _ total: Int) throws -> Void
    ) throws -> [StoredTypeCheck] {
        let steps = CheckSteps(progress)
        for type in types { steps.expect(type.count) }
        let checks = try types.map { try checkStoredIndexes(of: $0, index: nil, steps) }
        try steps.end()
        return checks
    }

    /// Compares indexes, and counts the steps.
    ///
    /// - Parameter index: The name of the only index; nil for all, and for the links.
    final func checkStoredIndexes(
        of type: StoredType, index name: String?, _ steps: CheckSteps
    ) throws -> StoredTypeCheck {
        if let name, !type.indexes.contains(where: { $0.name == name }) {
            throw StoreError.schema(.noSuchIndex(type: type.name, index: name, indexes: type.indexes.map(\.name)))
        }
        return try translatingErrors {
            try flushParts()
            let layout = try type.newestLayout()
            let derivations = type.indexes.map { index in
                index.isReady && name ?? index.name == index.name
                    ? layout.flatMap { LayoutDerivation(index.stored, in: $0) } : nil
            }
            let indexes = zip(type.indexes, derivations).map { index, derivation in
                derivation.flatMap { index.checked(by: $0, keyspace) }
            }
            var check = IndexCheck(
                keyspace, type: type.name, keyLayout: type.keyLayout, records: type.records, seed: type.checksumSeed,
                indexes, steps
            ) { key, value in
                guard let layout, StoredValue.version(of: value) == type.versions.last else { return nil }
                return try type.entries(of: key, value, layout, derivations)
            }
            try check.run(includingRecords: type.links != nil)
            let checks = zip(type.indexes, derivations).compactMap { index, derivation -> StoredIndexCheck? in
                guard name ?? index.name == index.name else { return nil }
                return StoredIndexCheck(
                    type: type.name, index: index.name, entries: index.count, hasGroups: index.hasGroups,
                    extent: check.incomparable.contains(index.name) ? .unknown : index.extent(of: derivation),
                    olderRecords: check.unknownRecords,
                    differences: check.differences.filter { $0.index == index.name })
            }
            return StoredTypeCheck(
                indexes: checks, damagedRecords: check.differences.filter { $0.kind == .damagedRecord },
                linkDifferences: name == nil ? try linkDifferences(of: type, steps) : [])
        }
    }

    private func linkDifferences(of type: StoredType, _ steps: CheckSteps) throws -> [IndexDifference] {
        guard let stored = relations[type.keyPrefix], let links = catalogSnapshot.recordTable(type.keyPrefix) else {
            return []
        }
        var check = try LinkCheck(stored, type: links.type, table: links.name, in: keyspace, steps, name: type.name)
        try check.run()
        return check.differences
    }
}

extension StoredType {
    /// Returns the entries of an intact record in the newest layout, in the indexes with a derivation.
    fileprivate func entries(
        of key: RawSpan, _ value: RawSpan, _ layout: RecordLayout, _ derivations: [LayoutDerivation?]
    ) throws -> IndexEntries {
        var list = IndexEntries()
        do {
            let fields = try layout.read(key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
            for (index, derivation) in derivations.enumerated() {
                try derivation?.derive(fields, key, as: index, into: &list)
            }
        } catch let error as CodingError {
            throw StoreError(reading: storedKey(copiedBytes(key)), error)
        }
        return list
    }
}

extension StoredIndex {
    /// Returns the index for a check; nil for a full-text index whose analyzer only its program knows, and for totals
    /// whose condition only their program can evaluate.
    fileprivate func checked(by derivation: LayoutDerivation, _ keyspace: Keyspace) -> CheckedIndex? {
        var contents: (any CheckedContents)?
        if let text {
            if !derivation.needsKeysOnly, derivation.analyzer == nil { return nil }
            contents = CheckedText(text, derivation.needsKeysOnly ? nil : derivation.analyzer, keyspace)
        }
        if let totals {
            if derivation.isPartial { return nil }
            contents = CheckedTotals(totals, sums: derivation.sumCount, keyspace)
        }
        return CheckedIndex(
            name: name, database: database, seed: checksumSeed, hasAllEntries: !derivation.isPartial,
            entryLayout: derivation.entryLayout, valueSize: derivation.valueSize(in:), contents: contents,
            ranks: ranks, restoreKey: derivation.recordKey(in:))
    }

    /// Returns the extent of a check by a derivation.
    fileprivate func extent(of derivation: LayoutDerivation?) -> StoredIndexCheck.Extent {
        guard let derivation else { return isReady ? .unknown : .notReady }
        if text != nil, derivation.analyzer == nil, !derivation.needsKeysOnly { return .unknown }
        if totals != nil, derivation.isPartial { return .unknown }
        return derivation.isPartial ? .entries : .whole
    }
}

extension Store {
    /// Empties indexes. The next program that opens the store and declares their type rebuilds them.
    ///
    /// A program that has the type rebuilds them at once with `rebuild(_:index:progress:)`. Until the rebuild,
    /// queries do not use the indexes, and writes maintain them.
    ///
    /// The lists of a relation's links need no Swift type: they are rebuilt at once, as `rebuild(progress:)` does.
    ///
    /// - Parameters:
    ///   - index: The name of an index, such as `index(age)`; nil for all indexes of the type.
    ///   - type: An element of ``ReadContext/storedTypes()``.
    /// - Returns: The names of the indexes.
    /// - Throws: ``StoreError/SchemaError/noSuchIndex(type:index:indexes:)``.
    @available(*, noasync, message: "await the call")
    public func markForRebuild(_ index: String? = nil, of type: StoredType) throws -> [String] {
        try write { context in
            try translatingErrors {
                guard var stored = try context.catalogStorage().type(type.keyPrefix) else { return [] }
                let wanted = stored.indexes.filter { index ?? $0.value.text == $0.value.text }
                guard index == nil || !wanted.isEmpty else {
                    throw StoreError.schema(
                        .noSuchIndex(type: type.name, index: index ?? "", indexes: type.indexes.map(\.name)))
                }
                if type.links != nil {
                    try context.rebuildLinks(type.keyPrefix, index)
                    return wanted.sorted { $0.key < $1.key }.map(\.value.text)
                }
                if wanted.isEmpty { return [] }
                try context.empty(wanted.keys.sorted(), of: &stored, type.keyPrefix)
                try context.set(stored, type.keyPrefix)
                return wanted.sorted { $0.key < $1.key }.map(\.value.text)
            }
        }
    }
}
