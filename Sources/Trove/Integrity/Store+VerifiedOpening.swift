// The opening of a store with a report of the verified pages.

import LMDB

extension Store {
    /// Opens a store with ``StoreOptions/verifiesFile``, and reports the progress of the verification.
    ///
    /// - Parameter progress: Receives the number of pages done, and the total.
    package convenience init(
        path: String, options: StoreOptions, verifying progress: @escaping (_ pages: Int, _ total: Int) -> Void
    ) throws {
        var options = options
        options.verifiesFile = true
        try self.init(path: path, options: options, try options.environmentOptions(), verifying: progress)
    }
}
