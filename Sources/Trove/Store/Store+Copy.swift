// Copies of a store that is in use, and the proof that they are whole.

import LMDB
import TroveCoding

extension Store {
    /// Copies the last commit into a new store, while this one is in use, and verifies the checksum of every record in
    /// the copy.
    ///
    /// Use this rather than copying the file, which could miss pages and would drop this process's lock. The copy
    /// appears under its name when it is whole and verified.
    ///
    /// - Parameters:
    ///   - destination: The file to create.
    ///   - compacting: Whether to leave free pages out, which takes longer and makes the copy smaller.
    /// - Throws: ``StoreError/checksumMismatch(type:key:)`` when a record is damaged, and what the system says when the
    ///   copy cannot be written. No copy is left then.
    /// - Complexity: O(*n*) in the size of the store: it is read and written once, and the copy read once more.
    public func copy(to destination: String, compacting: Bool = false) throws {
        try translatingErrors {
            let file = try UnfinishedFile(for: destination, mode: environment.options.fileMode)
            try environment.shared.copy(into: file, compacting: compacting)
            try Self.verifyCopy(at: file.path)
            try file.publish()
        }
    }

    /// Reads a copy, without a lock file: nobody could remove one again from beside a file that others may open.
    private static func verifyCopy(at path: String) throws {
        let options = StoreOptions(isReadOnly: true)
        var environmentOptions = try options.environmentOptions()
        environmentOptions.isLockless = true
        let copy = try Store(path: path, options: options, environmentOptions)
        try copy.read { context in
            try translatingErrors { try context.image.verify(context.keyspace) }
        }
    }
}

extension CatalogImage {
    /// Reads all that the store holds.
    ///
    /// - Throws: ``StoreError/checksumMismatch(type:key:)`` at the first entry whose checksum is not that of its bytes.
    fileprivate func verify(_ keyspace: Keyspace) throws {
        // To have read the image is to have verified the catalog's other entries.
        _ = try CatalogTable(keyspace)?.storeEntry()
        _ = try CatalogTable(keyspace)?.number(.commitSequence)
        for (type, name, records) in recordTables {
            let seed = name.checksumSeed
            try keyspace.scan(records, ScanRange()) { key, value in
                guard StoredValue.isIntact(value, key: key, seed: seed) else {
                    throw StoreError.checksumMismatch(type: type.qualifiedName, key: copiedBytes(key))
                }
                return .continue
            }
        }
    }
}
