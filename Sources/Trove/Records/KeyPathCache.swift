// What queries know of the properties that they name, by key path: they need not search the properties each time.

import LMDB

/// Values by the identity of key paths.
///
/// A literal key path is a single object for the life of the program. Code can also make key paths at run time, a new
/// object each time; so the number of key paths is limited.
final class KeyPathCache<Value: AnyObject & Sendable>: Sendable {
    /// A key path, which stays in memory with its identity, and its value.
    private struct Entry {
        var path: AnyObject
        var value: Value
    }

    private static var capacity: Int { 256 }

    private let entries = Monitor<[ObjectIdentifier: Entry]>([:])

    /// Returns the value of a key path, and creates it if the cache does not have it.
    func value(of path: AnyKeyPath, create: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        if let known = entries.withLock({ $0[ObjectIdentifier(path)]?.value }) { return known }
        let value = try create()
        entries.withLock { entries in
            if entries.count < Self.capacity { entries[ObjectIdentifier(path)] = Entry(path: path, value: value) }
        }
        return value
    }
}
