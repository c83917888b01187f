// The choice of an access path for the constraints that SQLite offers (`xBestIndex`).

import CSQLite
import LMDB
import Trove
import TroveCoding

/// A constraint that SQLite offers.
struct OfferedConstraint {
    let number: Int
    /// The column; negative for none.
    let column: Int
    let comparison: Comparison
    /// Whether the comparison is of bytes. `LIKE` brings constraints of another collation.
    let isBinary: Bool
    /// Whether all values of an `IN` can be passed at once.
    let isList: Bool
    /// The type of the other side where it is a literal; nil where it is known in the run only.
    let literal: Cell.Kind?
    /// The bytes of the column as a key component that can fulfill the comparison with a literal; nil if they are not
    /// known, or not needed.
    let literalRanges: [KeyRange]?
}

/// A `MATCH` that SQLite offers.
struct OfferedMatch {
    let number: Int
    /// The column in which the words are searched; nil for all.
    let column: Int?
}

/// A term of an order.
struct OrderTerm {
    let column: Int
    let isDescending: Bool
}

/// The question of SQLite for a plan.
struct PlanRequest {
    var constraints: [OfferedConstraint] = []
    var matches: [OfferedMatch] = []
    /// Whether the other side of a `MATCH` is not known in the plan that SQLite tries.
    var hasUnusableMatch = false
    /// Whether there are conditions beside `MATCH`.
    var hasOtherConditions = false
    /// Whether SQLite tests rows for conditions that are not among the constraints.
    var hasOtherTests = false
    /// The constraints with the number of rows that are wanted, and left out; nil if SQLite does not offer them.
    var limit: Int?
    var offset: Int?
    /// The number of rows that are wanted; nil if it is known in the run only.
    var limitRows: Double?
    var order: [OrderTerm] = []
    /// Whether rows may come in any order that has equal values of the terms side by side.
    var isGrouping = false
    /// Whether a row may be left out if another has the same values in all used columns.
    var isDistinct = false
    /// The used columns, as bits. The last bit is that of all columns from 63 on.
    var usedColumns: UInt64 = .max
}

/// An answer to SQLite.
struct PathChoice {
    var plan: ScanPlan
    /// The constraints whose other sides are the arguments, in order.
    var arguments: [Int] = []
    /// The constraints that SQLite need not test.
    var omitted: Set<Int> = []
    /// The constraints whose values are passed all at once.
    var lists: Set<Int> = []
    var cost = 0.0
    var rows = 1.0
    /// The cost with the rows that SQLite would sort.
    var sortedCost = 0.0
}

extension SQLTable {
    /// The cost to begin a scan, in records: a cursor is set, and a key is looked up.
    private static let runCost = 16.0
    /// The estimated parts of the entries in a range with one bound, and with two. An entry whose record is looked up
    /// costs four records of a scan: so a range of an index is cheaper than a scan by these estimates. If most records
    /// are in it, the statement takes up to four times as long. If few are, a scan would take a thousand times as long.
    private static let oneBound = 1.0 / 8
    private static let twoBounds = 1.0 / 16
    /// The costs of a group of totals, and of a row that is only counted, in records of a scan.
    private static let groupCost = 2.0
    private static let countedCost = 0.1

    /// Returns the plan with the least cost.
    ///
    /// - Throws: `StoreError` for a `MATCH` without a full-text index.
    func choice(for request: PlanRequest) throws -> PathChoice {
        request.matches.isEmpty ? recordChoice(for: request) : try textChoice(for: request)
    }

    /// Returns the plan with the least cost, without searches for words.
    func recordChoice(for request: PlanRequest) -> PathChoice {
        let options = connection.options
        // A statement keeps its plan while the table grows.
        let count = max(1_000, connection.count(of: self))
        if kind.isOfRecords,
            let key = request.constraints.first(where: {
                $0.column == keyColumn && $0.comparison == .equal && !$0.isList
            })
        {
            var plan = ScanPlan(path: 0, keyArgument: 0, isUnique: true)
            plan.consumesOrder = !request.order.isEmpty
            return PathChoice(
                plan: plan, arguments: [key.number], cost: Self.runCost, rows: 1, sortedCost: Self.runCost)
        }
        var best: PathChoice?
        for number in paths.indices {
            if let forced = options.forcedPath, forced != paths[number].name, hasPath(forced) { continue }
            guard let candidate = candidate(number, request, count: Double(count)) else { continue }
            if best.map({ candidate.sortedCost < $0.sortedCost }) ?? true { best = candidate }
        }
        return best ?? candidate(0, request, count: Double(count)) ?? PathChoice(plan: ScanPlan(path: 0))
    }

