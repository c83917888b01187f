// A test of a column in the scan, before SQLite sees the row.

import LMDB

/// A comparison of a column with a value.
struct ScanTest {
    let column: Int
    private let comparison: Comparison
    private let value: Cell

    /// Creates a test; nil if the comparison excludes nothing for certain.
    init?(_ column: Int, _ comparison: Comparison, _ value: Cell, _ columnClass: ComparisonClass) {
        self.column = column
        self.comparison = comparison
        var value = value
        switch comparison {
        case .like, .glob:
            guard value.kind == .text else { return nil }
            value.bytes = TextPattern.prefix(of: value.bytes, comparison)
            if value.bytes.isEmpty { return nil }
        case .isNull, .isNotNull: break
        default:
            // By the affinity of its expression, SQLite compares a number with a text as texts or as numbers.
            if columnClass.isText, value.kind == .integer || value.kind == .real { return nil }
        }
        self.value = value
    }

    /// Returns whether a value of the column passes.
    @inline(__always)
    func matches(_ cell: Cell) -> Bool {
        switch comparison {
        case .isNull: return cell.kind == .null
        case .isNotNull: return cell.kind != .null
        case .is: return cell.kind == .null || value.kind == .null ? cell.kind == value.kind : cell.compare(value) == 0
        case .isNot:
            return cell.kind == .null || value.kind == .null ? cell.kind != value.kind : cell.compare(value) != 0
        case .like: return cell.kind != .text || startsIgnoringCase(cell.bytes)
        case .glob: return cell.kind != .text || cell.bytes.starts(with: value.bytes)
        default:
            if cell.kind == .null || value.kind == .null { return false }
            return comparison.holds(cell.compare(value))
        }
    }

    /// Whether a text starts with the value, except for the case of ASCII letters.
    private func startsIgnoringCase(_ text: ByteView) -> Bool {
        guard text.count >= value.bytes.count else { return false }
        for index in 0..<value.bytes.count {
            var (left, right) = unsafe (text.pointer[index], value.bytes.pointer[index])
            if (0x41...0x5A).contains(left) { left += 0x20 }
            if (0x41...0x5A).contains(right) { right += 0x20 }
            if left != right { return false }
        }
        return true
    }
}
