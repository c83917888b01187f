// The locks of live objects: a few shared ones, since each is held for moments only.

import LMDB

/// Locks that live objects share. They are held to copy a value, and never while other code runs.
enum LiveLocks {
    // Not `Void`: a state without bytes would have the address of another object, for the thread sanitizer.
    private static let locks: [Monitor<Bool>] = (0..<64).map { _ in Monitor(false) }

    /// Returns the lock of an object.
    static func lock(of object: LiveObject) -> Monitor<Bool> {
        // Each object is larger than 32 bytes, so neighbors have different locks.
        locks[Int(UInt(bitPattern: ObjectIdentifier(object)) >> 5 & 63)]
    }
}