    private func hasPath(_ name: String) -> Bool { paths.contains { $0.name == name } }

    /// Returns whether the used columns can be read from the entries of a path.
    private func covers(_ path: TablePath, _ used: UInt64) -> Bool {
        for column in 0...keyColumn {
            let isUsed = used & (1 << UInt64(min(column, 63))) != 0
            if isUsed, !path.has(column) { return false }
        }
        return true
    }

    private func candidate(_ number: Int, _ request: PlanRequest, count: Double) -> PathChoice? {
        let path = paths[number]
        let isPartial = path.index?.conditions.isEmpty == false
        guard implies(request.constraints, path) else { return nil }
        if path.totals != nil {
            guard connection.options.guardsOrder, covers(path, request.usedColumns) else { return nil }
        }
        let count = isPartial ? min(count, Double(max(100, connection.count(of: path)))) : count
        var choice = PathChoice(plan: ScanPlan(path: number))
        var used: Set<Int> = []
        var fixed: Set<Int> = []
        var rows = count
        var nonNull: Set<Int> = []
        var points = 0
        var hasList = false
        func bound(_ constraint: OfferedConstraint) -> ScanPlan.Bound {
            used.insert(constraint.number)
            choice.arguments.append(constraint.number)
            let isOmitted = isExact(constraint)
            if isOmitted { choice.omitted.insert(constraint.number) }
            let bound = ScanPlan.Bound(
                comparison: constraint.comparison, argument: choice.arguments.count - 1, isOmitted: isOmitted)
            if isOmitted {
                choice.plan.boundTests.append(ScanPlan.Test(column: constraint.column, bound: bound))
            }
            return bound
        }
        loop: for component in path.components {
            guard let column = component.column, columns[column].comparison != .none else { break }
            let offered = request.constraints.filter { constraint in
                constraint.column == column && !used.contains(constraint.number)
                    && (constraint.isBinary || !columns[column].comparison.isText)
            }
            let equal = offered.first { [.equal, .is, .isNull].contains($0.comparison) && !$0.isList }
            if let equal {
                choice.plan.parts.append(.point(bound(equal)))
                fixed.insert(column)
                points += 1
                if equal.comparison == .equal { nonNull.insert(column) }
                continue
            }
            if !hasList, let list = offered.first(where: { $0.comparison == .equal && $0.isList }) {
                used.insert(list.number)
                choice.arguments.append(list.number)
                choice.lists.insert(list.number)
                choice.plan.parts.append(.list(argument: choice.arguments.count - 1))
                hasList = true
                nonNull.insert(column)
                continue
            }
            let ranges = offered.filter { constraint in
                constraint.comparison.isOfOrder || constraint.comparison == .isNotNull
                    || constraint.comparison == .glob && component.step.kind == .string
            }
            guard !ranges.isEmpty else { break loop }
            choice.plan.parts.append(.range(ranges.map(bound)))
            nonNull.insert(column)
            rows *= ranges.count > 1 || ranges.contains { $0.comparison == .glob } ? Self.twoBounds : Self.oneBound
            break loop
        }
        if path.index?.omitsNil == true,
            path.components.prefix(path.propertyCount).contains(where: { component in
                component.column.map { !columns[$0].isNeverNull && !nonNull.contains($0) } ?? true
            })
        {
            return nil
        }
        // Without a condition on the elements, the entries of their index are more than the records.
        if !kind.isOfRecords, path.index != nil {
            switch choice.plan.parts.first {
            case .point(let bound): guard bound.comparison == .equal else { return nil }
            case .list, .range: break
            case nil: return nil
            }
        }
        // A record has one key; a unique index has one entry for its values.
        let whole =
            !kind.isOfRecords
            ? .max : path.isRecords ? path.components.count : path.index?.isUnique == true ? path.propertyCount : .max
        let fixedCount = points + (hasList ? 1 : 0)
        if fixedCount > 0 {
            let isWhole = fixedCount >= whole
            let group =
                isWhole
                ? 1
                : path.totals == nil ? meanGroup(path, fixedCount, count) : count * share(path, fixedCount)
            // The values of a list: 10, or fewer records.
            rows = min(count, group * (hasList ? 10 : 1)) * (rows / max(1, count))
            choice.plan.isUnique =
                isWhole && !hasList
                && choice.plan.parts.allSatisfy { part in
                    if case .point(let bound) = part { bound.comparison == .equal && bound.isOmitted } else { false }
                }
        }
        addTests(request, used, &choice)
        choice.plan.isCovering = !path.isRecords && kind.canBeCovered && covers(path, request.usedColumns)
        consumeOrder(request, path, fixed: fixed, hasList: hasList, &choice)
        if number != 0, !isPartial, choice.plan.parts.isEmpty, !choice.plan.isCovering, !choice.plan.consumesOrder,
            connection.options.forcedPath == nil
        {
            return nil
        }
        rows = max(1, rows)
        choice.plan.isCount =
            kind.isOfRecords && path.isRecords && request.usedColumns == 0 && choice.plan.parts.isEmpty
            && choice.plan.tests.isEmpty
        let read = countRows(request, path, rows: rows, &choice)
        if path.totals != nil {
            choice.plan.isDistinct = request.isDistinct
            let groups = rows / count * Double(connection.count(of: path))
            rows = choice.plan.isDistinct ? max(1, groups) : rows
            choice.cost = groups * Self.groupCost + rows * Self.countedCost + Self.runCost
        } else {
            let each = path.isRecords || path.order == .records ? 1 : choice.plan.isCovering ? 0.7 : 4
            choice.cost = choice.plan.isCount ? read * Self.countedCost : read * each + Self.runCost
            if choice.plan.isCountedFirst { choice.cost = rows * Self.countedCost + 2 * Self.runCost }
        }
        for test in choice.plan.tests { rows *= test.bound.comparison == .equal ? 0.25 : 0.5 }
        choice.rows = max(1, rows)
        let isSorted = request.order.isEmpty || choice.plan.consumesOrder
        choice.sortedCost = choice.cost + (isSorted ? 0 : 2 * choice.rows)
        return choice
    }

