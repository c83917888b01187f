// What can be observed: the root of live objects and lists.

import LMDB
import Observation
import Synchronization

/// An object whose properties can be observed: the root of ``Live`` and `LiveList`.
///
/// It is not generic, so that the key paths by which the Observation framework knows its properties are constants.
///
/// Unchecked because a class that others inherit from cannot be checked: the observation registrar is its only state.
public class LiveObject: Observable, @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    /// The parts that code has read. Nobody can observe the others.
    private let readParts = Atomic<UInt64>(0)
    /// Receives a call after each change; guarded by the shared lock of the object.
    private var listener: (any ChangeListener)?
    /// What a subclass shows, for threads to read without a lock; guarded by the shared lock of the object. Here, since
    /// members of a generic class are slower.
    private var shown: AnyObject?
    /// The changed parts that the telling thread has yet to tell; nil while no thread tells. Guarded by the shared lock
    /// of the object.
    private var untold: LiveParts?

    /// - Parameter shown: What the object shows: an object that never changes.
    init(showing shown: AnyObject? = nil) { self.shown = shown }

    /// Returns what the object shows.
    final var currentlyShown: AnyObject? { LiveLocks.lock(of: self).withLock { _ in shown } }

    /// Replaces what the object shows. Returns false if it shows another object than expected.
    final func show(_ new: AnyObject, insteadOf old: AnyObject) -> Bool {
        // `old` is kept by the caller: nothing of it is released under the lock.
        LiveLocks.lock(of: self).withLock { _ in
            guard shown === old else { return false }
            shown = new
            return true
        }
    }

    /// Returns the listener of all changes. The first call creates it.
    final func listener<Listener: ChangeListener>(orMake make: () -> Listener) -> Listener {
        let new = make()
        return LiveLocks.lock(of: self).withLock { _ in
            if let known = listener as? Listener { return known }
            readParts.store(.max, ordering: .sequentiallyConsistent)
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
        if readParts.load(ordering: .relaxed) & part.rawValue == 0 {
            readParts.bitwiseOr(part.rawValue, ordering: .sequentiallyConsistent)
        }
        registrar.access(self, keyPath: Self.paths[part.number])
    }

    /// Returns those of some changed parts that may be observed.
    ///
    /// The new value is in place already. Who begins to observe a part after this call reads the new value.
    final func observed(_ parts: LiveParts) -> LiveParts {
        LiveParts(rawValue: readParts.load(ordering: .sequentiallyConsistent) & parts.rawValue)
    }

    // MARK: Telling

    /// Tells the observers of some parts that these have changed. No lock is held meanwhile.
    ///
    /// The new value is in place already. An observer that reads at once, on another thread, never reads the old value.
    ///
    /// A thread that tells of the object already tells these parts, too, as soon as it has told its own: two threads
    /// that call the registrar at once can call an observer twice that has asked for a single call.
    final func tell(_ parts: LiveParts) {
        let parts = observed(parts)
        guard !parts.isEmpty else { return }
        let isTold = LiveLocks.lock(of: self).withLock { _ in
            defer { untold = untold.map { $0.union(parts) } ?? [] }
            return untold != nil
        }
        if !isTold { tellInTurn(parts) }
    }

    /// Tells the observers of some parts, unless a thread tells of the object already.
    ///
    /// - Returns: Whether they are told.
    final func tellIfIdle(_ parts: LiveParts) -> Bool {
        let parts = observed(parts)
        guard !parts.isEmpty else { return true }
        let isIdle = LiveLocks.lock(of: self).withLock { _ in
            guard untold == nil else { return false }
            untold = []
            return true
        }
        if isIdle { tellInTurn(parts) }
        return isIdle
    }

    /// Tells some parts, and then those that have changed meanwhile.
    private func tellInTurn(_ first: LiveParts) {
        var parts = first
        while !parts.isEmpty {
            var rest = parts.rawValue
            while rest != 0 {
                let path = Self.paths[rest.trailingZeroBitCount]
                registrar.willSet(self, keyPath: path)
                registrar.didSet(self, keyPath: path)
                rest &= rest &- 1
            }
            LiveLocks.lock(of: self).withLock { _ in listener }?.objectHasChanged()
            parts = LiveLocks.lock(of: self).withLock { _ in
                let next = untold ?? []
                untold = next.isEmpty ? nil : []
                return next
            }
        }
    }
}
