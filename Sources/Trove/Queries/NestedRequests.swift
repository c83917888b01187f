// The requests of a query for more than its records: the relations of entities.

/// The requests of a query for relations of the records that it finds.
protocol NestedRequests<Record>: Sendable {
    associatedtype Record: IndexKeyRecord

    /// The lines of the query's plan about the requests.
    var lines: [String] { get }

    /// The calls that make the requests, as Swift.
    var swift: String { get }

    /// Returns records with their requested relations.
    func completed(_ records: consuming [Record], in context: ReadContext) throws -> [Record]
}

extension Query {
    /// A query for all records with the requests of this query.
    var requestsAlone: Query {
        var query = Query()
        query.requests = requests
        return query
    }

    /// The query without requests for relations.
    var withoutRequests: Query {
        var query = self
        query.requests = nil
        return query
    }

    /// The lines of the plan about nested requests.
    var nestedLines: [String] { requests?.lines ?? [] }

    /// Returns records with their requested relations.
    @usableFromInline
    func completed(_ records: consuming [Record], in context: ReadContext) throws -> [Record] {
        guard let requests else { return records }
        return try requests.completed(records, in: context)
    }
}
