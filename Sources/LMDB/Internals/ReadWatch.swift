// Reads that stay open for long: told of, and ended where that is wanted.

import Dispatch

/// A read transaction of this process that has reached the maximum age.
package struct OldRead: Hashable, Sendable {
    /// How long it has been open, at least.
    package var age: Duration
    /// How many commits there were meanwhile, the pages of which cannot be used again.
    package var commitsBehind: Int
}

/// Looks at the open reads of an environment from time to time.
///
/// A read keeps no time of its own, so that it costs nothing to begin one: its age is that of the first look that found
/// it. So it is told of when it is between one and one and a quarter times the maximum age old.
///
/// Unchecked because of the timer, which is set up in `init` and cancelled in `deinit`.
final class ReadWatch: @unchecked Sendable {
    private struct Sighting {
        var lease: UInt64
        var first: ContinuousClock.Instant
        var commit: Int
        var isTold = false
    }

    private let limit: Duration
    private let ends: Bool
    private let tell: @Sendable (OldRead) -> Void
    private let sightings = Monitor<[ObjectIdentifier: Sighting]>([:])
    private let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))

    /// - Parameters:
    ///   - hold: Whose reads to watch. The watch does not keep it.
    ///   - limit: The maximum age.
    ///   - ends: Whether a read that has reached it is ended.
    ///   - tell: Called with each such read, once.
    init(_ hold: EnvironmentHold, limit: Duration, ends: Bool, _ tell: @escaping @Sendable (OldRead) -> Void) {
        self.limit = limit
        self.ends = ends
        self.tell = tell
        let milliseconds = max(1, min(limit, .seconds(1 << 32)).wholeMilliseconds / 4)
        timer.schedule(
            deadline: .now(), repeating: .milliseconds(milliseconds), leeway: .milliseconds(milliseconds / 8))
        timer.setEventHandler { [weak self, weak hold] in
            if let environment = hold?.environment { self?.look(at: environment) }
        }
        timer.activate()
    }

    deinit { timer.cancel() }

    private func look(at environment: SharedEnvironment) {
        let now = ContinuousClock.now
        let lastCommit: Int
        do throws(LMDBError) {
            lastCommit = try unsafe environment.withMap { unsafe Calls.info($0).me_last_txnid }
        } catch {
            return  // the environment is closed, or not this process's: nothing can be read there
        }
        let open = environment.state.withLock { state in
            state.readers.filter(\.isOpen).map { (reader: $0, lease: $0.currentLease) }
        }
        let old = sightings.withLock { sightings in
            var old: [(reader: TransactionCore, lease: UInt64, told: OldRead)] = []
            var next: [ObjectIdentifier: Sighting] = [:]
            for (reader, lease) in open {
                let known = sightings[ObjectIdentifier(reader)]
                var sighting =
                    known.flatMap { $0.lease == lease ? $0 : nil }
                    ?? Sighting(lease: lease, first: now, commit: lastCommit)
                let age = sighting.first.duration(to: now)
                if age >= limit, !sighting.isTold {
                    sighting.isTold = true
                    old.append((reader, lease, OldRead(age: age, commitsBehind: lastCommit - sighting.commit)))
                }
                next[ObjectIdentifier(reader)] = sighting
            }
            sightings = next
            return old
        }
        for (reader, lease, told) in old where !ends || end(reader, lease) { tell(told) }
    }

    /// Ends a use of a reader, and remembers it by the lease that it has from then on until its closure returns.
    private func end(_ reader: TransactionCore, _ lease: UInt64) -> Bool {
        guard reader.expire(lease) else { return false }
        sightings.withLock { $0[ObjectIdentifier(reader)]?.lease = lease &+ 1 }
        return true
    }
}

extension Environment {
    /// Has somebody told of each read of this process that becomes older than a limit, and ends it where that is
    /// wanted. Who asks first is told.
    package func watchReads(
        longerThan limit: Duration, ending ends: Bool, _ tell: @escaping @Sendable (OldRead) -> Void
    ) {
        hold.watch.withLock { watch in
            if watch == nil { watch = ReadWatch(hold, limit: limit, ends: ends, tell) }
        }
    }
}
