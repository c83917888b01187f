// The check of an index of totals: the totals of the records are computed again, and compared with the rows.

import LMDB
import TroveCoding

/// The rows of an index of totals, and the totals of the records read by a check. Memory grows with the groups.
final class CheckedTotals: CheckedContents {
    private let totals: OpenTotals
    private let sums: Int
    private let keyspace: Keyspace
    private var groups: [[UInt8]: GroupTotals] = [:]
    private var recordCount = 0

    /// - Parameter sums: The number of summed properties.
    init(_ totals: OpenTotals, sums: Int, _ keyspace: Keyspace) {
        self.totals = totals
        self.sums = sums
        self.keyspace = keyspace
    }

    func state(of key: [UInt8], _ columns: ByteView) throws -> DocumentState {
        var record = GroupTotals(sums: sums)
        record.count = 1
        var isOfOneFamily = true
        let group = SumColumn.forEachFromEnd(sums, of: columns) { column, number in
            if !record.add(number, to: column, 1) { isOfOneFamily = false }
        }
        guard let group, isOfOneFamily, groups[group.copy(), default: GroupTotals(sums: sums)].add(record) else {
            return .different
        }
        recordCount += 1
        return .sound
    }

    /// Returns the number of records: no row belongs to a record alone.
    func documentCount() throws -> Int { recordCount }

    func forEachDocument(_ body: (_ key: [UInt8]?, _ id: [UInt8]) throws -> Bool) throws {}

    func forEachWaiting(_ body: (_ key: [UInt8]) throws -> Bool) throws {}

    var needsAllRecords: Bool { true }

    var rowDifference: IndexDifference.Kind { .wrongTotals }

    func findings(limit: Int) throws -> [(record: [UInt8]?, row: [UInt8])] {
        var findings: [(record: [UInt8]?, row: [UInt8])] = []
        var expected: [[UInt8]: [UInt8]] = [:]
        for (group, totals) in groups {
            var row: [UInt8] = []
            totals.append(to: &row, of: group)
            expected[GroupTotals.key(of: group)] = row
        }
        try keyspace.scan(totals.rows.database, ScanRange()) { key, value in
            let isSound = ByteView.with(key) { key in
                ByteView.with(value) { value in
                    totals.rows.isIntact(value, key: key)
                        && value.dropFirst(StoredRow.checksumSize).copy() == expected.removeValue(forKey: key.copy())
                }
            }
            if !isSound { findings.append((nil, Array(copiedBytes(key).dropFirst()))) }
            return findings.count < limit ? .continue : .stop
        }
        let missing = expected.keys.sorted { $0.lexicographicallyPrecedes($1) }
        return findings + missing.prefix(limit - findings.count).map { (nil, Array($0.dropFirst())) }
    }
}
