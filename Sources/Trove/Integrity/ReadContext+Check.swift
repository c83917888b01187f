// Checks indexes using the catalog alone, without the Swift types.

import LMDB
import TroveCoding

extension ReadContext {
    /// Compares the indexes of a type with the entries derived from its records, as far as the index definitions allow.
    ///
    /// Duplicate values are not reported, because a unique constraint may allow them. For the links of a relation, the
    /// links are checked too: see ``StoredTypeCheck/linkDifferences``.
    ///
    /// - Parameter type: An element of ``storedTypes()``.
    /// - Returns: The result for each index.
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n* log *n*) in the number of records, in constant memory.
    public final func checkStoredIndexes(of type: StoredType) throws -> StoredTypeCheck {
        try translatingErrors {
            try flushTexts()
            let layout = try type.newestLayout()
            let derivations = type.indexes.map { index in
                index.isReady ? layout.flatMap { LayoutDerivation(index.stored, in: $0) } : nil
            }
            let indexes = zip(type.indexes, derivations).map { index, derivation in
                derivation.flatMap { derivation -> CheckedIndex? in
                    let text = index.text.flatMap { text in
                        derivation.isGathered
                            ? CheckedText(text, nil, keyspace)
                            : derivation.analyzer.map { CheckedText(text, $0, keyspace) }
                    }
                    // Only its program knows the analyzer.
                    if index.text != nil, text == nil { return nil }
                    return CheckedIndex(
                        name: index.name, database: index.database, seed: index.checksumSeed,
                        hasAllEntries: !derivation.isPartial, entryLayout: derivation.entryLayout,
                        valueSize: derivation.valueSize(in:), text: text, restoreKey: derivation.recordKey(in:))
                }
            }
            var check = IndexCheck(
                keyspace, type: type.name, keyLayout: type.keyLayout, records: type.records, seed: type.checksumSeed,
                indexes
            ) { key, value in
                guard let layout, StoredValue.version(of: value) == type.versions.last else { return nil }
                var list = IndexEntries()
                do {
                    let fields = try layout.read(
                        key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
                    for (index, derivation) in derivations.enumerated() {
                        try derivation?.derive(fields, key, as: index, into: &list)
                    }
                } catch let error as CodingError {
                    throw StoreError(reading: type.storedKey(copiedBytes(key)), error)
                }
                return list
            }
            try check.run(includingRecords: type.links != nil)
            let checks = zip(type.indexes, derivations).map { index, derivation in
                StoredIndexCheck(
                    type: type.name, index: index.name, entries: index.count,
                    extent: derivation.map {
                        index.text != nil && $0.analyzer == nil && !$0.isGathered ? .unknown : $0.extent
                    }
                        ?? (index.isReady ? .unknown : .notReady),
                    olderRecords: check.unknownRecords,
                    differences: check.differences.filter { $0.index == index.name })
            }
            return StoredTypeCheck(
                indexes: checks, damagedRecords: check.differences.filter { $0.kind == .damagedRecord },
                linkDifferences: try linkDifferences(of: type))
        }
    }

    private func linkDifferences(of type: StoredType) throws -> [IndexDifference] {
        guard let stored = relations[type.keyPrefix], let links = catalogSnapshot.recordTable(type.keyPrefix) else {
            return []
        }
        var check = try LinkCheck(stored, links.type, links.name, keyspace, name: type.name)
        try check.run()
        return check.differences
    }
}

extension StoredType {
    /// Returns the layout of new records; nil if a part of it is described by a name alone.
    fileprivate func newestLayout() throws -> RecordLayout? {
        guard let version = versions.last else { return nil }
        let layout = try layout(of: version)
        return layout.unknownPart == nil ? layout : nil
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
    /// - Throws: ``StoreError/noSuchIndex(type:index:indexes:)``.
    @available(*, noasync, message: "await the call")
    public func markForRebuild(_ index: String? = nil, of type: StoredType) throws -> [String] {
        try write { context in
            try translatingErrors {
                guard var stored = try context.catalogStorage().type(type.keyPrefix) else { return [] }
                let wanted = stored.indexes.filter { index ?? $0.value.text == $0.value.text }
                guard index == nil || !wanted.isEmpty else {
                    throw StoreError.noSuchIndex(
                        type: type.name, index: index ?? "", indexes: type.indexes.map(\.name))
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
