// The counts, sums and averages of queries from totals.

import LMDB
import TroveCoding

extension Query {
    /// Returns the number of matching records from totals; nil if records or entries must be read.
    @usableFromInline
    func storedCount(in context: ReadContext) throws -> Int? {
        guard mayHaveTotals else { return nil }
        var count = 0
        return try readTotals(of: nil, in: context) { totals, _ in
            count += totals.count
            return .continue
        } ? count : nil
    }

    /// Returns whether totals have a matching record; nil if records or entries must be read.
    @usableFromInline
    func storedExistence(in context: ReadContext) throws -> Bool? {
        guard mayHaveTotals else { return nil }
        var exists = false
        return try readTotals(of: nil, in: context) { _, _ in
            exists = true
            return .stop
        } ? exists : nil
    }

    /// Returns the sum of a property, and the number of its values; read from totals if an index has them.
    @inlinable
    func total<Property: Summable>(
        of property: KeyPath<Record, Property>, in context: ReadContext
    ) throws -> RunningTotal<Property.Number> {
        if let stored = try storedTotal(of: property, in: context) { return stored }
        var total = RunningTotal<Property.Number>()
        try forEachValue(of: property, in: context) { value in
            if let number = Property._number(value) { total.add(number) }
        }
        return total
    }

    /// Returns the sum of a property from totals; nil if records must be read.
    @usableFromInline
    func storedTotal<Property: Summable>(
        of property: KeyPath<Record, Property>, in context: ReadContext
    ) throws -> RunningTotal<Property.Number>? {
        guard mayHaveTotals, let stored = Record.summedProperty(property) else { return nil }
        // Not in the type of the numbers: generic code would look up metadata for each row.
        var total = GroupTotals.Column(sum: AnySum(zeroOf: Property.Number._Total.self))
        let isRead = try readTotals(of: stored, in: context) { totals, sum in
            try total.add(totals, sum)
            return .continue
        }
        return isRead ? RunningTotal(total) : nil
    }

    /// Calls a closure with the totals of each group, until it returns `.stop`. Returns false if no totals answer the
    /// query.
    private func readTotals(
        of property: StoredProperty?, in context: ReadContext,
        _ body: (GroupTotals, _ sum: Int?) throws -> ScanControl
    ) throws -> Bool {
        try context.logged(self) { trace in
            let query = try unsorted()
            let planner = try query.planner()
            // The number of all records is stored anyway.
            if property == nil, planner.filter.isEverything { return false }
            guard let table = try context.table(for: Record.schema, reading: query.recordRanges(by: planner)),
                let plan = try query.totalsPlan(of: property, planner, in: table)
            else { return false }
            trace.note(plan.plan)
            return try plan.forEachGroup(in: table, context) { try body($1, plan.sum) }
        }
    }

    /// Returns the description of the plan that reads totals; nil if no totals answer the query.
    ///
    /// - Parameters:
    ///   - property: The property of a sum or an average; nil for a count.
    ///   - answer: The name of the answer.
    func explainTotals(of property: StoredProperty?, _ answer: String, in context: ReadContext) throws -> String? {
        guard mayHaveTotals else { return nil }
        let query = try unsorted()
        let planner = try query.planner()
        if property == nil, planner.filter.isEverything { return nil }
        guard let table = try context.table(for: Record.schema),
            let plan = try query.totalsPlan(of: property, planner, in: table)
        else { return nil }
        let rows = try plan.rowCount(in: table, context)
        return "\(plan.plan)\n\(answer): from the totals; no record is read\nentries to read: \(rows)"
    }

    /// Returns the description of the plan of a sum or an average.
    func explainTotal<Property: Summable>(
        of property: KeyPath<Record, Property>, _ answer: String, in context: ReadContext
    ) throws -> String {
        if let stored = Record.summedProperty(property),
            let text = try explainTotals(of: stored, answer, in: context)
        {
            return text
        }
        return try unsorted()._explain(in: context)
    }
}

extension IndexKeyRecord {
    /// Returns the stored property at the path of a summed property; nil for another property. The scan of the records
    /// reports it.
    static func summedProperty(_ path: KeyPath<Self, some Summable>) -> StoredProperty? {
        do throws(StoreError) {
            return try SortTerm(path).property()
        } catch {
            return nil
        }
    }
}

extension GroupTotals.Column {
    /// Adds the totals of a group. Throws ``ImpossibleTotals`` if its numbers are of another family.
    ///
    /// - Parameter place: The position of the property among the summed properties.
    fileprivate mutating func add(_ totals: GroupTotals, _ place: Int?) throws {
        guard let place else { return }
        if let stored = totals.columns[place].sum {
            guard sum?.add(stored) == true else { throw ImpossibleTotals() }
        }
        count += totals.columns[place].count
    }
}

extension RunningTotal {
    /// Creates the totals of a column whose sum is of the numbers' family.
    fileprivate init(_ column: GroupTotals.Column) {
        self.init()
        sum = column.sum?.sum(as: Number._Total.self) ?? .zero
        count = column.count
    }

    /// Adds the totals of a group. Throws ``ImpossibleTotals`` if its numbers are of another family.
    ///
    /// - Parameter sum: The position of the property among the summed properties.
    mutating func add(_ totals: GroupTotals, _ sum: Int?) throws {
        guard let sum else { return }
        let column = totals.columns[sum]
        if let stored = column.sum {
            guard let stored = stored.sum(as: Number._Total.self) else { throw ImpossibleTotals() }
            self.sum.add(stored)
        }
        count += column.count
    }
}
