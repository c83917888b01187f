// The reader of an observed query, which keeps its rows.

import LMDB

/// Reads the rows of a query, and makes values of them.
final class RowsReader<Record: IndexKeyRecord, Value: Sendable>: ObservedReader {
    private let rows: ObservedRows<Record>
    private let make: (RowsState<Record>) throws -> Value
    /// The change of the last read, until it is made a value: the first one has all rows.
    private var change: RowsChange?
    private var commit: UInt64 = 0

    /// - Parameters:
    ///   - keepsRecords: Whether records are kept. Without them, only the keys and their order count.
    ///   - make: Returns the value of some rows.
    init(
        _ query: Query<Record>, keepsRecords: Bool = true, _ make: @escaping (RowsState<Record>) throws -> Value
    ) throws {
        rows = try ObservedRows(query, keepsRecords: keepsRecords)
        self.make = make
    }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        let changed = step.changes.keys(of: Record.schema.keyPrefix)
        // A patch of few records depends on all of them.
        context.readRegion?.note(rows.source.ranges, of: Record.schema.keyPrefix)
        let change = try rows.update(in: context, changed)
        guard change != nil || step.last == nil else { return false }
        (self.change, commit) = (change, step.commit)
        return true
    }

    func value() throws -> Value {
        defer { change = nil }
        return try make(RowsState(rows: rows, change: change, commit: commit))
    }

    func mayChange(in round: Round) throws -> Bool { try rows.mayChange(in: round) }
}

/// The rows of a query, and the change that led to them.
struct RowsState<Record: IndexKeyRecord> {
    let rows: ObservedRows<Record>
    /// The change since the last value; nil for the first, if it has no rows, and for a value that is made again.
    let change: RowsChange?
    let commit: UInt64
}
