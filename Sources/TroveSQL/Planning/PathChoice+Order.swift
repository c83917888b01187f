// The choice whether the rows of a path are in the order of a statement.

import Trove

extension SQLTable {
    /// Whether the values of a condition have a single rank in the order of a path, whatever the run's values.
    private func isCertain(_ part: ScanPlan.Part, _ component: TablePath.Component) -> Bool {
        guard let column = component.column else { return false }
        let comparison = columns[column].comparison
        switch part {
        case .point(let bound):
            // NaN and nil are both NULL.
            if comparison == .real, bound.comparison != .equal { return false }
            return bound.isOmitted
        case .list:
            if case .wide = comparison { return false }
            return !comparison.isText
        case .range: return true
        }
    }

    /// Notes in a plan that its rows are in the order of a statement, if they are.
    func consumeOrder(
        _ request: PlanRequest, _ path: TablePath, fixed: Set<Int>, hasList: Bool, _ choice: inout PathChoice
    ) {
        guard !request.order.isEmpty, connection.options.consumesOrder else { return }
        if choice.plan.isUnique {
            choice.plan.consumesOrder = true
            return
        }
        // The entries of several elements lead to a record repeatedly: its first entry has all of its rows.
        if !kind.isOfRecords, path.index != nil, !choice.plan.beginsWithPoint { return }
        // The scan of an index of elements can become one of all records, which have another order.
        guard kind.isOfRecords || path.index == nil || connection.options.guardsOrder else { return }
        guard connection.options.guardsOrder || zip(choice.plan.parts, path.components).allSatisfy(isCertain) else {
            return
        }
        var terms = request.order.filter { !fixed.contains($0.column) }
        var direction: Bool?
        var guarded: Int?
        var isFirst = true
        var needsWholeEntries = false
        for (ordinal, component) in path.components.enumerated() {
            if terms.isEmpty { break }
            guard let column = component.column else { return }
            if ordinal < path.propertyCount, [.string, .data].contains(component.step.kind) {
                guard connection.options.guardsOrder else { return }
                needsWholeEntries = true
            }
            if fixed.contains(column) { continue }
            guard component.step.kind.sortsAsSQL else { return }
            if component.step.kind.needsOrderGuard {
                guard isFirst, !hasList, path.totals == nil, connection.options.guardsOrder else { return }
                guarded = ordinal
            }
            isFirst = false
            if request.isGrouping {
                guard terms.contains(where: { $0.column == column }) else { return }
                direction = false
            } else {
                let isReversed = terms[0].isDescending != component.isDescending
                guard terms[0].column == column, direction == nil || direction == isReversed else { return }
                direction = isReversed
            }
            terms.removeAll { $0.column == column }
        }
        guard terms.isEmpty else { return }
        choice.plan.guardedComponent = guarded
        choice.plan.needsWholeEntries = needsWholeEntries
        choice.plan.consumesOrder = true
        choice.plan.isDescending = direction ?? false
    }
}
