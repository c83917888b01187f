// The rounds of observation: from the changes of commits to the values that observers show.
//
//     inbox ─▶ wait for the pace ─▶ snapshot ─▶ match ─▶ read ─▶ end of the snapshot ─▶ deliver ─▶ rest, or again
//              └─ RoundPace         └─ of any store  └─ ObserverIndex                   └─ pulled observers: nothing
//
// A round is one snapshot for all observers. Pulled observers only note that they must read again. The others, objects
// and lists, are delivered to on an actor or on a queue. While a delivery runs, rounds go on for the pulled observers:
// no consumer waits for another. The inbox keeps the changes that the others miss.

import Dispatch
import LMDB

/// The rounds of an open file in this process, on a queue of their own.
///
/// The object holds no store and no environment: rounds read by the stores of the registered observers.
final class Rounds: Sendable {
    struct State {
        var lastNumber = 0
        private var pulled = RoundTrack(isDelivered: false)
        private var pushed = RoundTrack(isDelivered: true)
        /// Whether something is observed.
        var isOpen = false
        /// The first registration, until the transaction after which changes are reported is set.
        var starting: Int?
        var pace = RoundPace()
        /// The number of rounds with a snapshot.
        var count = 0
        /// The callers that wait for all changes, and the callers whose changes are being delivered.
        var waiting: [SettleContinuation] = []
        var served: [SettleContinuation] = []
        /// The readings that the rounds have left for later.
        var late = LateReadings()

        var hasObservers: Bool { !pulled.isEmpty || !pushed.isEmpty }

        /// The track of the pulled observers, or of the others.
        subscript(isPulled isPulled: Bool) -> RoundTrack {
            get { isPulled ? pulled : pushed }
            _modify {
                if isPulled { yield &pulled } else { yield &pushed }
            }
        }

        /// The registrations of both tracks, and their observers.
        var registrations: [(registration: HubRegistration, observer: (any RoundObserver)?)] {
            pulled.registrations + pushed.registrations
        }

        var anyRegistration: HubRegistration? { pulled.anyRegistration ?? pushed.anyRegistration }
    }

    let inbox: ChangeInbox
    let state = Monitor(State())
    /// The actor that deliveries run on; nil for a queue of their own.
    let delivery = Monitor<(any Actor)?>(nil)
    let queue = RoundQueue(label: "trove.live")
    let deliveryQueue = RoundQueue(label: "trove.live.delivery")
    let foreign: ForeignWatch
    /// The gate of the file's observers that read.
    let readGate: ReadGate

    /// - Parameters:
    ///   - readGate: The gate of the observers that read.
    ///   - watchRefusal: The error of watching the file, in a test.
    init(_ inbox: ChangeInbox, readGate: ReadGate = ReadGate(), watchRefusal: LMDBError? = nil) {
        self.inbox = inbox
        self.readGate = readGate
        foreign = ForeignWatch(refusal: watchRefusal) { [weak inbox] in inbox?.wakeAfterWrite() }
    }

    // MARK: Observers

    /// Registers an observer, and begins the observation with the first.
    func add(_ observer: some RoundObserver, _ region: ObservedRegion, of store: Store) -> HubRegistration {
        let isPulled = observer.isPulled
        let (registration, isFirst, refusal) = state.withLock { state in
            state.lastNumber += 1
            let registration = HubRegistration(store, self, number: state.lastNumber, isPulled: isPulled)
            let isFirst = !state.isOpen
            let refusal = isFirst ? begin(store, &state) : nil
            state[isPulled: isPulled].insert(registration, observer, region)
            return (registration, isFirst, refusal)
        }
        if isFirst {
            let start = store.shownTransaction
            setStart(start.number, of: registration)
            // The system has reported the write of a commit that is not shown yet, or never will.
            if !start.isLast { inbox.wake() }
        }
        // The log's handler is code of the program, and the caller may hold locks of objects and lists.
        if let refusal { queue.async { [foreign, path = store.path] in foreign.warn(path, refusal) } }
        return registration
    }

    /// Begins the observation. Returns the error if the system refuses to watch the file.
    private func begin(_ store: Store, _ state: inout State) -> LMDBError? {
        inbox.open { [weak self] in self?.schedule() }
        store.catalog.hub.beginUse()
        let refusal = foreign.start(store)
        for isPulled in [true, false] { state[isPulled: isPulled].begin() }
        state.isOpen = true
        state.starting = state.lastNumber
        return refusal
    }

    /// Sets the transaction after which changes are reported. It was read after an observer's registration, and without
    /// the lock: if another observer has registered meanwhile, the first round reports any record.
    private func setStart(_ transaction: Int, of registration: HubRegistration) {
        state.withLock { state in
            guard state.starting == registration.number else { return }
            state.starting = nil
            guard state.lastNumber == registration.number else { return }
            for isPulled in [true, false] { state[isPulled: isPulled].start(after: transaction) }
        }
        state.wakeAll()
    }

    /// Waits until the first observer's thread has set the start. Should the system stop the thread just then, the
    /// round reports any record.
    func awaitStart() {
        _ = state.wait(within: .seconds(1)) { $0.starting == nil ? () : nil }
    }

    /// Removes an observer, and ends the observation with the last.
    func remove(_ registration: HubRegistration) {
        let store = registration.store
        // The lock may have been held when the process was forked.
        guard store.environment.shared.isOfThisProcess else { return }
        let settled = state.withLock { state in
            state[isPulled: registration.isPulled].remove(registration.number)
            return endIfUnused(store, &state)
        }
        settled.resume()
    }

    /// Ends the observation without observers. Returns the callers that have nothing to wait for any more.
    func endIfUnused(_ store: Store, _ state: inout State) -> [SettleContinuation] {
        guard state.isOpen, !state.hasObservers else { return [] }
        (state.isOpen, state.starting) = (false, nil)
        foreign.stop()
        store.catalog.hub.endUse()
        inbox.close()
        defer { state.waiting = [] }
        return state.waiting
    }

    func setRegion(_ region: ObservedRegion, of registration: HubRegistration, since seen: UInt64) {
        let isLate = state.withLock { state in
            state[isPulled: registration.isPulled].setRegion(region, of: registration.number, since: seen)
        }
        if isLate { inbox.wake() }
    }

    /// The number of rounds with a snapshot.
    var count: Int { state.withLock { $0.count } }
}

extension Store {
    /// The number of a transaction that all later reads show, and whether it is the last one of any process, as it is
    /// as a rule. 0 if it cannot be read.
    fileprivate var shownTransaction: (number: Int, isLast: Bool) {
        do {
            let last = try environment.lastTransaction
            let isShown = try environment.awaitReads(showing: last, within: .zero)
            return (isShown ? last : last - 1, isShown)
        } catch {
            return (0, true)
        }
    }
}
