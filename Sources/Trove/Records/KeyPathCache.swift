// A cache by key path: queries need not search their properties each time.

import LMDB

/// Cached objects by the identity of key paths.
///
/// A literal key path is a single object for the life of the program. Code can also make key paths at run time, a new
/// object each time; so the number of key paths is limited.
final class KeyPathCache: Sendable {
    /// A key path, kept in memory for its identity, and its value.
    private struct Entry {
        var path: AnyObject
        var value: AnyObject
    }

    private static let capacity = 256

    private let entries = Monitor<[ObjectIdentifier: Entry]>([:])

    /// Returns the value of a key path, and creates it if the cache does not have it.
    ///
    /// - Parameter create: Creates the value. For one key path, all callers of a cache create values of one type.
    func value<Value: AnyObject & Sendable>(
        of path: AnyKeyPath, create: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let known = entries.withLock { entries in
            entries[ObjectIdentifier(path)].map { unsafe unsafeDowncast($0.value, to: Value.self) }
        }
        if let known { return known }
        let value = try create()
        entries.withLock { entries in
            if entries.count < Self.capacity { entries[ObjectIdentifier(path)] = Entry(path: path, value: value) }
        }
        return value
    }
}
