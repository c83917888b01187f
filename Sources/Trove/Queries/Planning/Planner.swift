// Plans a query: from a filter and an order to a plan for each access path, with its scan direction.

import LMDB
import TroveCoding

struct Planner {
    let filter: FilterTree
    /// The parts of the filter that must all match.
    let filters: [FilterTree]
    let order: [QueryPlan.SortOrder]
    /// The key order to use without a sort order; nil for any order.
    let keyOrder: KeyOrder?
    /// The filter to use on the elements of an index, by its position; nil if no such index is scanned.
    var elementFilter: Int?
    /// The bits of the properties in the filter and in the order.
    private let propertyBits: UInt64
    /// Whether another table decides a condition of the filter.
    let hasKeyConditions: Bool
    /// Whether a string is to be found in a property.
    let hasPatterns: Bool
    /// The required ranges of the records' keys.
    var keyRanges: [KeyRange] = .everything
    /// Conditions on components of the key with the meaning of `keyRanges`, for indexes; empty if there are none.
    var keyFilters: [FilterTree] = [] {
        didSet { known = keyFilters.isEmpty ? filters : filters + keyFilters }
    }
    /// The parts of the filter, then the conditions on the key.
    private var known: [FilterTree]
    var limit: Int?
    var offset = 0
    /// Whether the query begins after a record.
    var isContinued = false

    init(filter: FilterTree, order: [QueryPlan.SortOrder] = [], keyOrder: KeyOrder? = nil) {
        let filter = filter.isNormalized ? filter : filter.normalized
        self.filter = filter
        filters = filter.conjuncts
        known = filters
        self.order = order
        self.keyOrder = keyOrder
        hasKeyConditions = filter.hasKeyConditions
        hasPatterns = filter.hasPatterns
        propertyBits = order.reduce(filter.propertyBits) { $0 | $1.property.bit }
    }

    /// Returns the planner with equivalents of the parts of its filter.
    func replacing(_ filters: [FilterTree]) -> Planner {
        var planner = Planner(
            filter: filters.count == 1 ? filters[0] : .and(FilterParts(filters)), order: order, keyOrder: keyOrder)
        planner.elementFilter = elementFilter
        (planner.keyRanges, planner.limit, planner.offset) = (keyRanges, limit, offset)
        planner.keyFilters = keyFilters
        planner.isContinued = isContinued
        return planner
    }

    /// Whether the filter may name the first component of the key.
    var filtersKey: Bool { filter.propertyBits & StoredProperty.bit(at: .key(0)) != 0 }

    /// Adds the plans to run the query over an access path: none if the index does not help, several if an index of
    /// elements serves several filters.
    ///
    /// - Parameter records: The records' own table, to look up merged keys.
    func addPlans(over path: AccessPath, _ records: AccessPath, in type: String, to plans: inout [QueryPlan]) {
        guard let elements = path.elements else {
            if let plan = plan(over: path, in: type) { plans.append(plan) }
            return
        }
        for plan in self.plans(overElements: path.components[elements], of: path, in: type) {
            plans.append(plan.repeatsRecords ? union(of: plan, records) : plan)
        }
    }

    /// Returns the plans to run the query over an access path. The scan may find a record several times.
    func rawPlans(over path: AccessPath, in type: String) -> [QueryPlan] {
        guard let elements = path.elements else { return plan(over: path, in: type).map { [$0] } ?? [] }
        return plans(overElements: path.components[elements], of: path, in: type)
    }

    private func plans(
        overElements component: PathComponent, of index: AccessPath, in type: String
    ) -> [QueryPlan] {
        let places = filters.indices.filter { filters[$0].bounds(on: component) != nil }
        // Without such a filter, each branch of an `or` may have one.
        let choices: [Int?] = places.isEmpty ? [nil] : places
        return choices.compactMap { place in
            var planner = self
            planner.elementFilter = place
            return planner.plan(overIndex: index, in: type)
        }
    }

    /// Returns the plan to run the query over an access path; nil if the index does not help.
    private func plan(over path: AccessPath, in type: String) -> QueryPlan? {
        path.kind == .records ? plan(overRecords: path, in: type) : plan(overIndex: path, in: type)
    }

