// The start of a page: an entry of the access path, or a record.

import TroveCoding

/// The start of a query run: it begins after this position.
struct PageStart {
    /// The entry in the access path; nil at the beginning, and if records are sorted.
    private(set) var entry: [UInt8]?
    /// The record, if records are sorted.
    private(set) var record: CurrentRecord?

    init<Record: IndexKeyRecord>(
        after continuation: Query<Record>.Continuation?, plan: QueryPlan, planner: Planner, table: RecordTable,
        in context: ReadContext, of type: Record.Type
    ) throws {
        guard let continuation else { return }
        if plan.sorts {
            record = try Self.record(at: continuation, table: table, in: context, of: type)
        } else {
            entry = try Self.entry(
                at: continuation, plan: plan, planner: planner, table: table, in: context, of: type)
        }
    }

    /// Returns the record's entry in the access path. If the filter allows a single value for a property, the entry has
    /// this value. So the page continues at the same position even if the record has changed.
    private static func entry<Record: IndexKeyRecord>(
        at continuation: Query<Record>.Continuation, plan: QueryPlan, planner: Planner, table: RecordTable,
        in context: ReadContext, of type: Record.Type
    ) throws -> [UInt8] {
        guard case .index(let index) = plan.path.kind else { return continuation.key }
        var planner = planner
        planner.elementFilter = plan.elementFilter
        let given = plan.path.components.prefix(plan.path.propertyCount).map(planner.fixedValue)
        if given.allSatisfy({ $0 != nil }) { return given.flatMap { $0 ?? [] } + continuation.key }
        let record: Record = try record(at: continuation, table: table, in: context, of: type).decoded(table)
        return Record.indexes[index].value(of: record, given: given) + continuation.key
    }

    static func record<Record: IndexKeyRecord>(
        at continuation: Query<Record>.Continuation, table: RecordTable, in context: ReadContext,
        of type: Record.Type
    ) throws -> CurrentRecord {
        switch continuation {
        case .record(let key, let fields, _): return CurrentRecord(key: key, fields: fields, table)
        case .key(let key):
            guard let record = try context.record(of: key, type) else {
                throw StoreError.query(.noContinuation(type: Record.schema.name, key: Record.schema.storedKey(key)))
            }
            return try CurrentRecord(record, table)
        }
    }
}

extension Query.Continuation {
    /// The key of the record.
    var key: [UInt8] {
        switch self {
        case .key(let key), .record(let key, _, _): key
        }
    }
}
