// The log of slow queries.

import Logging

extension ReadContext {
    /// Runs a closure that runs a query, and logs the query if it takes longer than
    /// ``StoreOptions/slowQueryThreshold``, also if it throws.
    @inlinable
    @inline(__always)
    final func logged<Record: IndexKeyRecord, R>(
        _ query: @autoclosure () -> Query<Record>, _ body: (inout QueryTrace) throws -> R
    ) throws -> R {
        var trace = QueryTrace(start: startOfQuery)
        defer { if trace.start != nil { log(query(), trace) } }
        return try body(&trace)
    }

    /// The current time; nil if no query is logged.
    @usableFromInline
    final var startOfQuery: ContinuousClock.Instant? { catalog.slowQueryThreshold == nil ? nil : .now }

    @usableFromInline
    final func log<Record: IndexKeyRecord>(_ query: Query<Record>, _ trace: QueryTrace) {
        guard let start = trace.start, let threshold = catalog.slowQueryThreshold else { return }
        let duration = ContinuousClock.now - start
        guard duration >= threshold else { return }
        let plan =
            [trace.plan.map { "\($0)" } ?? query.planOverRecords, trace.grouping?.line].compactMap(\.self)
            + query.nestedLines
        Logger(label: "trove").notice(
            "A query was slow",
            metadata: [
                "path": "\(core.path)", "type": "\(Record.schema.name)",
                "query": "\(query)\(trace.grouping?.call ?? "")", "duration": "\(duration)",
                "plan": "\(plan.joined(separator: "\n"))",
            ])
    }
}

extension Query {
    /// The plan of a scan of the records; the query's error if it cannot run.
    fileprivate var planOverRecords: String {
        do {
            return try "\(planner().plan(overRecords: Record.schema.candidates[0], in: Record.schema.name))"
        } catch {
            return "unknown: \(error)"
        }
    }
}