    /// Returns the plan to run the query over the records' own table.
    func plan(overRecords records: AccessPath, in type: String) -> QueryPlan {
        let access = IndexBounds(filters, records)
        var plan = plan(
            over: records, access: access, rest: access.rest, ranges: KeyRange.common(access.ranges, keyRanges),
            keyRanges: .everything, scanOrder: scanOrder(over: records), in: type)
        // The range of the keys makes the scan smaller, too.
        if !keyFilters.isEmpty { plan.share = IndexBounds(known, records).share }
        return plan
    }

    private func plan(overIndex index: AccessPath, in type: String) -> QueryPlan? {
        // An index gives neither ranges nor an order unless its first component is in the filter or in the order.
        if index.condition == nil {
            let bits = keyFilters.reduce(propertyBits) { $0 | $1.propertyBits }
            guard let first = index.components[0].property, first.bit & bits != 0 else { return nil }
        }
        let (access, keyRanges) = bounds(over: index)
        var rest = access.rest
        guard index.elements == nil || access.reachesElements else { return nil }
        let condition = index.condition?.filters
        if access.used.isEmpty, order.isEmpty, condition == nil { return nil }
        let scanOrder = scanOrder(over: index)
        guard hasAll(index, condition) else { return nil }
        var ranges = access.ranges
        let isBeyondHeads = ranges.contains(where: \.isBeyondHeads)
        if isBeyondHeads {
            ranges = KeyRange.united(ranges.map(\.overHeads))
            rest = Array(filters.indices)
        }
        // An index with a condition may be small.
        let isOfUse = !access.used.isEmpty || condition != nil || !order.isEmpty && scanOrder != nil
        guard isOfUse, scanOrder != nil || !order.isEmpty else { return nil }
        if let condition, index.condition?.isExact == true {
            rest.removeAll { Self.implies(condition, filters[$0]) }
        }
        var plan = plan(
            over: index, access: access, rest: rest, ranges: ranges,
            keyRanges: isBeyondHeads ? self.keyRanges : keyRanges, scanOrder: scanOrder, in: type)
        if index.elements != nil {
            plan.elementFilter = elementFilter
            // Several elements of a record may have the same head.
            plan.repeatsRecords = access.repeatsRecords || isBeyondHeads
        }
        return plan
    }

    /// Returns the bounds of the filter in an index, and the ranges of the keys that remain to be tested.
    private func bounds(over index: AccessPath) -> (IndexBounds, keyRanges: [KeyRange]) {
        var access = IndexBounds(known, index, elements: elementFilter)
        let usesKeys = !keyFilters.isEmpty && access.rest.allSatisfy(filters.indices.contains)
        access.rest.removeAll { !filters.indices.contains($0) }
        return (access, usesKeys ? .everything : keyRanges)
    }

    /// - Parameter rest: The remaining filters, by their positions.
    private func plan(
        over path: AccessPath, access: IndexBounds, rest: [Int], ranges: [KeyRange], keyRanges: [KeyRange],
        scanOrder: ScanOrder?, in type: String
    ) -> QueryPlan {
        let known = path.isUnique ? path.propertyCount : path.components.count
        return QueryPlan(
            type: type, path: path, ranges: ranges, keyRanges: keyRanges, usedFilters: access.used,
            filter: filter.parts(rest), rest: rest, scanOrder: scanOrder ?? .ascending, order: order,
            sorts: scanOrder == nil && !order.isEmpty, limit: limit, offset: offset, share: access.share,
            isSingle: access.ranges.count <= 1 && access.fixedCount >= known, isContinued: isContinued)
    }

    /// Returns whether an index has an entry for each matching record. A unique index has none for a nil property, and
    /// an index with a condition has none if the condition is false.
    ///
    /// - Parameter condition: The parts of the index's condition; nil if it has none, or if the condition is unknown.
    private func hasAll(_ index: AccessPath, _ condition: [FilterTree]?) -> Bool {
        if index.condition != nil {
            guard let condition, condition.allSatisfy({ Self.implies(known, $0) }) else { return false }
        }
        guard index.isUnique else { return true }
        return index.components.prefix(index.propertyCount).allSatisfy { component in
            guard let nilByte = component.nilByte else { return true }
            return Self.admitted(known, component.property, as: component.form)
                .map { bounds in !ByteView.with([nilByte]) { bounds.contains($0) } } ?? false
        }
    }

