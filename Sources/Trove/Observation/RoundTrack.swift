// The observers that rounds serve together: the pulled ones, and the ones that changes are delivered to.

/// Some observers, and the commit up to which all of them have been notified.
struct RoundTrack {
    /// A moment that all changes up to have been reported.
    enum Seen {
        case commit(UInt64)
        /// The state of a transaction of the environment, whose commit is not known.
        case transaction(Int)
    }

    private struct Slot {
        weak var registration: HubRegistration?
        weak var observer: (any RoundObserver)?
    }

    /// Whether changes are delivered to the observers.
    let isDelivered: Bool
    private var slots: [Int: Slot] = [:]
    private var index = ObserverIndex()
    /// The observers that have got another region, by the commit whose state they have read. The rounds have passed it.
    private(set) var late: [Int: UInt64] = [:]
    private(set) var seen = Seen.commit(0)
    /// Whether a round's results are being read or delivered. Then later rounds leave these observers out.
    private(set) var isBusy = false
    private var isLeftOut = false

    init(isDelivered: Bool) { self.isDelivered = isDelivered }

    var isEmpty: Bool { slots.isEmpty }

    // MARK: Observers

    mutating func insert(_ registration: HubRegistration, _ observer: any RoundObserver, _ region: ObservedRegion) {
        slots[registration.number] = Slot(registration: registration, observer: observer)
        index[registration.number] = region
    }

    mutating func remove(_ number: Int) {
        slots[number] = nil
        index[number] = nil
        late[number] = nil
    }

    /// Replaces an observer's region. Returns whether the next round must look at earlier commits for it.
    mutating func setRegion(_ region: ObservedRegion, of number: Int, since commit: UInt64) -> Bool {
        guard slots[number] != nil else { return false }
        index[number] = region
        guard case .commit(let seen) = seen, commit < seen else { return false }
        late[number] = min(commit, late[number] ?? commit)
        return true
    }

    /// The registrations and their observers, in the order of registration.
    ///
    /// The references must outlive the lock of the rounds: the last reference to a registration takes it.
    var registrations: [(registration: HubRegistration, observer: (any RoundObserver)?)] {
        slots.keys.sorted().compactMap(registration)
    }

    /// A registration; nil if there is none.
    var anyRegistration: HubRegistration? {
        for slot in slots.values { if let registration = slot.registration { return registration } }
        return nil
    }

    private func registration(
        _ number: Int
    ) -> (registration: HubRegistration, observer: (any RoundObserver)?)? {
        slots[number].flatMap { slot in slot.registration.map { ($0, slot.observer) } }
    }

    // MARK: Rounds

    /// Begins with observers that register from now on. Until ``start(after:)``, any record may have changed for them.
    mutating func begin() {
        seen = .transaction(0)
        late = [:]
    }

    /// Sets the transaction after which changes are reported, unless a round has reported some: one that was under way
    /// since an earlier observation.
    mutating func start(after transaction: Int) {
        if case .transaction(0) = seen { seen = .transaction(transaction) }
    }

    /// Returns the commit after which changes are to be reported; nil if it is unknown: the environment was opened
    /// again, at an earlier state or with other numbers.
    func base(of snapshot: RoundSnapshot) -> UInt64? {
        switch seen {
        case .commit(let commit): commit <= snapshot.commit ? commit : nil
        case .transaction(let transaction):
            // A transaction increments the number of commits at most once.
            transaction > snapshot.transaction
                ? nil : snapshot.commit - min(snapshot.commit, UInt64(snapshot.transaction - transaction))
        }
    }

    /// Takes the observers to notify of a round, and counts the round's commits as reported.
    ///
    /// - Parameters:
    ///   - extract: The changes since the last round; nil for none.
    ///   - earlier: The changes for observers with a new region.
    /// - Returns: Nil if the observers are busy.
    mutating func take(
        _ extract: RoundExtract?, late earlier: [Int: RoundExtract], upTo commit: UInt64
    ) -> [RoundReading]? {
        isLeftOut = isBusy
        if isBusy { return nil }
        isBusy = isDelivered
        seen = .commit(commit)
        var readings: [Int: RoundExtract] = [:]
        if let extract {
            for number in index.observers(touchedBy: extract.changes) { readings[number] = extract }
        }
        for (number, extract) in earlier {
            if (late[number] ?? 0) + 1 >= extract.commits.lowerBound { late[number] = nil }
            if index[number]?.isTouched(by: extract.changes) ?? false { readings[number] = extract }
        }
        return readings.keys.sorted().compactMap { number in
            guard let extract = readings[number], let (registration, observer) = registration(number) else {
                return nil
            }
            return RoundReading(registration: registration, observer: observer, extract: extract)
        }
    }

    /// Notes that all observers have been delivered to. Returns whether a round has left them out meanwhile.
    mutating func endRound() -> Bool {
        isBusy = false
        defer { isLeftOut = false }
        return isLeftOut
    }
}
