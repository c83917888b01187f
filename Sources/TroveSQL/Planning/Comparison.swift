// The comparisons that SQLite offers to a virtual table.

/// A comparison of a column, by SQLite's number.
enum Comparison: UInt8 {
    case equal = 2, greater = 4, atMost = 8, less = 16, atLeast = 32
    case match = 64, like = 65, glob = 66, regexp = 67
    case notEqual = 68, isNot = 69, isNotNull = 70, isNull = 71, `is` = 72
    case limit = 73, offset = 74

    /// The operator in plans.
    var text: String {
        switch self {
        case .equal: "="
        case .greater: ">"
        case .atMost: "<="
        case .less: "<"
        case .atLeast: ">="
        case .match: "MATCH"
        case .like: "LIKE"
        case .glob: "GLOB"
        case .regexp: "REGEXP"
        case .notEqual: "<>"
        case .isNot: "IS NOT"
        case .isNotNull: "IS NOT NULL"
        case .isNull: "IS NULL"
        case .is: "IS"
        case .limit: "LIMIT"
        case .offset: "OFFSET"
        }
    }

    /// Whether the comparison is of the order of values.
    var isOfOrder: Bool {
        switch self {
        case .greater, .atMost, .less, .atLeast: true
        default: false
        }
    }

    /// Whether the comparison is true for a value that compares so with the other side.
    @inline(__always)
    func holds(_ order: Int) -> Bool {
        switch self {
        case .equal, .is: order == 0
        case .notEqual, .isNot: order != 0
        case .less: order < 0
        case .atMost: order <= 0
        case .greater: order > 0
        case .atLeast: order >= 0
        default: false
        }
    }
}
