// The rows of a live list at a moment.

import TroveCoding

/// The rows of a ``LiveList`` at a moment: an immutable collection of live objects.
///
/// A later change of the list gives the list a new value, and leaves this one as it is. So an index stays valid, and a
/// row whose record was deleted still shows the record.
///
/// A row becomes an object when it is accessed. ``records`` has the same rows as structs, without objects.
public struct LiveRows<Record: IndexKeyRecord>: RandomAccessCollection, Sendable {
    private let pages: RecordPages<Record>
    /// Where the objects come from; nil if there are no rows.
    private let use: LiveHomeUse?
    /// The number of the snapshot of the rows.
    private let snapshot: Int

    init(_ pages: RecordPages<Record>, _ use: LiveHomeUse, at snapshot: Int) {
        self.pages = pages
        self.use = use
        self.snapshot = snapshot
    }

    /// Creates a collection without rows.
    init() { (pages, use, snapshot) = (RecordPages(), nil, -1) }

    /// The records of the rows, as they are stored: without edits that are not saved.
    ///
    /// - Complexity: O(*n*) for *n* rows, which are copied.
    public var records: [Record] { pages.all }

    /// The index of the first row: 0.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { pages.count }

    /// The live object of a row.
    ///
    /// - Precondition: A row has the index, as in an array.
    /// - Complexity: O(1).
    public subscript(index: Int) -> Live<Record> {
        let record = record(at: index)
        guard let use else { preconditionFailure("a collection without rows has no row \(index)") }
        return use.home.object(ofRow: record, at: snapshot)
    }

    /// Returns the record of a row.
    func record(at index: Int) -> Record { pages[index] }

    /// Returns the same rows, as read in another snapshot.
    func asOf(_ snapshot: Int, _ use: LiveHomeUse) -> LiveRows { LiveRows(pages, use, at: snapshot) }
}
