// Compares the counts of a ranked index with its entries.

import LMDB
import TroveCoding

extension OpenRanks {
    /// Returns the entries of the rows that are damaged, wrong, missing or superfluous. A row is compared with the
    /// level below it, so the levels above a wrong row are left out. Memory does not grow with the index.
    ///
    /// - Parameter step: Called for each row.
    func differences(_ keyspace: Keyspace, limit: Int, step: () throws -> Void) throws -> [[UInt8]] {
        var differences: [[UInt8]] = []
        for range in [ScanRange(upTo: [1]), ScanRange(from: [UInt8(RankLevel.highest + 1)])] {
            try keyspace.scan(counts.database, range) { key, _ in
                differences.append(Array(copiedBytes(key).dropFirst()))
                return differences.count < limit ? .continue : .stop
            }
        }
        for level in 1...RankLevel.highest where differences.isEmpty {
            guard var rows = try keyspace.seeks(in: counts.database) else { return [[]] }
            let first = [UInt8(level)]
            var row = try ByteView.with(first) { try rows.seek($0) }
            func note(_ entry: [UInt8]) -> ScanControl {
                differences.append(entry)
                return differences.count < limit ? .continue : .stop
            }
            try forEachExpectedRow(of: level, keyspace) { entry, count in
                try step()
                let key = Self.key(level, entry)
                // Rows before the expected one are superfluous.
                while let other = row, other.key.compare(key) < 0 {
                    if note(other.key.dropFirst(1).copy()) == .stop { return .stop }
                    row = try rows.next()
                }
                guard let found = row, found.key.compare(key) == 0 else { return note(entry) }
                let isSound = isRow(found, of: count)
                row = try rows.next()
                return isSound ? .continue : note(entry)
            }
            while let other = row, other.key.prefix(1).compare(first) == 0, differences.count < limit {
                differences.append(other.key.dropFirst(1).copy())
                row = try rows.next()
            }
        }
        return differences
    }

    private func isRow(_ row: Entry, of count: Int) -> Bool {
        var content: [UInt8] = []
        LEB128.append(count, to: &content)
        return counts.isIntact(row.value, key: row.key)
            && row.value.dropFirst(StoredRow.checksumSize).compare(content) == 0
    }
}
