// The last commit of all processes, and reads that show it.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Environment {
    /// liblmdb's number of the last commit of any process, from the meta pages of the map: a matter of nanoseconds.
    ///
    /// A writer stores the meta page first, and the number that new reads take after it. So a read that begins now may
    /// show the commit before; see ``awaitReads(showing:within:)``.
    package var lastTransaction: Int {
        get throws(LMDBError) {
            try shared.checkFork("lastTransaction")
            return try unsafe shared.withMap { unsafe Calls.info($0).me_last_txnid }
        }
    }

    /// Waits until new reads show a commit.
    ///
    /// - Parameters:
    ///   - transaction: The number of the commit, from ``lastTransaction``.
    ///   - limit: The maximum time to wait. A writer that was killed after it stored the meta page never publishes its
    ///     number; the next writer of any process repairs that.
    /// - Returns: Whether new reads show the commit.
    /// - Throws: ``LMDBError`` if no read can begin.
    package func awaitReads(
        showing transaction: Int, within limit: Duration = .milliseconds(20)
    ) throws(LMDBError) -> Bool {
        if try shared.readShows(transaction) { return true }
        let end = ContinuousClock.now + limit
        var attempts = 1
        while ContinuousClock.now < end {
            attempts += 1
            if attempts < 50 { sched_yield() } else { usleep(50) }
            if try shared.readShows(transaction) { return true }
        }
        return false
    }
}

extension SharedEnvironment {
    /// Returns whether a read that begins now shows a commit.
    fileprivate func readShows(_ transaction: Int) throws(LMDBError) -> Bool {
        let reader = try beginRead()
        defer { reader.endRead() }
        return reader.identifier >= transaction
    }
}
