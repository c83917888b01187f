// The behavior of a connection, which tests change.

/// The behavior of a connection.
package struct ConnectionOptions: Hashable, Sendable {
    /// The name of the only index to use, empty for the records; nil to choose by cost.
    package var forcedPath: String?
    /// Whether scans test comparisons before SQLite sees the row.
    package var testsInScan = true
    /// Whether scans return rows in the order of a statement.
    package var consumesOrder = true
    /// Whether scans return rows in an order that holds only without some values, and notice such values. Then they may
    /// also read groups of totals, whose rows have no keys, and notice where keys are read.
    package var guardsOrder = true
    /// Whether rows are passed on before the statement has ended, so that it cannot begin again.
    package var isStreaming = false
    /// Whether statements may write.
    package var mayWrite = false
    /// Whether statements write types that the program does not declare, by their layout.
    package var writesStoredTypes = false
    /// Whether the indexes of such types that only their program can maintain are emptied. Otherwise the type cannot be
    /// written.
    package var emptiesIndexes = false

    package init() {}
}
