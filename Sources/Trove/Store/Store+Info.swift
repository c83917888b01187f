// The size and state of a whole store.

import LMDB

extension Store {
    /// The size and state of the store.
    ///
    /// - Throws: ``StoreError``.
    public var info: StoreInfo {
        get throws {
            let (identifier, sequence) = try readToEnd { context in
                let catalog = try context.catalogStorage()
                return (try catalog.storeEntry().identifier, try catalog.number(.commitSequence))
            }
            let readers = try readers
            return try translatingErrors {
                let info = try environment.info
                return StoreInfo(
                    path: path, identifier: identifier, commitSequence: sequence, usedSize: info.usedSize,
                    mapSize: info.mapSize, pageSize: info.pageSize, maximumReaders: info.maximumReaders,
                    readers: readers)
            }
        }
    }
}