    /// Returns whether constraints with literals imply the condition of an index: each record that fulfills them has
    /// entries.
    private func implies(_ constraints: [OfferedConstraint], _ path: TablePath) -> Bool {
        (path.index?.conditions ?? []).allSatisfy { condition in
            constraints.contains { constraint in
                constraint.column < keyColumn && columns[constraint.column].property == condition.property
                    && constraint.literalRanges?.allSatisfy { range in
                        condition.ranges.contains { $0.contains(range) }
                    } == true
            }
        }
    }

    /// Returns the estimated part of the records that are in the groups with equal first components.
    private func share(_ path: TablePath, _ components: Int) -> Double {
        components < path.components.count ? 0.1 : 1 / Double(max(1, connection.count(of: path)))
    }

    private func meanGroup(_ path: TablePath, _ components: Int, _ count: Double) -> Double {
        guard let run = connection.run else { return max(1, count / 10) }
        return path.meanGroup(components, of: Int(count), run.core, RowScanner())
    }

    /// Whether a range or a test is exactly the comparison of SQLite, whatever the value in the run.
    private func isExact(_ constraint: OfferedConstraint) -> Bool {
        if [.isNull, .isNotNull].contains(constraint.comparison) {
            return columns[constraint.column].comparison != .none
        }
        guard constraint.comparison != .glob, constraint.comparison != .like else { return false }
        return switch columns[constraint.column].comparison {
        case .integer, .real, .blob: true
        // A number on the other side is text or a number there, by the affinity of its expression.
        case .text, .uuid, .date: constraint.isBinary && (constraint.literal == .text || constraint.literal == .blob)
        case .wide, .none: false
        }
    }

    func addTests(_ request: PlanRequest, _ used: Set<Int>, _ choice: inout PathChoice) {
        guard connection.options.testsInScan else { return }
        for constraint in request.constraints where !used.contains(constraint.number) && !constraint.isList {
            guard constraint.column >= 0, constraint.column < keyColumn else { continue }
            let comparison = columns[constraint.column].comparison
            guard comparison != .none || [.isNull, .isNotNull].contains(constraint.comparison) else { continue }
            switch constraint.comparison {
            case .like, .glob:
                guard columns[constraint.column].step.kind == .string else { continue }
            case .equal, .notEqual, .less, .atMost, .greater, .atLeast, .is, .isNot:
                if case .wide = comparison { continue }
                if comparison.isText, !constraint.isBinary { continue }
            case .isNull, .isNotNull: break
            case .match, .regexp, .limit, .offset: continue
            }
            choice.arguments.append(constraint.number)
            let isOmitted = isExact(constraint) && choice.arguments.count <= 16
            if isOmitted { choice.omitted.insert(constraint.number) }
            choice.plan.tests.append(
                ScanPlan.Test(
                    column: constraint.column,
                    bound: ScanPlan.Bound(
                        comparison: constraint.comparison, argument: choice.arguments.count - 1, isOmitted: isOmitted)))
        }
    }
}
