// The reads of a live list: in rounds, a page more, and another query.
//
//     round, page, query ──read──▶ ListReading ──▶ the next values ──delivery──▶ the values that the properties return

import LMDB
import TroveCoding

extension LiveList: RoundObserver {
    func read(_ round: Round) throws -> Bool {
        var isFailureNoted = false
        do {
            return try read(round) { error in
                isFailureNoted = true
                return setNext { $0.error = error }
            }
        } catch is LongReading {
            followLater()
            return false
        } catch {
            // A noted error is delivered like values: a later reading may come first.
            guard isFailureNoted else { throw error }
            return true
        }
    }

    private func read(_ round: Round, noteFailure: (any Error) -> NotedValues<Record>) throws -> Bool {
        let commit = round.commits.upperBound
        let noted = try reading.update(waits: false) { reading in
            let isBack = try hasGoneBack(round, before: reading.commit)
            guard isBack || commit > reading.commit || reading.isStale && commit == reading.commit else {
                return false
            }
            if isBack { reading.isStale = true }
            if reading.followsRounds {
                let keys = round.keys(of: Record.keyPrefix)
                try reading.update(keys, in: round.context, at: commit, mayBeLong: isBack)
            } else {
                try update(&reading, in: round.context, at: commit, mayBeLong: isBack)
                reading.followsRounds = true
            }
            return true
        } note: {
            note(&$0)
        } noteFailure: {
            $0 is LongReading ? nil : noteFailure($0)
        }
        return noted?.isNews ?? false
    }

    /// Reads on another thread than the rounds, and delivers the values on its own.
    private func followLater() {
        guard let registration else { return }
        let rounds = store.rounds
        if late.request(rounds.beginLate()) { Store.observers.run { self.serveLate(registration, rounds) } }
    }

    /// Reads once for all requests of rounds, and then again for the requests that they make meanwhile. Like rounds,
    /// readings of less than a second take half of a processor at most.
    ///
    /// - Parameter failed: The attempts that could not begin a read, since the last that could.
    private func serveLate(_ registration: HubRegistration, _ rounds: Rounds, after failed: RoundPace = RoundPace()) {
        guard let numbers = late.take() else { return }
        let start = ContinuousClock.now
        var attempts = failed
        guard let isNews = rounds.readingLate({ followOnce(&attempts) }) else {
            late.putBack(numbers)
            let next = attempts
            return rounds.queue.async(after: next.pause(at: .now)) {
                Store.observers.run { self.serveLate(registration, rounds, after: next) }
            }
        }
        let pause = RoundPace.pause(after: start.duration(to: .now))
        let results = isNews ? [RoundResult(registration: registration, observer: self)] : []
        rounds.deliver(results) { rounds.endLate(numbers) }
        rounds.queue.async(after: pause) { Store.observers.run { self.serveLate(registration, rounds) } }
    }

    /// Takes the rows to the last commit, to be delivered.
    ///
    /// - Parameter attempts: The attempts that could not begin a read.
    /// - Returns: Whether there is something to deliver; nil if no read could begin, so that another attempt follows.
    func followOnce(_ attempts: inout RoundPace) -> Bool? {
        var hasBegun = false
        do {
            let noted = try store.readToEnd { context in
                hasBegun = true
                let commit = try context.catalogStorage().number(.commitSequence)
                return try reading.update { reading in
                    guard commit >= reading.commit else { return false }
                    try update(&reading, in: context, at: commit)
                    return true
                } note: {
                    note(&$0)
                } noteFailure: { error in
                    setNext { $0.error = error }
                }
            }
            return noted?.isNews ?? false
        } catch let error as StoreError where !hasBegun && error.isOfABusyStore {
            attempts.noteFailure(at: .now)
            if attempts.failures < RoundPace.patience { return nil }
            note(error)
            return true
        } catch {
            // Noted above, unless no read could begin.
            note(error)
            return true
        }
    }

    /// Returns whether the store has gone back to before a commit: its environment was opened again.
    private func hasGoneBack(_ round: Round, before commit: UInt64) throws -> Bool {
        guard round.mayGoBack, round.commits.upperBound < commit else { return false }
        // The list may also have read a newer snapshot than the round.
        return try store.readToEnd { try $0.catalogStorage().number(.commitSequence) < commit }
    }

    func deliver() { showNext { use.home.objects.notifier.notifyDelivered($0, of: self) } }

    func fail(_ error: any Error) {
        note(error)
        deliver()
    }
}

// MARK: At once

extension LiveList {
    /// Takes the rows to a newer snapshot, lets a closure read more, and shows the result.
    ///
    /// - Parameters:
    ///   - notifies: Whether the list may have observers.
    ///   - more: Reads more in the snapshot.
    func load(
        notifies: Bool = true, then more: (inout ListReading<Record>, ReadContext) throws -> Void = { _, _ in }
    ) throws {
        try show(notifies: notifies) { context, commit in
            var isNewEnough = true
            let noted = try reading.update { reading in
                isNewEnough = commit >= reading.commit
                guard isNewEnough else { return false }
                try update(&reading, in: context, at: commit)
                try more(&reading, context)
                return true
            } note: {
                note(&$0)
            }
            withExtendedLifetime(noted) {}
            return isNewEnough
        }
    }

