// Searches the unique indexes of a type for duplicate values.

import LMDB

extension IndexKeyRecord {
    /// Searches the indexes that forbid duplicate values but may hold some.
    static func violations(_ context: ReadContext) throws -> [DuplicateSearch] {
        guard let table = try context.table(for: schema) else { return [] }
        return try zip(table.indexes, indexes).enumerated().compactMap { index, entry in
            let (target, declared) = entry
            guard target.state == .readableWithDuplicates, declared.descriptor.forbidsDuplicates else { return nil }
            let duplicates = DuplicateValues(
                keyspace: context.keyspace, entries: target.database, seed: target.seed,
                valueSize: declared.valueSize(in:)
            ) { key in
                try context.value(of: key, Self.self, index, table)
            }
            var error: StoreError?
            try duplicates.forEachDuplicate { first, second in
                error = .record(
                    .notUnique(
                        type: schema.name, index: declared.descriptor.text, key: table.storedKey(second),
                        existing: table.storedKey(first)))
                return .stop
            }
            return DuplicateSearch(number: target.number, error: error)
        }
    }
}

extension ReadContext {
    /// Returns the value derived by an index from the record with a key; nil if there is none, or if the record is
    /// damaged.
    fileprivate func value<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type, _ index: Int, _ table: RecordTable
    ) throws -> [UInt8]? {
        var list = IndexEntries()
        _ = try keyspace.withEntry(table.database, key) { key, stored in
            // Damaged bytes may decode to anything.
            guard table.isIntact(key, stored) else { return }
            _ = try Record.deriveStored(key, stored, in: table, for: .all, into: &list)
        }
        return list.entries.firstIndex { $0.index == index }.map { Array(list.value(of: $0)) }
    }
}

extension Store {
    /// Searches the indexes of a type that forbid duplicate values but may hold some. Clears the mark of indexes
    /// without duplicates.
    ///
    /// - Returns: An error for each index with duplicates, naming two of the records.
    func reportDuplicates(of type: any IndexKeyRecord.Type) throws -> [StoreError] {
        try translatingErrors {
            let (seen, found) = try readToEnd { context in
                (try context.catalogStorage().number(.commitSequence), try type.violations(context))
            }
            guard found.contains(where: { $0.error == nil }) else { return found.compactMap(\.error) }
            do {
                return try note(found, of: type, ifStillAt: seen)
            } catch StoreError.transaction(.writerBusy) {
                // The mark can stay: the next process to open the store searches again.
                return found.compactMap(\.error)
            }
        }
    }

    /// Clears the mark of indexes without duplicates. Searches again if the store has changed in between.
    ///
    /// - Parameters:
    ///   - found: The results of the search.
    ///   - seen: The commit sequence of the searched snapshot.
    private func note(
        _ found: [DuplicateSearch], of type: any IndexKeyRecord.Type, ifStillAt seen: UInt64
    ) throws -> [StoreError] {
        try write { context in
            let prefix = type.schema.keyPrefix
            let isAsSeen = try context.catalogStorage().number(.commitSequence) == seen
            let found = isAsSeen ? found : try type.violations(context)
            guard var stored = try context.catalogStorage().type(prefix) else { return [] }
            for table in found where table.error == nil { stored.indexes[table.number]?.state = .readable }
            try context.set(stored, prefix)
            return found.compactMap(\.error)
        }
    }
}
