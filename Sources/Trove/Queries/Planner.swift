// From a filter and an order to the ways of running a query: over which tables, and in which direction.

import TroveCoding

struct Planner {
    let filter: FilterTree
    let order: [QueryPlan.SortOrder]
    /// The order of keys that is wanted where no other is.
    let keyOrder: KeyOrder?

    /// How to run the query over a table; nil for a secondary one that is of no use to it.
    func plan(over table: CandidateTable, in type: String) -> QueryPlan? {
        var access = Access(filter.conjuncts, table)
        if table.kind != .records, access.used.isEmpty, order.isEmpty { return nil }
        let walk = walk(over: table)
        var ranges = access.ranges
        if table.kind != .records {
            guard !access.used.isEmpty || walk != nil, hasAll(table) else { return nil }
            if order.isEmpty, walk == nil { return nil }
            if ranges.contains(where: \.isBeyondHeads) {
                ranges = KeyRange.united(ranges.map(\.overHeads))
                access.rest = Array(filter.conjuncts.indices)
            }
        }
        let known = table.isUnique ? table.propertyCount : table.components.count
        return QueryPlan(
            type: type, table: table, ranges: ranges, keyRanges: [.all], usedFilters: access.used,
            filter: filter.parts(access.rest), rest: access.rest, walk: walk ?? .ascending, order: order,
            sorts: walk == nil && !order.isEmpty, limit: nil, offset: 0, share: access.share,
            isSingle: ranges.count <= 1 && access.fixedCount >= known)
    }

    /// Whether a table has an entry for each record that matches. Where a unique property is nil, there is none; nor
    /// where a condition does not hold.
    private func hasAll(_ table: CandidateTable) -> Bool {
        if let condition = table.condition {
            guard let condition = condition(), condition.conjuncts.allSatisfy(isImplied) else { return false }
        }
        guard table.isUnique else { return true }
        return table.components.prefix(table.propertyCount).allSatisfy { component in
            !component.isOptional
                || admitted(component.property, as: component.form).map { !$0.containsNil } ?? false
        }
    }

    /// Whether the filter matches nothing that a part of a table's condition does not match.
    private func isImplied(_ part: FilterTree) -> Bool {
        guard case .condition(let condition) = part else { return false }
        let form: TableComponent.Form = condition.field == nil ? .key : .field(isOptional: false)
        guard let needed = part.bounds(on: condition.property, as: form),
            let admitted = admitted(condition.property, as: form)
        else { return false }
        return admitted.intersection(needed.complement()).parts.isEmpty
    }

    /// What the parts of the filter that speak of a property alone admit of it.
    private func admitted(_ property: StoredProperty?, as form: TableComponent.Form) -> KeyBounds? {
        let bounds = filter.conjuncts.compactMap { $0.bounds(on: property, as: form) }
        return bounds.first.map { bounds.dropFirst().reduce($0) { $0.intersection($1) } }
    }

    // MARK: Order

    /// How a table is walked to give the order; nil where no way of walking it does.
    func walk(over table: CandidateTable) -> Walk? {
        if order.isEmpty {
            guard let keyOrder else { return .ascending }
            return table.components.prefix(table.propertyCount).allSatisfy(isFixed) ? Walk(keyOrder) : nil
        }
        let components = table.components
        var wanted = order[...]
        var position = 0
        var descending = 0
        var ascends = false
        while true {
            wanted = wanted.drop { isFixed($0) }
            while position < components.count, isFixed(position, of: components) { position += 1 }
            guard let next = wanted.popFirst(), position < components.count else { break }
            guard next.property == components[position].property else { return nil }
            let goesDown = next.isDescending != components[position].isDescending
            position += 1
            if !goesDown {
                ascends = true
            } else if ascends {
                return nil
            } else {
                descending = position
            }
        }
        // What is equal in all of the order comes by its key.
        guard position >= table.propertyCount else { return nil }
        guard descending > 0 else { return .ascending }
        let isWhole = (descending..<components.count).allSatisfy { isFixed($0, of: components) }
        return isWhole ? .descending : .groups(components: descending)
    }

    /// Whether a component has one value, given those before it.
    private func isFixed(_ index: Int, of components: [TableComponent]) -> Bool {
        let property = components[index].property
        return isFixed(components[index])
            || property != nil && components[..<index].contains { $0.property == property && $0.form == .key }
    }

    private func isFixed(_ next: QueryPlan.SortOrder) -> Bool {
        filter.conjuncts.contains { $0.value(of: next.property) != nil }
    }

    private func isFixed(_ component: TableComponent) -> Bool { fixedValue(of: component) != nil }

    /// The bytes of a component, where the filter leaves it one value alone.
    func fixedValue(of component: TableComponent) -> [UInt8]? {
        for filter in filter.conjuncts {
            guard let value = filter.value(of: component.property, as: component.form) else { continue }
            return component.isDescending ? value.map { ~$0 } : value
        }
        return nil
    }
}
