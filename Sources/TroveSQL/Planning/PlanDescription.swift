// Plans as text.

extension SQLTable {
    /// Returns a plan in words, for `EXPLAIN QUERY PLAN`.
    func description(of plan: ScanPlan) -> String {
        if plan.isCount { return "count of the records" + (plan.offset == nil ? "" : ", after the offset") }
        let matches = plan.text?.matches.map { match in "\(match.property ?? name) MATCH ?" } ?? []
        let path = paths[plan.path]
        var conditions: [String] = []
        for (part, component) in zip(plan.parts, path.components) {
            let column = component.column.map { columns[$0].name } ?? "?"
            switch part {
            case .point(let bound): conditions.append(bound.text(of: column))
            case .list: conditions.append("\(column) IN (?)")
            case .range(let bounds): conditions += bounds.map { $0.text(of: column) }
            }
        }
        if plan.keyArgument != nil { conditions.append("\(keyName)=?") }
        var text = path.isRecords ? "key" : path.name
        if plan.isCovering { text = (plan.isCountedFirst ? "count of " : "covering ") + text }
        if conditions.isEmpty {
            text = path.isRecords ? "all records" : "all of \(text)"
        } else {
            text += " (" + conditions.joined(separator: " AND ") + ")"
        }
        if plan.isDescending { text += ", descending" }
        if plan.isDistinct { text += ", a row for each group" }
        if plan.offset != nil { text += ", after the offset" + (plan.skipsByCounts(path) ? " by counts" : "") }
        var tests = plan.tests.map { $0.bound.text(of: columns[$0.column].name) }
        if plan.text?.isSource == true {
            text = "full text (" + matches.joined(separator: " AND ") + ")"
            if plan.consumesOrder { text += ", best first" }
        } else {
            tests += matches
        }
        return tests.isEmpty ? text : text + ", tested: " + tests.joined(separator: " AND ")
    }
}

extension ScanPlan.Bound {
    fileprivate func text(of column: String) -> String {
        switch comparison {
        case .isNull, .isNotNull: "\(column) \(comparison.text)"
        case .is, .isNot, .like, .glob: "\(column) \(comparison.text) ?"
        default: "\(column)\(comparison.text)?"
        }
    }
}
