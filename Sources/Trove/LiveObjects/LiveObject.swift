// The root of live objects and lists: an object that can be observed.

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
    /// The parts that code has read. No other part can have an observer.
    private let readParts = Atomic<UInt64>(0)
    /// Receives a call after each change; guarded by the shared lock of the object.
    private var listener: (any ChangeListener)?
    /// The changed parts that the notifying thread has yet to report; nil while no thread notifies. Guarded by the
    /// shared lock of the object.
    private var unreported: LiveParts?
    /// Called when the notifying thread has ended; nil for none. Guarded by the shared lock of the object.
    private var waiting: DeferredNotifier?

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

    /// The properties of a live object, as the Observation framework knows them.
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

    /// Returns the changed parts that may be observed.
    ///
    /// The new value is in place already. An observer that begins after this call reads the new value.
    final func observed(_ parts: LiveParts) -> LiveParts {
        LiveParts(rawValue: readParts.load(ordering: .sequentiallyConsistent) & parts.rawValue)
    }

    // MARK: Notifying

    /// Notifies the observers of some parts that these have changed. No lock is held meanwhile.
    ///
    /// The new value is in place already. An observer that reads at once, on another thread, never reads the old value.
    ///
    /// A thread that notifies the object's observers already reports these parts, too, as soon as it has reported its
    /// own: two threads that call the registrar at once can call an observer twice that expects a single call.
    final func notify(_ parts: LiveParts) {
        let parts = observed(parts)
        guard !parts.isEmpty else { return }
        let isNotified = LiveLocks.lock(of: self).withLock { _ in
            defer { unreported = unreported.map { $0.union(parts) } ?? [] }
            return unreported != nil
        }
        if !isNotified { notifyInTurn(parts) }
    }

    /// Notifies the observers of some parts, unless a thread notifies the object's observers already.
    ///
    /// - Returns: Whether they are notified.
    final func notifyIfIdle(_ parts: LiveParts) -> Bool {
        let parts = observed(parts)
        guard !parts.isEmpty else { return true }
        let isIdle = LiveLocks.lock(of: self).withLock { _ in
            guard unreported == nil else { return false }
            unreported = []
            return true
        }
        if isIdle { notifyInTurn(parts) }
        return isIdle
    }

    /// Lets a notifier receive a call when the thread that notifies the object's observers has ended.
    ///
    /// - Returns: Whether there is such a thread.
    final func callWhenIdle(_ notifier: DeferredNotifier) -> Bool {
        LiveLocks.lock(of: self).withLock { _ in
            guard unreported != nil else { return false }
            waiting = notifier
            return true
        }
    }

    /// Reports some parts, and then the parts that have changed meanwhile.
    private func notifyInTurn(_ first: LiveParts) {
        var parts = first
        var notifier: DeferredNotifier?
        while !parts.isEmpty {
            var rest = parts.rawValue
            while rest != 0 {
                let path = Self.paths[rest.trailingZeroBitCount]
                registrar.willSet(self, keyPath: path)
                registrar.didSet(self, keyPath: path)
                rest &= rest &- 1
            }
            LiveLocks.lock(of: self).withLock { _ in listener }?.objectHasChanged()
            (parts, notifier) = LiveLocks.lock(of: self).withLock { _ in
                let next = unreported ?? []
                unreported = next.isEmpty ? nil : []
                return (next, next.isEmpty ? waiting.take() : nil)
            }
        }
        notifier?.objectIsIdle(self)
    }
}
