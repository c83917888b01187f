// Copies a store in use, and verifies the copy.

import LMDB
import TroveCoding

extension Store {
    /// Copies the last commit into a new store while this store is in use, and verifies the checksum of every record in
    /// the copy.
    ///
    /// Use this instead of copying the file. A file copy could miss pages and would drop this process's lock. The copy
    /// appears under its name when it is complete and verified.
    ///
    /// - Parameters:
    ///   - destination: The file to create.
    ///   - compacting: Whether to leave out free pages, which takes longer and makes the copy smaller.
    /// - Returns: The contents of the copy.
    /// - Throws: ``StoreError/RecordError/checksumMismatch(type:key:)`` if a record is damaged,
    ///   ``StoreError/FileError/verificationFailed(path:findings:)`` if a page is damaged, or the system's error if the
    ///   copy cannot be written. Then no copy remains.
    /// - Complexity: O(*n*) in the size of the store: it is read and written once, and the copy is read twice.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func copy(to destination: String, compacting: Bool = false) throws -> CopyReport {
        try checkIsOpen()
        return try translatingErrors {
            let file = try UnfinishedFile(
                for: destination, mode: environment.options.fileMode, protection: environment.options.fileProtection)
            try environment.shared.copy(into: file, compacting: compacting)
            var report = try verifyCopy(at: file.path)
            report.path = file.destination
            try file.publish()
            return report
        }
    }

    /// Reads a copy without a lock file. A lock file could not be removed again, because other processes may open the
    /// copy.
    func verifyCopy(at path: String) throws -> CopyReport {
        var options = StoreOptions(isReadOnly: true, verifiesFile: true)
        options.supportedFeatures = catalog.supportedFeatures
        var environmentOptions = try options.environmentOptions()
        environmentOptions.isLockless = true
        let copy: Store
        do {
            copy = try Store(path: path, options: options, environmentOptions)
        } catch StoreError.file(.verificationFailed(_, let findings)) {
            // The copy has the pages of this store, and is removed.
            throw StoreError.file(.verificationFailed(path: self.path, findings: findings))
        }
        return try copy.readToEnd { context in
            try translatingErrors { try context.catalogSnapshot.verify(context.keyspace) }
            let catalog = try context.catalogStorage()
            return CopyReport(
                path: path, identifier: try catalog.storeEntry().identifier,
                commitSequence: try catalog.number(.commitSequence),
                size: try translatingErrors { try copy.environment.info.usedSize },
                types: try context.storedTypes().map {
                    CopyReport.RecordType(name: $0.name, links: $0.links, records: $0.count)
                })
        }
    }
}

extension CatalogSnapshot {
    /// Reads the whole store.
    ///
    /// - Throws: ``StoreError/RecordError/checksumMismatch(type:key:)`` for the first entry that fails its checksum.
    fileprivate func verify(_ keyspace: Keyspace) throws {
        // Reading the snapshot has verified all other catalog entries.
        _ = try CatalogStorage(keyspace)?.storeEntry()
        _ = try CatalogStorage(keyspace)?.number(.commitSequence)
        for (type, name, records) in recordTables {
            let seed = name.checksumSeed
            try keyspace.scan(records, ScanRange()) { key, value in
                guard StoredValue.isIntact(value, key: key, seed: seed) else {
                    throw StoreError.record(
                        .checksumMismatch(type: type.qualifiedName, key: type.storedKey(copiedBytes(key))))
                }
                return .continue
            }
            for (number, index) in type.indexes {
                let first = TableName(keyPrefix: name.keyPrefix, table: TableNumber(rawValue: number))
                let maintainer = index.kind.maintainer
                let parts = maintainer.parts(of: index, first)
                for part in parts {
                    guard let database = indexParts(name.keyPrefix)[part] else { continue }
                    try maintainer.verify(database, named: part, of: index, type, keyspace)
                }
                guard parts.isEmpty, let database = indexes(name.keyPrefix)[number] else { continue }
                try maintainer.verify(database, named: first, of: index, type, keyspace)
            }
            for kind in Set(type.indexes.values.map(\.kind)) {
                for part in kind.maintainer.sharedParts(name.keyPrefix) {
                    guard let database = indexParts(name.keyPrefix)[part] else { continue }
                    try kind.maintainer.verify(database, named: part, of: nil, type, keyspace)
                }
            }
        }
    }
}
