// The requests of a query for relations, each for another relation.

/// The requests of a query for relations.
struct RelationRequests<Record: IndexKeyRecord>: NestedRequests {
    /// The requests, in the order in which they were made.
    var steps: [any NestedStep<Record>]

    var lines: [String] { steps.flatMap(\.lines) }

    var swift: String { steps.map(\.swift).joined() }

    func completed(_ records: consuming [Record], in context: ReadContext) throws -> [Record] {
        try context.graphs(of: records, steps)
    }
}

extension Query {
    /// The requests for relations.
    private(set) var nested: [any NestedStep<Record>] {
        get { (requests as? RelationRequests<Record>)?.steps ?? [] }
        set { requests = newValue.isEmpty ? nil : RelationRequests(steps: newValue) }
    }

    /// Adds a request for a relation. It replaces an earlier request for the same relation.
    mutating func add(_ step: any NestedStep<Record>) {
        removeRequest(for: step.relation.path.path)
        if let failure = step.failure { fail(failure) } else { nested.append(step) }
    }

    /// Removes the request for a relation.
    mutating func removeRequest(for relation: AnyKeyPath) { nested.removeAll { $0.relation.path.path == relation } }
}
