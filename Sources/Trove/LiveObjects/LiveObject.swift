// What can be observed: the root of live objects and lists.

import Observation

/// An object whose properties can be observed: the root of ``Live`` and `LiveList`.
///
/// It is not generic, so that the key paths by which the Observation framework knows its properties are constants.
///
/// Unchecked because a class that others inherit from cannot be checked: the observation registrar is its only state.
public class LiveObject: Observable, @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    /// Receives a call after each change; guarded by the shared lock of the object.
    private var listener: (any ChangeListener)?

    init() {}

    /// Returns the listener of all changes. The first call creates it.
    final func listener<Listener: ChangeListener>(orMake make: () -> Listener) -> Listener {
        let new = make()
        return LiveLocks.lock(of: self).withLock { _ in
            if let known = listener as? Listener { return known }
            listener = new
            return new
        }
    }

    /// What the Observation framework knows as the properties of a live object.
    final subscript(part number: Int) -> Int { number }

    private static let paths: [KeyPath<LiveObject, Int> & Sendable] = (0..<LiveParts.count).map {
        \LiveObject[part: $0]
    }

    /// Notes that running code reads a part of the object.
    final func access(_ part: LiveParts) {
        registrar.access(self, keyPath: Self.paths[part.number])
    }

    /// Tells the observers of some parts that these have changed. No lock is held meanwhile.
    ///
    /// The new value is in place already. An observer that reads at once, on another thread, never reads the old value.
    final func tell(_ parts: LiveParts) {
        var rest = parts.rawValue
        while rest != 0 {
            let path = Self.paths[rest.trailingZeroBitCount]
            registrar.willSet(self, keyPath: path)
            registrar.didSet(self, keyPath: path)
            rest &= rest &- 1
        }
        if !parts.isEmpty { LiveLocks.lock(of: self).withLock { _ in listener }?.objectHasChanged() }
    }
}
