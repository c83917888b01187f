// Objects of later folders, kept by an object of an earlier folder.

import LMDB

/// One object for each of some types. Each is made at its first use, and kept as long as its owner.
final class Attachments: Sendable {
    private let objects = Monitor<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// Returns the object of a type. The first call creates it.
    ///
    /// - Parameter make: Creates the object, under a lock. It must not retain the owner, nor call this method.
    @discardableResult
    func object<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
        objects.withLock { objects in
            if let known = Self.known(objects, Object.self) { return known }
            let made = make()
            objects[ObjectIdentifier(Object.self)] = made
            return made
        }
    }

    /// Returns the object of a type if it was made.
    @discardableResult
    func object<Object: AnyObject & Sendable>(of type: Object.Type) -> Object? {
        objects.withLock { Self.known($0, type) }
    }

    private static func known<Object: AnyObject & Sendable>(
        _ objects: [ObjectIdentifier: any AnyObject & Sendable], _ type: Object.Type
    ) -> Object? {
        objects[ObjectIdentifier(type)] as? Object
    }
}