    /// Returns whether some filters together imply another filter on a single property.
    static func implies(_ filters: [FilterTree], _ other: FilterTree) -> Bool {
        guard let condition = other.firstCondition else { return false }
        let form: PathComponent.Form = condition.field == nil ? .key : .field(isOptional: false)
        guard let needed = other.bounds(on: condition.property, as: form),
            let admitted = admitted(filters, condition.property, as: form)
        else { return false }
        return admitted.intersection(needed.complement()).parts.isEmpty
    }

    /// Returns the byte ranges allowed for a property by the filters on it alone.
    private static func admitted(
        _ filters: [FilterTree], _ property: StoredProperty?, as form: PathComponent.Form
    ) -> ByteRanges? {
        ByteRanges.intersection(of: filters.compactMap { $0.bounds(on: property, as: form) })
    }

    // MARK: Order

    /// Returns the scan direction over an access path for the requested order; nil if there is none.
    func scanOrder(over path: AccessPath) -> ScanOrder? {
        if order.isEmpty {
            guard let keyOrder else { return .ascending }
            return path.components.prefix(path.propertyCount).allSatisfy(isFixed) ? ScanOrder(keyOrder) : nil
        }
        let components = path.components
        var wanted = order[...]
        var position = 0
        var descending = 0
        var ascends = false
        while true {
            wanted = wanted.drop { isFixed($0) }
            while position < components.count, isFixed(position, of: components) { position += 1 }
            guard let next = wanted.first, position < components.count,
                next.property == components[position].property
            else { break }
            wanted.removeFirst()
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
        // Records with equal values in the sort order must be in key order.
        if position < path.propertyCount || !wanted.isEmpty && position < components.count {
            let isOneWay = descending == 0 || !ascends
            guard position > 0, isOneWay, isKeyOrder(wanted, path, after: position) else { return nil }
            return .ties(components: position, isDescending: descending > 0)
        }
        guard descending > 0 else { return .ascending }
        let isWhole = (descending..<components.count).allSatisfy { isFixed($0, of: components) }
        return isWhole ? .descending : .groups(components: descending)
    }

    /// Returns whether key order is the requested order, among the records with equal values in the index's leading
    /// components.
    private func isKeyOrder(
        _ wanted: ArraySlice<QueryPlan.SortOrder>, _ path: AccessPath, after position: Int
    ) -> Bool {
        guard path.kind != .records else { return false }
        let known = path.components[..<position]
        let key = path.components[path.propertyCount...].filter { component in
            !isFixed(component) && !known.contains { $0.property == component.property && $0.form == .key }
        }
        return zip(wanted.filter { !isFixed($0) }, key).allSatisfy { $0.property == $1.property && !$0.isDescending }
    }

    /// Returns whether a component has a single value, given the components before it.
    private func isFixed(_ index: Int, of components: [PathComponent]) -> Bool {
        let property = components[index].property
        return isFixed(components[index])
            || property != nil && components[..<index].contains { $0.property == property && $0.form == .key }
    }

    private func isFixed(_ next: QueryPlan.SortOrder) -> Bool {
        known.contains { $0.value(of: next.property) != nil }
    }

    private func isFixed(_ component: PathComponent) -> Bool { fixedValue(of: component) != nil }

    /// Returns the bytes of a component, if the filter allows a single value for it; otherwise nil.
    func fixedValue(of component: PathComponent) -> [UInt8]? {
        if component.form == .element {
            return elementFilter.flatMap { filters[$0].value(of: component.property, as: .element) }
        }
        for filter in known {
            guard let value = filter.value(of: component.property, as: component.form) else { continue }
            return component.isDescending ? value.map { ~$0 } : value
        }
        return nil
    }
}
