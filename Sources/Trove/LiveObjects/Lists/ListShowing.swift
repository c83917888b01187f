// The values of a live list's properties, now and after the next delivery.

import TroveCoding

/// The values that a live list shows.
struct ListShowing<Record: IndexKeyRecord>: Sendable {
    /// The values of the properties.
    struct Values: Sendable {
        var query: Query<Record>
        var rows: LiveRows<Record>
        /// A number that changes with the rows.
        var rowsVersion = 0
        /// A number that changes with the query.
        var queryVersion = 0
        var hasMore = false
        var totalCount: Int?
        var error: (any Error)?
    }

    private(set) var values: Values
    /// The values to show next; nil if they are shown.
    var next: Values?

    init(_ values: Values) { self.values = values }

    /// The values as last read.
    var latest: Values { next ?? values }

    /// Shows the values as last read.
    ///
    /// - Returns: The parts that differ, and the values shown before, which are to be released without a lock.
    mutating func show() -> (parts: LiveParts, old: Values?) {
        guard let next else { return ([], nil) }
        let old = values
        (values, self.next) = (next, nil)
        return (next.differences(from: old), old)
    }
}

extension ListShowing.Values {
    /// Returns the parts that differ from older values.
    func differences(from old: Self) -> LiveParts {
        var parts: LiveParts = []
        if queryVersion != old.queryVersion { parts.insert(.query) }
        if rowsVersion != old.rowsVersion { parts.insert(.rows) }
        if hasMore != old.hasMore { parts.insert(.hasMore) }
        if totalCount != old.totalCount { parts.insert(.totalCount) }
        if error != nil || old.error != nil { parts.insert(.error) }
        return parts
    }
}
