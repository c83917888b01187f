// From a filter and an order to ranges of a table: equality on the leading components, then one range on the next.
//
//     key (lastName, firstName)
//     lastName == "Dallas" and age > 3             one range; age is left over
//     lastName within […] and firstName < "Ruby"   a range for each last name
//     lastName == "Dallas" or lastName > "X"       two ranges: both speak of one component
//     (lastName == "A" and age > 3) or lastName == "B"    two ranges; the whole filter is left over

import TroveCoding

struct Planner {
    let filter: FilterTree
    let order: [QueryPlan.SortOrder]
    /// The order of keys that is wanted where no other is.
    let keyOrder: KeyOrder

    /// The most ranges that several components together may make.
    private static let rangeLimit = 10_000

    /// How to run the query over a table; nil for a secondary one that is of no use to it.
    func plan(over table: CandidateTable, in type: String) -> QueryPlan? {
        var access = Self.access(filter.conjuncts, table)
        let walk = walk(over: table)
        var ranges = access.ranges
        if table.kind != .records {
            guard !access.used.isEmpty || !order.isEmpty && walk != nil, hasAll(table) else { return nil }
            if order.isEmpty, keyOrder == .descending, walk == nil { return nil }
            if ranges.contains(where: \.isBeyondHeads) {
                ranges = KeyRange.united(ranges.map(\.overHeads))
                access.rest = filter.conjuncts
            }
        }
        let known = table.isUnique ? table.propertyCount : table.components.count
        return QueryPlan(
            type: type, table: table, ranges: ranges, keyRanges: [.all], usedFilters: access.used,
            filter: access.rest.count == 1 ? access.rest[0] : .and(access.rest), walk: walk ?? .ascending, order: order,
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

    // MARK: Ranges

    private struct Access {
        var ranges: [KeyRange]
        var used: [FilterTree] = []
        var rest: [FilterTree]
        /// How many leading components have one value.
        var fixedCount = 0
        var share = 1.0
    }

    /// The ranges in which all lies that matches some filters, and those which the ranges do not replace.
    private static func access(_ filters: [FilterTree], _ table: CandidateTable) -> Access {
        var access = Access(ranges: [.all], rest: filters)
        var prefixes: [[UInt8]] = [[]]
        for component in table.components {
            let bounds = access.rest.compactMap { $0.bounds(on: component) }
            guard var admitted = bounds.first.map({ bounds.dropFirst().reduce($0) { $0.intersection($1) } }),
                prefixes.count * admitted.parts.count <= rangeLimit || prefixes.count == 1
            else { break }
            if component.isDescending { admitted = admitted.descending() }
            access.used += access.rest.filter { $0.bounds(on: component) != nil }
            access.rest.removeAll { $0.bounds(on: component) != nil }
            guard let values = admitted.values else {
                access.ranges = prefixes.flatMap { prefix in admitted.parts.map { $0.range.behind(prefix) } }
                access.share *= 0.1
                return access
            }
            prefixes = prefixes.flatMap { prefix in values.map { prefix + $0 } }
            access.ranges = prefixes.map(KeyRange.init(prefix:))
            access.share *= min(1, 0.01 * Double(values.count))
            if prefixes.count <= 1 { access.fixedCount += 1 }
        }
        if access.used.isEmpty { uniteBranches(&access, table) }
        return access
    }

    /// Where each branch of an `or` has ranges, they are united.
    private static func uniteBranches(_ access: inout Access, _ table: CandidateTable) {
        for (index, filter) in access.rest.enumerated() {
            guard case .or(let branches) = filter else { continue }
            let parts = branches.map { Self.access($0.conjuncts, table) }
            guard parts.allSatisfy({ !$0.used.isEmpty }) else { continue }
            access.ranges = KeyRange.united(parts.flatMap(\.ranges))
            access.share = min(1, parts.reduce(0) { $0 + $1.share })
            access.used = parts.map { $0.used.count == 1 ? $0.used[0] : .and($0.used) }
            if access.used.count > 1 { access.used = [.or(access.used)] }
            if parts.allSatisfy({ $0.rest.isEmpty }) { access.rest.remove(at: index) }
            return
        }
    }

    // MARK: Order

    /// How a table is walked to give the order; nil where no way of walking it does.
    private func walk(over table: CandidateTable) -> Walk? {
        if order.isEmpty {
            let isByKey = table.components.prefix(table.propertyCount).allSatisfy(isFixed)
            return keyOrder == .ascending || isByKey ? Walk(keyOrder) : nil
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

extension KeyRange {
    /// The range of keys that begin with some bytes, and go on with what lies in this range.
    func behind(_ prefix: [UInt8]) -> KeyRange {
        KeyRange(lower: prefix + lower, upper: upper.map { prefix + $0 } ?? Self.successor(of: prefix))
    }

    /// Whether a bound has more bytes than the rows of long entries have of them.
    var isBeyondHeads: Bool {
        lower.count > EntryList.headSize || (upper?.count ?? 0) > EntryList.headSize
    }

    /// The range with all rows of long entries that may belong to it.
    var overHeads: KeyRange {
        let size = EntryList.headSize
        return KeyRange(
            lower: Array(lower.prefix(size)),
            upper: upper.flatMap { $0.count > size ? Self.successor(of: Array($0.prefix(size))) : $0 })
    }
}
