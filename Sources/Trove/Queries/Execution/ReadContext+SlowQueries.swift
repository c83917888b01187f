// The log of slow queries.

import Logging

extension ReadContext {
    /// Runs a closure that runs a query, and logs the query if it takes longer than
    /// ``StoreOptions/slowQueryThreshold``.
    @inlinable
    @inline(__always)
    final func logged<Record: IndexKeyRecord, R>(
        _ query: @autoclosure () -> Query<Record>, _ body: () throws -> R
    ) throws -> R {
        guard let start = startOfQuery else { return try body() }
        let result = try body()
        log(query(), since: start)
        return result
    }

    /// The current time; nil if no query is logged.
    @usableFromInline
    final var startOfQuery: ContinuousClock.Instant? { catalog.slowQueryThreshold == nil ? nil : .now }

    @usableFromInline
    final func log<Record: IndexKeyRecord>(_ query: Query<Record>, since start: ContinuousClock.Instant) {
        let duration = ContinuousClock.now - start
        guard let threshold = catalog.slowQueryThreshold, duration >= threshold else { return }
        Logger(label: "trove").notice(
            "A query was slow",
            metadata: [
                "path": "\(core.path)", "type": "\(Record.schema.name)", "query": "\(query)",
                "duration": "\(duration)", "plan": "\(plan(of: query))",
            ])
    }

    private final func plan<Record: IndexKeyRecord>(of query: Query<Record>) -> String {
        do {
            return try query.explain(in: self)
        } catch {
            return "unknown: \(error)"
        }
    }
}
