// The live objects of a file in this process, by key: at most one object for each.

import LMDB

/// Weak references to live objects, by record type and key.
///
/// The map is divided, so that threads seldom wait for each other. A reference to an object is never released under a
/// lock of the map: it may be the last one, and the object removes itself from the map.
final class IdentityMap: Sendable {
    /// A record type and a key.
    struct Key: Hashable, Sendable {
        let keyPrefix: UInt32
        let bytes: [UInt8]

        init(_ keyPrefix: UInt32, _ bytes: [UInt8]) {
            self.keyPrefix = keyPrefix
            self.bytes = bytes
        }

        /// A number that differs for neighboring keys.
        fileprivate var part: Int { bytes.suffix(4).reduce(Int(keyPrefix & 0xFF)) { ($0 &* 31) &+ Int($1) } & 63 }
    }

    private struct Entry {
        weak var object: (any MappedObject)?
        /// The identity of the object, also while it is being released.
        let identity: ObjectIdentifier

        /// Returns the object. A mutating method is called in place: a copy of a weak reference is slow.
        mutating func load() -> (any MappedObject)? { object }
    }

    private let parts: [Monitor<[Key: Entry]>] = (0..<64).map { _ in Monitor([:]) }

    /// Returns the object of a key; nil if there is none.
    func object(of key: Key) -> (any MappedObject)? { parts[key.part].withLock { Self.object(of: key, in: &$0) } }

    private static func object(of key: Key, in part: inout [Key: Entry]) -> (any MappedObject)? {
        part.index(forKey: key).flatMap { part.values[$0].load() }
    }

    /// Returns the object of a key, and whether it is a new one.
    ///
    /// - Parameter make: Creates an object, under a lock.
    func object(of key: Key, orMake make: () -> any MappedObject) -> (object: (any MappedObject)?, isNew: Bool) {
        parts[key.part].withLock { part in
            if let known = Self.object(of: key, in: &part) { return (known, false) }
            let made = make()
            part[key] = Entry(object: made, identity: ObjectIdentifier(made))
            return (made, true)
        }
    }

    /// Removes an object that is being released, unless the key has another object by now.
    func remove(_ key: Key, _ identity: ObjectIdentifier) {
        parts[key.part].withLock { part in
            if part[key]?.identity == identity { part[key] = nil }
        }
    }

    /// Returns all objects that a closure chooses by their keys.
    func objects(where isChosen: (Key) -> Bool) -> [any MappedObject] {
        parts.flatMap { part in
            part.withLock { part in part.compactMap { isChosen($0.key) ? $0.value.object : nil } }
        }
    }

    /// The number of entries, with the entries of objects that are being released.
    var count: Int { parts.reduce(0) { $0 + $1.withLock { $0.count } } }
}
