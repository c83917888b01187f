// The counts and first records of a query for a single record and of a query for a list of keys.

import TroveCoding

extension RecordQuery: QueryCounting {
    /// The query itself, which finds a record at most.
    public var first: RecordQuery { self }

    /// Returns the record; nil if there is none.
    public func _first(in context: ReadContext) throws -> Record? { try resolve(in: context) }

    /// Returns 1 if the record is stored, otherwise 0. The record is not decoded.
    public func _count(in context: ReadContext) throws -> Int { try _exists(in: context) ? 1 : 0 }

    /// Returns whether the record is stored. The record is not decoded.
    public func _exists(in context: ReadContext) throws -> Bool {
        try found(in: context)?._exists(in: context) ?? false
    }

    /// Returns a description of the query's plan: a count reads what the query reads.
    public func _explainCount(in context: ReadContext) throws -> String { try _explain(in: context) }
}

extension RecordListQuery: QueryCounting {
    /// A request for the record of the first key that has one.
    public var first: RecordQuery<Record> { query.first }

    /// Returns the record of the first key that has one; nil if there is none.
    public func _first(in context: ReadContext) throws -> Record? {
        try changing { $0.limit = Swift.min($0.limit ?? 1, 1) }.resolve(in: context).first
    }

    /// Returns the number of records that the query returns. No record is decoded, unless a key occurs twice.
    public func _count(in context: ReadContext) throws -> Int {
        let (query, hasRepeats) = queryAndRepeats
        return hasRepeats ? try resolve(in: context).count : try query._count(in: context)
    }

    /// Returns whether any of the records is stored. No record is decoded.
    public func _exists(in context: ReadContext) throws -> Bool { try query._exists(in: context) }

    /// Returns a description of the query's plan, with a line for each requested relation.
    public func _explain(in context: ReadContext) throws -> String { try query._explain(in: context) }

    /// Returns a description of the plan of a count. With a repeated key, a count reads what the query reads.
    public func _explainCount(in context: ReadContext) throws -> String {
        let (query, hasRepeats) = queryAndRepeats
        return hasRepeats ? try query._explain(in: context) : try query._explainCount(in: context)
    }
}
