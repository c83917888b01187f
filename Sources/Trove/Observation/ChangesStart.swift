// The moment at which a program has begun to follow the changes of a store.

import LMDB

/// The commit after which a sequence of changes reports. It observes the store until the loop does.
///
/// Without the observation, changes between the two would be unknown: a loop would learn that any record may have
/// changed. The log of changes kept meanwhile is bounded: see ``ChangeLog``.
final class ChangesStart: RoundObserver {
    private struct State {
        var commit: Result<UInt64, any Error>?
        var registration: HubRegistration?
    }

    private let state = Monitor(State())

    init(_ store: Store) {
        var new = State()
        do {
            // Before the read: then no commit falls between the two.
            new.registration = try store.register(self, for: ObservedRegion())
            new.commit = .success(try store.readToEnd { try $0.catalogStorage().number(.commitSequence) })
        } catch let error as StoreError where error.isOfABusyStore {
            // No read could begin: the first element says that any record may have changed.
            new.commit = .success(0)
        } catch {
            new.commit = .failure(error)
        }
        let made = new
        state.withLock { $0 = made }
    }

    /// The last commit before the changes.
    ///
    /// - Throws: The error of reading it.
    var commit: UInt64 {
        get throws {
            guard let commit = state.withLock({ $0.commit }) else { throw CancellationError() }
            return try commit.get()
        }
    }

    var isPulled: Bool { true }

    func read(_ round: Round) -> Bool { false }

    func fail(_ error: any Error) {
        let released = state.withLock { $0.registration.take() }
        withExtendedLifetime(released) {}
    }
}
