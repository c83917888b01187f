// Runs a grouped query: over an access path whose entries give the groups, or over the matching records.

import LMDB
import TroveCoding

extension GroupedQuery {
    /// Returns an aggregate of each group, in the order of the keys.
    ///
    /// - Parameter value: Returns the result for a state.
    func results<State, Value>(
        _ aggregate: GroupAggregate<State>, in source: some RecordReadable,
        _ value: (State) throws -> Value
    ) throws -> [(key: Key, value: Value)] {
        try check(aggregate.property)
        return try source.reading { context in
            try context.logged(query) { trace in
                trace.note(grouping: call)
                let ranges = try query.recordRanges(by: query.planner())
                guard let table = try context.table(for: Record.schema, reading: ranges) else { return [] }
                let path = try query.groupPath(terms, of: aggregate.property, in: table)
                var groups: Groups<State>?
                if aggregate.addTotals != nil,
                    let totals = try totalsPlan(aggregate.need, of: aggregate.property, path, in: table)
                {
                    trace.note(totals.plan)
                    try trace.note(groupLine: groupLine(Self.totalsWay))
                    groups = try self.groups(from: totals, aggregate, in: table, context)
                }
                if groups == nil, let path {
                    trace.note(path.plan)
                    try trace.note(groupLine: groupLine(path, aggregate.property))
                    groups = try self.groups(along: path, aggregate, in: table, context)
                }
                if groups == nil {
                    try trace.note(groupLine: groupLine(nil, aggregate.property))
                    groups = try QueryRun(query.unsorted(), in: context, for: .records, trace: &trace)?
                        .groups(by: terms, aggregate, context)
                }
                return try groups?.sorted().map { group in
                    do {
                        return (key: try decode(group.key), value: try value(group.state))
                    } catch let error as CodingError {
                        throw table.damaged(group.key, path?.path, error)
                    }
                } ?? []
            }
        }
    }

    /// Returns the scan of totals that gives the groups; nil if entries or records must be read.
    ///
    /// - Parameters:
    ///   - property: The property of the aggregate; nil without one.
    ///   - path: The path whose entries give the groups; nil if the matching records do.
    func totalsPlan<State>(
        _ need: GroupAggregate<State>.Need, of property: SortTerm?, _ path: GroupPath?, in table: RecordTable
    ) throws -> TotalsPlan? {
        guard query.mayHaveTotals else { return nil }
        let planner = try query.unsorted().planner()
        let plan = try query.totalsPlan(by: terms, of: property?.property(), planner, in: table)
        // The groups alone are found by a seek for each of them, while totals may have many rows of a group.
        if case .any = need, path != nil, plan?.hasRowForEachGroup(planner) == false { return nil }
        return plan
    }

    /// Returns the groups from totals; nil if the totals do not have all records.
    private func groups<State>(
        from totals: TotalsPlan, _ aggregate: GroupAggregate<State>, in table: RecordTable, _ context: ReadContext
    ) throws -> Groups<State>? {
        guard let addTotals = aggregate.addTotals, let open = table.indexes[totals.totals.ordinal].totals else {
            return nil
        }
        var groups = Groups(initial: aggregate.initial)
        var ends: [Int] = []
        let isRead = try totals.forEachGroup(in: table, context) { group, row in
            let place = groups.place(of: try totals.groupKey(of: group, open.rows, &ends))
            try addTotals(&groups.states[place], row, totals.sum)
            return .continue
        }
        return isRead ? groups : nil
    }

    /// Throws the error of the query, of a property of the group, or of the aggregate's property.
    func check(_ property: SortTerm?) throws {
        try query.check()
        for term in terms { _ = try term.property() }
        _ = try property?.property()
    }

    /// Returns the groups from the entries of a path; nil if long entries are cut within a component that is needed.
    private func groups<State>(
        along path: GroupPath, _ aggregate: GroupAggregate<State>, in table: RecordTable, _ context: ReadContext
    ) throws -> Groups<State>? {
        let reader: EntryReader =
            switch path.path.kind {
            case .records: EntryReader(table, path.path, context.keyspace)
            case .index(let index):
                IndexReader(of: table, path.path, table.indexes[index], context.keyspace) { _, _ in nil }
            }
        return try translatingErrors { try GroupScan.groups(reader, path, aggregate) }
    }
}

extension KeyComponent {
    /// Returns the component whose bytes are all of `bytes`.
    static func decode(_ bytes: [UInt8]) throws(CodingError) -> Self { try KeyReader.decode(Self.self, from: bytes) }
}

extension RecordTable {
    /// Creates the error for the key of a group that fails to decode.
    fileprivate func damaged(_ key: [UInt8], _ path: AccessPath?, _ reason: CodingError) -> StoreError {
        guard let path, path.kind != .records else { return ByteView.with(key) { corrupted($0, reason) } }
        return .record(.indexDamaged(type: schema.name, index: path.name, key: schema.entryKey(key, of: path.name)))
    }
}
