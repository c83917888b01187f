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

    func plan(over table: CandidateTable, in type: String) -> QueryPlan {
        let access = Self.access(filter.conjuncts, table)
        let walk = order.isEmpty ? Walk(keyOrder) : self.walk(over: table)
        return QueryPlan(
            type: type, table: table, ranges: access.ranges, usedFilters: access.used,
            filter: access.rest.count == 1 ? access.rest[0] : .and(access.rest), walk: walk ?? .ascending, order: order,
            sorts: walk == nil, limit: nil, offset: 0)
    }

    // MARK: Ranges

    private struct Access {
        var ranges: [KeyRange]
        var used: [FilterTree] = []
        var rest: [FilterTree]
    }

    /// The ranges in which all lies that matches some filters, and those which the ranges do not replace.
    private static func access(_ filters: [FilterTree], _ table: CandidateTable) -> Access {
        var access = Access(ranges: [.all], rest: filters)
        var prefixes: [[UInt8]] = [[]]
        for component in table.components {
            let bounds = access.rest.compactMap { $0.bounds(on: component) }
            guard let admitted = bounds.first.map({ bounds.dropFirst().reduce($0) { $0.intersection($1) } }),
                prefixes.count * admitted.parts.count <= rangeLimit || prefixes.count == 1
            else { break }
            access.used += access.rest.filter { $0.bounds(on: component) != nil }
            access.rest.removeAll { $0.bounds(on: component) != nil }
            guard let values = admitted.values else {
                access.ranges = prefixes.flatMap { prefix in admitted.parts.map { $0.range.behind(prefix) } }
                return access
            }
            prefixes = prefixes.flatMap { prefix in values.map { prefix + $0 } }
            access.ranges = prefixes.map(KeyRange.init(prefix:))
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
            access.used = parts.map { $0.used.count == 1 ? $0.used[0] : .and($0.used) }
            if access.used.count > 1 { access.used = [.or(access.used)] }
            if parts.allSatisfy({ $0.rest.isEmpty }) { access.rest.remove(at: index) }
            return
        }
    }

    // MARK: Order

    /// How the table is walked to give the order; nil where no way of walking it does.
    private func walk(over table: CandidateTable) -> Walk? {
        let components = table.components
        var wanted = order[...]
        var position = 0
        var descending = 0
        var ascends = false
        while true {
            wanted = wanted.drop { isFixed($0.property) }
            while position < components.count, isFixed(components[position]) { position += 1 }
            guard let next = wanted.popFirst(), position < components.count else { break }
            guard next.property == components[position] else { return nil }
            position += 1
            if !next.isDescending {
                ascends = true
            } else if ascends {
                return nil
            } else {
                descending = position
            }
        }
        guard descending > 0 else { return .ascending }
        let isWhole = table.isDistinct && components[descending...].allSatisfy(isFixed)
        return isWhole ? .descending : .groups(components: descending)
    }

    /// Whether the filter leaves a property one value alone.
    private func isFixed(_ property: StoredProperty) -> Bool {
        filter.conjuncts.contains { $0.bounds(on: property)?.values?.count == 1 }
    }
}

extension KeyRange {
    /// The range of keys that begin with some bytes, and go on with what lies in this range.
    func behind(_ prefix: [UInt8]) -> KeyRange {
        KeyRange(lower: prefix + lower, upper: upper.map { prefix + $0 } ?? Self.successor(of: prefix))
    }
}