    /// Reads the first page of another query, and shows it.
    ///
    /// - Throws: The error of the query, which then does not replace the list's query; the error of its reading.
    func replaceQuery(_ query: Query<Record>) throws {
        try show(notifies: true) { context, commit in
            var first = try ListReading(query, rowCount: pageSize, countsAll: countsAll)
            do {
                try first.update(.any, in: context, at: commit)
            } catch {
                let noted = reading.replace(by: first) { noteQuery(of: &$0) }
                withExtendedLifetime(noted) {}
                throw error
            }
            return reading.replace(by: first) { note(&$0) } != nil
        }
    }

    /// Reads in a snapshot, and shows the values.
    ///
    /// - Parameters:
    ///   - notifies: Whether the list may have observers.
    ///   - body: Reads. Returns false if the list has a newer state than the snapshot: another snapshot follows.
    private func show(
        notifies: Bool, _ body: (_ context: ReadContext, _ commit: UInt64) throws -> Bool
    ) throws {
        defer { showNext { if notifies { use.home.objects.notifier.notifyNow($0, of: self) } } }
        do {
            var isRead = false
            while !isRead {
                isRead = try store.read { context in
                    try body(context, context.catalogStorage().number(.commitSequence))
                }
            }
        } catch {
            // A call in a closure of the query fails, and not the list.
            let isMisuse = if case StoreError.live(.listIsReading) = error { true } else { false }
            if !isMisuse { note(error) }
            throw error
        }
    }

    /// Takes the rows to a newer snapshot, by the known changes of the commits since.
    private func update(
        _ reading: inout ListReading<Record>, in context: ReadContext, at commit: UInt64, mayBeLong: Bool = true
    ) throws {
        guard commit > reading.commit || reading.isStale else { return }
        var keys = ChangedKeys.Keys.any
        if !reading.isStale {
            let changes = try store.rounds.changes(after: reading.commit, through: commit, context).changes
            keys = changes.keys(of: Record.keyPrefix)
        }
        try reading.update(keys, in: context, at: commit, mayBeLong: mayBeLong)
    }
}

// MARK: Shown values

/// Values that a list shows next.
private struct NotedValues<Record: IndexKeyRecord> {
    /// Whether they differ from the values that are shown.
    let isNews: Bool
    /// The values that they replace. Their release may run code of the program: so not under a lock.
    let replaced: ListShowing<Record>.Values
}

extension LiveList {
    /// Notes the values of a reading, to be shown, and observes the records on which the rows depend now. Called under
    /// the lock of the reading.
    private func note(_ reading: inout ListReading<Record>) -> NotedValues<Record> {
        observeRegion(of: &reading)
        return setNext { next in
            next.rows =
                next.rowsVersion == reading.rowsVersion
                ? next.rows.asOf(reading.snapshot, use) : LiveRows(reading.pages, use, at: reading.snapshot)
            (next.rowsVersion, next.hasMore) = (reading.rowsVersion, reading.hasMore)
            (next.totalCount, next.error) = (reading.totalCount, nil)
            (next.query, next.queryVersion) = (reading.query, reading.queryVersion)
        }
    }

    /// Notes another query that could not be read: the rows stay. Called under the lock of the reading.
    private func noteQuery(of reading: inout ListReading<Record>) -> NotedValues<Record> {
        observeRegion(of: &reading)
        return setNext { ($0.query, $0.queryVersion) = (reading.query, reading.queryVersion) }
    }

    /// Notes that a reading has failed.
    private func note(_ error: any Error) {
        let noted = reading.locked { setNext { $0.error = error } }
        withExtendedLifetime(noted) {}
    }

    private func observeRegion(of reading: inout ListReading<Record>) {
        if let region = reading.takeNewRegion() { registration?.observe(region, since: reading.commit) }
    }

    /// Changes the values to show next, under the lock of the reading: no other change comes between.
    private func setNext(_ change: (inout ListShowing<Record>.Values) -> Void) -> NotedValues<Record> {
        let old = showing.withLock { $0.latest }
        var new = old
        change(&new)
        let next = new
        let isNews = showing.withLock { showing in
            showing.next = next
            return !next.differences(from: showing.values).isEmpty
        }
        return NotedValues(isNews: isNews, replaced: old)
    }

    /// Shows the values that were noted last, and calls a closure with the parts that have changed.
    private func showNext(_ body: (LiveParts) -> Void) {
        let (parts, old) = showing.withLock { $0.show() }
        withExtendedLifetime(old) { body(parts) }
    }
}
