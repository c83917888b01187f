// The check of an index of totals: the totals of the records are computed again, and compared with the rows.

import LMDB
import TroveCoding

/// The rows of an index of totals, and the totals of the records read by a check. Memory grows with the groups.
final class CheckedTotals: CheckedContents {
    private struct Group {
        var totals: GroupTotals
        /// The columns of a group whose key is cut; else they are in the key.
        var columns: [UInt8]?
    }

    private let totals: OpenTotals
    private let sums: Int
    private let keyspace: Keyspace
    /// The groups by the keys of their rows.
    private var groups: [[UInt8]: Group] = [:]
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
        guard let group = group?.copy(), isOfOneFamily else { return .different }
        let key = GroupTotals.key(of: group)
        let isCut = key.count != group.count + 1
        let isAdded = groups[key, default: Group(totals: GroupTotals(sums: sums), columns: isCut ? group : nil)]
            .totals.add(record)
        guard isAdded else { return .different }
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
        try keyspace.scan(totals.rows.database, ScanRange()) { key, value in
            let key = copiedBytes(key)
            // A damaged row is not missing, too.
            let group = groups.removeValue(forKey: key)
            let isSound = ByteView.with(key) { bytes in
                ByteView.with(value) { value in
                    totals.rows.isIntact(value, key: bytes)
                        && value.dropFirst(StoredRow.checksumSize).copy() == group.map { Self.row($0, key: key) }
                }
            }
            if !isSound { findings.append((nil, Array(key.dropFirst()))) }
            return findings.count < limit ? .continue : .stop
        }
        let missing = groups.keys.sorted { $0.lexicographicallyPrecedes($1) }
        return findings + missing.prefix(limit - findings.count).map { (nil, Array($0.dropFirst())) }
    }

    private static func row(_ group: Group, key: [UInt8]) -> [UInt8] {
        var row: [UInt8] = []
        group.totals.append(to: &row, of: group.columns ?? Array(key.dropFirst()))
        return row
    }
}
