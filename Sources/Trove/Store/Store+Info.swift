// The size and state of a whole store.

import LMDB

extension Store {
    /// The size and state of the store.
    ///
    /// - Throws: ``StoreError``.
    public var info: StoreInfo {
        get throws {
            let (entry, sequence) = try readToEnd { context in
                let catalog = try context.catalogStorage()
                return (try catalog.storeEntry(), try catalog.number(.commitSequence))
            }
            let readers = try readers
            return try translatingErrors {
                let info = try environment.info
                return StoreInfo(
                    path: path, identifier: entry.identifier, commitSequence: sequence,
                    features: entry.features.sorted(), usedSize: info.usedSize, mapSize: info.mapSize,
                    pageSize: info.pageSize, fileFormat: info.format, library: Engine.library,
                    maximumReaders: info.maximumReaders, readers: readers)
            }
        }
    }
}
