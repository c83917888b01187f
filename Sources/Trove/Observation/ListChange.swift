// The change from one list of a query to the next.

import TroveCoding

/// The change from one list of a query's records to the next. The first change inserts all records.
///
/// ```swift
/// for try await change in User.filter(\.age >= 18).changes(in: store) {
///     keys = keys.applying(change.difference) ?? change.records.map(\.indexKey)
/// }
/// ```
public struct ListChange<Record: IndexKeyRecord>: Sendable {
    /// The list after the change.
    public let records: [Record]

    /// The difference of the two lists by key: removals at offsets of the old list, insertions at offsets of the new
    /// list. The two halves of a move name each other's offset.
    public let difference: CollectionDifference<Record.IndexKey>

    /// The keys of the records in both lists whose contents differ, whether they have moved or not, in the order of the
    /// new list.
    public let updated: [Record.IndexKey]

    /// The ``Store/commitSequence`` of the commit whose state the list is.
    public let commit: UInt64

    /// - Parameter change: The change; nil if nothing has changed.
    /// - Throws: ``StoreError`` if a key does not decode.
    init(_ records: [Record], _ change: RowsChange?, commit: UInt64) throws {
        self.records = records
        self.commit = commit
        updated = try change?.updated.map { try Record.key($0.key) } ?? []
        var steps: [CollectionDifference<Record.IndexKey>.Change] = []
        for row in change?.removed ?? [] {
            steps.append(
                .remove(
                    offset: row.offset, element: try Record.key(row.key), associatedWith: change?.moves[row.key]?.new))
        }
        for row in change?.inserted ?? [] {
            steps.append(
                .insert(
                    offset: row.offset, element: try Record.key(row.key), associatedWith: change?.moves[row.key]?.old))
        }
        guard let difference = CollectionDifference(steps) else {
            throw StoreError.record(
                .corrupted(
                    type: Record.schema.name, key: Record.schema.storedKey(change?.doubledKey ?? []),
                    reason: CodingError(.malformed(expected: "records with different keys"))))
        }
        self.difference = difference
    }
}
