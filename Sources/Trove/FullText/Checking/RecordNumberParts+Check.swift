// The check of record numbers: the numbers of records and the records of numbers agree.

import LMDB
import TroveCoding

extension RecordNumberParts {
    /// A row that contradicts the other rows.
    struct Difference {
        /// The number of the record; nil for a damaged row.
        var number: UInt64?
        /// The key of a damaged row.
        var key: [UInt8]?
    }

    /// Returns whether all rows agree, in a transaction without pending changes.
    func isSound(_ keyspace: Keyspace) throws -> Bool {
        var isSound = true
        try forEachDifference(keyspace) { _ in
            isSound = false
            return false
        }
        return isSound
    }

    /// Calls a closure with each difference, until it returns false.
    func forEachDifference(_ keyspace: Keyspace, _ body: (Difference) -> Bool) throws {
        var (greatest, next): (UInt64, UInt64) = (0, 1)
        let byNumber = try TextRowCursor(keys, keyspace)
        while let row = try byNumber.next() {
            let number = row.key.count == RowNumber.size ? RowNumber.read(row.key) : .max
            guard let content = row.content, number != .max, number > 0 || content.count == RowNumber.size else {
                guard body(Difference(key: row.key.copy())) else { return }
                continue
            }
            if number == 0 {
                next = RowNumber.read(content)
                continue
            }
            greatest = max(greatest, number)
            let stored = try unlessDamaged { try numbers.content(content.copy(), keyspace) }
            if stored.map({ $0.count == RowNumber.size && RowNumber.read($0) == number }) != true {
                guard body(Difference(number: number)) else { return }
            }
        }
        let byRecord = try TextRowCursor(numbers, keyspace)
        while let row = try byRecord.next() {
            guard let content = row.content, content.count == RowNumber.size else {
                guard body(Difference(key: row.key.copy())) else { return }
                continue
            }
            let number = RowNumber.read(content)
            let stored = try unlessDamaged { try keys.content(TextCheck.key(number), keyspace) }
            if number == 0 || stored?.equals(row.key) != true {
                guard body(Difference(number: number)) else { return }
            }
        }
        if greatest >= next { _ = body(Difference(number: greatest)) }
    }
}
