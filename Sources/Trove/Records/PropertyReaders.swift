// The property readers of a type, by key path: a query need not search the type's properties each time it names one.

import LMDB

/// The readers of a type's properties, by the identity of the key paths that named them.
///
/// A literal key path is a single object for the life of the program. Code can also make key paths at run time, a new
/// object each time; so the number of key paths is limited.
final class PropertyReaders: Sendable {
    /// A key path, which stays in memory with its identity, and its reader.
    private struct Entry {
        var path: AnyObject
        var reader: AnyObject
    }

    private static let capacity = 256

    private let entries = Monitor<[ObjectIdentifier: Entry]>([:])

    /// Returns the reader of a property; nil for a key path that was not added.
    func reader<Record, Value>(of path: KeyPath<Record, Value>) -> PropertyReader<Value>? {
        entries.withLock { entries in
            // A key path has one type of values.
            entries[ObjectIdentifier(path)].map { unsafe unsafeDowncast($0.reader, to: PropertyReader<Value>.self) }
        }
    }

    /// Adds the reader of a property.
    func add<Record, Value>(_ reader: PropertyReader<Value>, of path: KeyPath<Record, Value>) {
        entries.withLock { entries in
            if entries.count < Self.capacity { entries[ObjectIdentifier(path)] = Entry(path: path, reader: reader) }
        }
    }
}
