// The watch of long-running reads: it reports them, and optionally ends them.

import Dispatch

/// A periodic inspection of the open reads of an environment.
///
/// A read stores no start time, so beginning a read costs nothing. Its age is measured from the first inspection that
/// found it. So it is reported at an age between 1 and 1¼ times the maximum.
///
/// Unchecked because of the timer, which is set up in `init` and canceled in `deinit`.
final class ReadWatch: @unchecked Sendable {
    private struct Sighting {
        var lease: UInt64
        var first: ContinuousClock.Instant
        var isNotified = false
    }

    let limit: Duration
    private let ends: Bool
    private let report: @Sendable (OldRead) -> Void
    private let sightings = Monitor<[ObjectIdentifier: Sighting]>([:])
    private let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))

    /// - Parameters:
    ///   - hold: The environment to watch; not retained.
    ///   - limit: The maximum age.
    ///   - ends: Whether reads are ended at the maximum age.
    ///   - report: Called once for each such read.
    init(_ hold: EnvironmentHold, limit: Duration, ends: Bool, _ report: @escaping @Sendable (OldRead) -> Void) {
        self.limit = limit
        self.ends = ends
        self.report = report
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
            return  // the environment is closed, or belongs to another process: there are no reads
        }
        let open = environment.state.withLock { state in
            state.readers.filter(\.isOpen).map { (reader: $0, lease: $0.currentLease) }
        }
        let old = sightings.withLock { sightings in
            var old: [(reader: TransactionCore, lease: UInt64, read: OldRead)] = []
            var next: [ObjectIdentifier: Sighting] = [:]
            for (reader, lease) in open {
                let known = sightings[ObjectIdentifier(reader)]
                var sighting =
                    known.flatMap { $0.lease == lease ? $0 : nil }
                    ?? Sighting(lease: lease, first: now)
                let age = sighting.first.duration(to: now)
                if age >= limit, !sighting.isNotified {
                    sighting.isNotified = true
                    let commits = lastCommit - reader.snapshot.load(ordering: .relaxed)
                    let isEnded = ends && TransactionCore.canExpire(lease)
                    old.append(
                        (reader, lease, OldRead(age: age, commitsBehind: max(0, commits), isEnded: isEnded)))
                }
                next[ObjectIdentifier(reader)] = sighting
            }
            sightings = next
            return old
        }
        for (reader, lease, read) in old where !read.isEnded || end(reader, lease) { report(read) }
    }

    /// Ends a use of a reader, and stores the reader's new lease, valid until its closure returns.
    private func end(_ reader: TransactionCore, _ lease: UInt64) -> Bool {
        guard reader.expire(lease) else { return false }
        sightings.withLock { $0[ObjectIdentifier(reader)]?.lease = lease &+ 2 }
        return true
    }
}

extension Environment {
    /// Reports each read of this process older than a limit, and optionally ends it. Only the first caller's handler is
    /// installed.
    package func watchReads(
        longerThan limit: Duration, ending ends: Bool, _ report: @escaping @Sendable (OldRead) -> Void
    ) {
        hold.watch.withLock { watch in
            if watch == nil { watch = ReadWatch(hold, limit: limit, ends: ends, report) }
        }
    }

    /// The maximum age of reads; nil if no reads are watched.
    package var maximumReadAge: Duration? { hold.watch.withLock { $0?.limit } }
}
