// The readers of a store, and warnings about long reads.

import LMDB
import Logging

extension Store {
    /// The readers of all processes.
    ///
    /// While the oldest reader is open, pages freed after its snapshot cannot be reused.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n*) in ``StoreOptions/maximumReaders``.
    public var readers: [StoreReader] {
        get throws {
            try checkIsOpen()
            return try translatingErrors {
                let readers = try environment.readers()
                let last = try environment.info.lastTransaction
                return readers.map { reader in
                    StoreReader(process: reader.process, commitsBehind: reader.transaction.map { max(0, last - $0) })
                }
            }
        }
    }

    /// Reports, and optionally ends, reads that exceed the maximum age of the options.
    func watchReads(_ options: StoreOptions) {
        guard let limit = options.maximumReadAge else { return }
        let path = path
        environment.watchReads(longerThan: limit, ending: options.endsOldReads) { read in
            Logger(label: "trove").warning(
                "A read transaction has reached the maximum age",
                metadata: [
                    "path": "\(path)", "age": "\(read.age)", "commits behind": "\(read.commitsBehind)",
                    "ended": "\(read.isEnded)",
                ])
        }
    }
}
