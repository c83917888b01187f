// The question of SQLite for a plan, read from its struct.

import CSQLite

extension PlanRequest {
    /// Reads the question of SQLite.
    @unsafe init(_ info: UnsafeMutablePointer<sqlite3_index_info>, of table: SQLTable) {
        // SQLite leaves out the key of a row to change.
        if !table.connection.options.mayWrite { usedColumns = unsafe info.pointee.colUsed }
        for number in 0..<Int(unsafe info.pointee.nConstraint) {
            let constraint = unsafe info.pointee.aConstraint[number]
            guard let comparison = Comparison(rawValue: constraint.op) else { continue }
            let column = Int(constraint.iColumn)
            let isList =
                comparison == .equal && constraint.usable != 0
                ? unsafe sqlite3_vtab_in(info, Int32(number), -1) != 0 : false
            if let match = table.match(comparison, column) {
                if constraint.usable == 0 || isList { hasUnusableMatch = true }
                matches.append(OfferedMatch(number: number, column: match))
                continue
            }
            guard constraint.usable != 0 else { continue }
            switch comparison {
            case .limit: limit = number
            case .offset: offset = number
            default:
                hasOtherConditions = true
                guard column >= 0, column <= table.keyColumn else { continue }
                var value: OpaquePointer?
                let code = unsafe sqlite3_vtab_rhs_value(info, Int32(number), &value)
                let literal = unsafe code == SQLITE_OK && value != nil ? Cell(argument: value).kind : nil
                let collation = unsafe sqlite3_vtab_collation(info, Int32(number)).map { unsafe String(cString: $0) }
                constraints.append(
                    OfferedConstraint(
                        number: number, column: column, comparison: comparison,
                        isBinary: collation?.asciiLowercased == "binary", isList: isList, literal: literal))
            }
        }
        for term in 0..<Int(unsafe info.pointee.nOrderBy) {
            let term = unsafe info.pointee.aOrderBy[term]
            order.append(OrderTerm(column: Int(term.iColumn), isDescending: term.desc != 0))
        }
        // A GROUP BY may also be the ORDER BY of the statement, which SQLite then leaves out.
        isGrouping = unsafe sqlite3_vtab_distinct(info) == 2
    }
}
