// The question of SQLite for a plan, read from its struct.

import CSQLite
import TroveCoding

extension PlanRequest {
    /// Reads the question of SQLite.
    @unsafe init(_ info: UnsafeMutablePointer<sqlite3_index_info>, of table: SQLTable) {
        // SQLite leaves out the key of a row to change.
        if !table.connection.options.mayWrite { usedColumns = unsafe info.pointee.colUsed }
        for number in 0..<Int(unsafe info.pointee.nConstraint) {
            let constraint = unsafe info.pointee.aConstraint[number]
            guard let comparison = Comparison(rawValue: constraint.op) else {
                hasOtherTests = true
                continue
            }
            let column = Int(constraint.iColumn)
            let isList =
                comparison == .equal && constraint.usable != 0
                ? unsafe sqlite3_vtab_in(info, Int32(number), -1) != 0 : false
            if let match = table.match(comparison, column) {
                if constraint.usable == 0 || isList { hasUnusableMatch = true }
                matches.append(OfferedMatch(number: number, column: match))
                continue
            }
            let isPage = comparison == .limit || comparison == .offset
            guard constraint.usable != 0 else {
                if !isPage { hasOtherTests = true }
                continue
            }
            switch comparison {
            case .limit:
                limit = number
                limitRows = unsafe Self.number(info, number)
            case .offset: offset = number
            default:
                hasOtherConditions = true
                guard column >= 0, column <= table.keyColumn else {
                    hasOtherTests = true
                    continue
                }
                var value: OpaquePointer?
                let code = unsafe sqlite3_vtab_rhs_value(info, Int32(number), &value)
                let literal = unsafe code == SQLITE_OK && value != nil ? Cell(argument: value).kind : nil
                let collation = unsafe sqlite3_vtab_collation(info, Int32(number)).map { unsafe String(cString: $0) }
                let isBinary = collation?.asciiLowercased == "binary"
                constraints.append(
                    OfferedConstraint(
                        number: number, column: column, comparison: comparison,
                        isBinary: isBinary, isList: isList, literal: literal,
                        literalRanges: isList
                            ? nil
                            : unsafe table.literalRanges(of: column, comparison, literal == nil ? nil : value, isBinary)
                    ))
            }
        }
        for term in 0..<Int(unsafe info.pointee.nOrderBy) {
            let term = unsafe info.pointee.aOrderBy[term]
            order.append(OrderTerm(column: Int(term.iColumn), isDescending: term.desc != 0))
        }
        // A GROUP BY may also be the ORDER BY of the statement, which SQLite then leaves out.
        let distinct = unsafe sqlite3_vtab_distinct(info)
        isGrouping = distinct == 2
        isDistinct = distinct >= 2
    }

    /// Returns the other side of a constraint if it is a literal number.
    @unsafe private static func number(_ info: UnsafeMutablePointer<sqlite3_index_info>, _ constraint: Int) -> Double? {
        var value: OpaquePointer?
        guard unsafe sqlite3_vtab_rhs_value(info, Int32(constraint), &value) == SQLITE_OK, unsafe value != nil else {
            return nil
        }
        return unsafe sqlite3_value_double(value)
    }
}

extension SQLTable {
    /// Returns the bytes of a column as a key component that can fulfill a comparison with a literal; nil if they are
    /// not known, or no index has a condition on the column.
    @unsafe fileprivate func literalRanges(
        of column: Int, _ comparison: Comparison, _ value: OpaquePointer?, _ isBinary: Bool
    ) -> [KeyRange]? {
        // In a column without comparisons, SQL shows NULL for other values too: for NaN, and what only the type reads.
        guard column < keyColumn, kind.isOfRecords, columns[column].comparison != .none,
            stored.partialIndexes.contains(where: { index in
                index.conditions.contains { $0.property == columns[column].property }
            })
        else { return nil }
        let step = ValueStep(component: columns[column].type)
        guard step.mask == 0, isBinary || !columns[column].comparison.isText else { return nil }
        if [.isNull, .isNotNull].contains(comparison) { return step.ranges(comparison, Cell(.null))?.ranges }
        guard let value = unsafe value else { return nil }
        // The copy becomes a number, as the value does in a run.
        let copy = unsafe sqlite3_value_dup(value)
        defer { unsafe sqlite3_value_free(copy) }
        if columns[column].comparison.isNumeric, unsafe sqlite3_value_type(copy) == SQLITE_TEXT {
            _ = unsafe sqlite3_value_numeric_type(copy)
        }
        return unsafe step.ranges(comparison, Cell(argument: copy))?.ranges
    }
}

extension KeyRange {
    /// Returns whether the range has all bytes of another range.
    func contains(_ other: KeyRange) -> Bool {
        guard !other.lower.lexicographicallyPrecedes(lower) else { return false }
        guard let upper else { return true }
        guard let end = other.upper else { return false }
        return !upper.lexicographicallyPrecedes(end)
    }
}
