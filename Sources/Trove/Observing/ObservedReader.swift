// What an iteration over observed values reads.

import LMDB

/// The reader of an iteration: it remembers what it has read, to find out whether a commit changes it.
///
/// Not thread-safe: the iteration locks.
protocol ObservedReader<Value>: AnyObject {
    associatedtype Value: Sendable

    /// Reads the value in a snapshot: for the first time, or after changes in the region of the last read.
    ///
    /// - Parameters:
    ///   - context: The snapshot. It notes what is read.
    ///   - step: What has changed since the last read.
    /// - Returns: Whether the value differs from the last one.
    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool

    /// The value last read.
    ///
    /// - Throws: If the value cannot be made of what was read.
    func value() throws -> Value

    /// Returns whether the value may change, in the snapshot of a round that has changed something in the region.
    func mayChange(in round: Round) throws -> Bool
}

/// The step from one read of an iteration to the next.
struct ReadStep {
    /// The commit whose state was read last; nil for the first read.
    let last: UInt64?
    /// The commit whose state is read.
    let commit: UInt64
    /// The changes between the two; any record of any type, as far as they are not known.
    var changes: ChangedKeys
    /// Whether all commits between the two are of this process.
    var isOwn: Bool
}

/// Reads the values of any request.
final class RequestReader<Value: Sendable>: ObservedReader {
    private let fetch: (ReadContext) throws -> Value
    private let isEqual: (Value, Value) throws -> Bool
    private var last: Value?

    /// - Parameters:
    ///   - fetch: Returns the value in a snapshot.
    ///   - isEqual: Returns whether a value need not be told after another.
    init(_ fetch: @escaping (ReadContext) throws -> Value, isEqual: @escaping (Value, Value) throws -> Bool) {
        self.fetch = fetch
        self.isEqual = isEqual
    }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        let new = try fetch(context)
        if let last, try isEqual(last, new) { return false }
        last = new
        return true
    }

    func value() throws -> Value {
        guard let last else { throw CancellationError() }
        return last
    }

    func mayChange(in round: Round) -> Bool { true }
}

/// Reads the rows of a query, and makes values of them.
final class RowsReader<Record: IndexKeyRecord, Value: Sendable>: ObservedReader {
    private let rows: ObservedRows<Record>
    private let make: (RowsState<Record>) throws -> Value
    /// Whether a change matters for the value.
    private let isChange: (RowsChange) -> Bool
    private var state: (change: RowsChange?, commit: UInt64) = (nil, 0)

    init(
        _ query: Query<Record>, keepsRecords: Bool = true, isChange: @escaping (RowsChange) -> Bool = { _ in true },
        _ make: @escaping (RowsState<Record>) throws -> Value
    ) throws {
        rows = try ObservedRows(query, keepsRecords: keepsRecords)
        self.isChange = isChange
        self.make = make
    }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        let changed = step.changes.keys(of: Record.schema.keyPrefix)
        // A patch of few records depends on all of them.
        context.readRegion?.note(rows.source.ranges, of: Record.schema.keyPrefix)
        let change = try rows.update(in: context, changed)
        guard change.map(isChange) ?? (step.last == nil) else { return false }
        state = (change, step.commit)
        return true
    }

    func value() throws -> Value { try make(RowsState(rows: rows, change: state.change, commit: state.commit)) }

    func mayChange(in round: Round) throws -> Bool {
        try rows.mayChange(by: round.keys(of: Record.schema.keyPrefix), in: round.context)
    }
}

/// The rows of a query, and the change that led to them.
struct RowsState<Record: IndexKeyRecord> {
    let rows: ObservedRows<Record>
    /// The change since the last value; nil for the first, if it has no rows.
    let change: RowsChange?
    let commit: UInt64
}
