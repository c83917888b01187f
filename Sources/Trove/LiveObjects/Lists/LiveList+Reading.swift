// How a live list reads: in rounds, a page more, and another query.
//
//     round, page, query ──read──▶ ListReading ──▶ the next values ──delivery──▶ the values that the properties return

import LMDB
import TroveCoding

extension LiveList: RoundObserver {
    func read(_ round: Round) throws -> Bool {
        let commit = round.commits.upperBound
        return try reading.withLock { reading in
            guard commit > reading.commit || reading.isStale && commit == reading.commit else { return false }
            do {
                try reading.update(round.keys(of: Record.keyPrefix), in: round.context, at: commit)
            } catch {
                reading.isStale = true
                throw error
            }
            return note(&reading)
        }
    }

    func deliver() { show { use.home.objects.telling.tellDelivered($0, of: self) } }

    func fail(_ error: any Error) {
        note(error)
        deliver()
    }
}

extension LiveList {
    /// Reads in a snapshot of its own, and shows the result at once.
    ///
    /// - Parameters:
    ///   - tells: Whether the list may have observers.
    ///   - body: Reads. Not called if the list has a newer state than the snapshot by then: another snapshot follows.
    func load(
        tells: Bool = true, _ body: (inout ListReading<Record>, ReadContext, UInt64) throws -> Void
    ) throws {
        defer {
            show { parts in
                guard tells else { return }
                tell(parts)
                use.home.objects.telling.tell(parts, of: self, isRepeated: true)
            }
        }
        do {
            var isRead = false
            while !isRead { isRead = try store.read { context in try load(in: context, body) } }
        } catch {
            note(error)
            throw error
        }
    }

    /// Reads in a snapshot, unless the list has a newer state. Returns whether it has read.
    private func load(
        in context: ReadContext, _ body: (inout ListReading<Record>, ReadContext, UInt64) throws -> Void
    ) throws -> Bool {
        let commit = try context.catalogStorage().number(.commitSequence)
        return try reading.withLock { reading in
            guard commit >= reading.commit else { return false }
            try body(&reading, context, commit)
            _ = note(&reading)
            return true
        }
    }

    /// Takes the rows to a newer snapshot, by what is known of the commits since.
    func update(_ reading: inout ListReading<Record>, in context: ReadContext, at commit: UInt64) throws {
        guard commit > reading.commit || reading.isStale else { return }
        var keys = ChangedKeys.Keys.any
        if !reading.isStale {
            let changes = try store.rounds.changes(after: reading.commit, through: commit, context).changes
            keys = changes.keys(of: Record.keyPrefix)
        }
        try reading.update(keys, in: context, at: commit)
    }

    // MARK: What is shown

    /// Notes what was read, to be shown, and observes the records on which the rows depend now.
    ///
    /// - Returns: Whether it differs from what is shown.
    private func note(_ reading: inout ListReading<Record>) -> Bool {
        if let region = reading.takeNewRegion() { registration?.observe(region, since: reading.commit) }
        // Kept until after the lock: what is released there may run code of the program.
        let old = showing.withLock { $0.latest }
        var new = old
        new.rows =
            old.rowsVersion == reading.rowsVersion
            ? old.rows.asOf(reading.snapshot, use) : LiveRows(reading.pages, use, at: reading.snapshot)
        (new.rowsVersion, new.hasMore, new.totalCount) = (reading.rowsVersion, reading.hasMore, reading.totalCount)
        (new.query, new.queryVersion, new.error) = (reading.query, reading.queryVersion, nil)
        let next = new
        return showing.withLock { showing in
            showing.next = next
            return !next.differences(from: showing.values).isEmpty
        }
    }

    /// Notes that a reading has failed.
    private func note(_ error: any Error) {
        reading.withLock { reading in
            reading.isStale = true
            if let region = reading.takeNewRegion() { registration?.observe(region, since: reading.commit) }
            let old = showing.withLock { $0.latest }
            var new = old
            (new.query, new.queryVersion, new.error) = (reading.query, reading.queryVersion, error)
            let next = new
            showing.withLock { $0.next = next }
        }
    }

    /// Shows what was read last, and calls a closure with the parts that have changed.
    private func show(_ body: (LiveParts) -> Void) {
        let (parts, old) = showing.withLock { $0.show() }
        withExtendedLifetime(old) { body(parts) }
    }
}
