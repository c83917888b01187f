// The records of a live list, in pages: a list that grows by a page copies a page, and not all records.

import TroveCoding

/// Records in order. Copies share all pages but the last.
struct RecordPages<Record: IndexKeyRecord>: Sendable {
    private static var pageSize: Int { 256 }

    /// All pages but the last have ``pageSize`` records.
    private var pages: [[Record]] = []
    private(set) var count = 0

    mutating func append(_ records: ArraySlice<Record>) {
        var rest = records
        while !rest.isEmpty {
            if count.isMultiple(of: Self.pageSize) { pages.append([]) }
            let added = rest.prefix(Self.pageSize - count % Self.pageSize)
            pages[pages.count - 1] += added
            rest = rest.dropFirst(added.count)
            count += added.count
        }
    }

    subscript(index: Int) -> Record { pages[index / Self.pageSize][index % Self.pageSize] }

    /// All records. It copies them.
    var all: [Record] { Array(pages.joined()) }
}
