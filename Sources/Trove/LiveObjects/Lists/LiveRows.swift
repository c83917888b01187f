// The rows of a live list at a moment.

import TroveCoding

/// The rows of a ``LiveList`` at a moment: an immutable collection of live objects.
///
/// A later change of the list gives the list a new value, and leaves this one as it is. So an index stays valid, and a
/// row whose record was deleted still shows the record.
///
/// A row becomes an object when it is accessed. ``records`` has the same rows as structs, without objects.
public struct LiveRows<Record: IndexKeyRecord>: RandomAccessCollection, Sendable {
    /// The records of the rows, as they are stored: without edits that are not saved.
    public let records: [Record]
    /// Where the objects come from; nil if there are no rows.
    private let use: LiveHomeUse?
    /// The number of the snapshot of the rows.
    private let snapshot: Int

    init(_ records: [Record], _ use: LiveHomeUse, at snapshot: Int) {
        self.records = records
        self.use = use
        self.snapshot = snapshot
    }

    /// Creates a collection without rows.
    init() { (records, use, snapshot) = ([], nil, -1) }

    /// The index of the first row: 0.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { records.count }

    /// The live object of a row.
    ///
    /// - Complexity: O(1).
    public subscript(index: Int) -> Live<Record> {
        let record = records[index]
        guard let use else { preconditionFailure("a collection without rows has no row \(index)") }
        return use.home.object(of: record, at: snapshot)
    }
}
