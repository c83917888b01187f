// The choice of what is counted instead of read: the rows of an OFFSET, and rows of which no column is used.

import Trove

extension SQLTable {
    /// The records that a page is expected to have, where its statement does not say so.
    private static let pageRows = 100.0

    /// Notes in a plan which rows are counted only. Returns the number of rows that are expected to be read.
    ///
    /// - Parameters:
    ///   - rows: The number of rows in the ranges of the plan.
    func countRows(_ request: PlanRequest, _ path: TablePath, rows: Double, _ choice: inout PathChoice) -> Double {
        guard kind.isOfRecords, request.matches.isEmpty, !request.hasOtherTests,
            request.constraints.allSatisfy({ choice.omitted.contains($0.number) }),
            request.order.isEmpty || choice.plan.consumesOrder
        else { return rows }
        // Each comparison of the statement is a constraint of this scan.
        if let offset = request.offset, request.constraints.count == connection.comparisonCount {
            choice.arguments.append(offset)
            choice.omitted.insert(offset)
            choice.plan.offset = choice.arguments.count - 1
        }
        guard request.limit == nil else {
            let isReached = choice.plan.offset != nil && (choice.plan.isCount || choice.plan.skipsByCounts(path))
            guard request.offset == nil || isReached, choice.plan.tests.isEmpty else { return rows }
            return min(rows, request.limitRows ?? Self.pageRows)
        }
        // A statement with an order or a limit reads columns.
        choice.plan.isCountedFirst =
            request.order.isEmpty && path.index?.ranks != nil && !choice.plan.parts.isEmpty
            && choice.plan.tests.isEmpty && uses(request.usedColumns, only: choice.plan.parts.count, of: path)
        return rows
    }

    /// Returns whether only columns are used that are among the first components of a path.
    private func uses(_ used: UInt64, only count: Int, of path: TablePath) -> Bool {
        let columns = Set(path.components.prefix(count).compactMap(\.column))
        return (0...keyColumn + hiddenNames.count).allSatisfy { column in
            columns.contains(column) || used & (1 << UInt64(min(column, 63))) == 0
        }
    }
}

extension ScanPlan {
    /// Whether the counts of a ranked index find the first row after an offset.
    func skipsByCounts(_ path: TablePath) -> Bool {
        offset != nil && tests.isEmpty && text == nil && path.index?.ranks != nil
    }
}
