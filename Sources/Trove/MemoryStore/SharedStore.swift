// A store that is created when it is first needed.

import LMDB

/// A store that is created by the first access. If that fails, the next access tries again.
final class SharedStore: Sendable {
    private let known = Monitor<Store?>(nil)
    private let create: @Sendable () throws -> Store

    init(_ create: @escaping @Sendable () throws -> Store) { self.create = create }

    /// Returns the store.
    ///
    /// - Throws: The error of the creation.
    func store() throws -> Store {
        try known.withLock { known in
            if let known { return known }
            let store = try create()
            known = store
            return store
        }
    }
}
