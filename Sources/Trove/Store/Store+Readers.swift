// Who reads a store, and for how long.

import LMDB
import Logging

/// A process that can read a store, by one of the places that it has taken for its reads.
public struct StoreReader: Hashable, Sendable, Encodable {
    /// The number of the process.
    public var process: Int
    /// How many commits there were since the snapshot that it reads; nil while it reads nothing.
    public var commitsBehind: Int?
}

extension Store {
    /// The readers of all processes.
    ///
    /// The pages that were freed since the oldest one's snapshot cannot be used again while it is open.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n*) in ``StoreOptions/maximumReaders``.
    public var readers: [StoreReader] {
        get throws {
            try translatingErrors {
                let readers = try environment.readers()
                let last = try environment.info.lastTransaction
                return readers.map { reader in
                    StoreReader(process: reader.process, commitsBehind: reader.transaction.map { max(0, last - $0) })
                }
            }
        }
    }

    /// Has reads reported, and ended, that become older than the options allow.
    func watchReads(_ options: StoreOptions) {
        guard let limit = options.maximumReadAge else { return }
        let (path, ends) = (path, options.endsOldReads)
        environment.watchReads(longerThan: limit, ending: ends) { read in
            Logger(label: "trove").warning(
                "A read transaction has reached the maximum age",
                metadata: [
                    "path": "\(path)", "age": "\(read.age)", "commits behind": "\(read.commitsBehind)",
                    "ended": "\(ends)",
                ])
        }
    }
}
