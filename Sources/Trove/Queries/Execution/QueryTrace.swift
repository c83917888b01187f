// The trace of a query's run, for the log of slow queries.

/// The start of a query's run, and the plan that runs.
@usableFromInline
struct QueryTrace {
    /// The time of the start; nil if no query is logged.
    @usableFromInline let start: ContinuousClock.Instant?
    /// The plan; nil for a scan of the records by their keys.
    private(set) var plan: QueryPlan?
    /// The call that groups the records, as Swift, and the line of the plan about the groups.
    private(set) var grouping: (call: String, line: String?)?

    @usableFromInline
    init(start: ContinuousClock.Instant?) { self.start = start }

    /// Notes the plan that runs.
    mutating func note(_ plan: QueryPlan) {
        if start != nil { self.plan = plan }
    }

    /// Notes the call that groups the records.
    mutating func note(grouping call: @autoclosure () -> String) {
        if start != nil { grouping = (call(), nil) }
    }

    /// Notes the line of the plan about the groups.
    mutating func note(groupLine line: @autoclosure () throws -> String) rethrows {
        if start != nil { grouping?.line = try line() }
    }
}
