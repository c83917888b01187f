// The access path whose entries alone give the groups of a query: without reading records, and each group in one
// place.
//
//     grouped(by: \.city)                      index(city, age)
//     filter(\.city == "Oslo"), by: \.age      index(city, age)
//     grouped(by: \.age, \.city)               index(city, age): the groups are sorted in the end
//
// The ranges of the path contain the matching records and no others. The leading components are the properties of the
// group and properties with a single value, so the entries of a group are adjacent.

import LMDB
import TroveCoding

/// An access path that serves a grouped query.
struct GroupPath {
    /// A component of the entries.
    struct Column {
        let place: Int
        /// Whether the bytes are the complement of the property's bytes in the query.
        let isComplemented: Bool

        init?(_ term: SortTerm, in path: AccessPath) throws {
            let property = try term.property()
            let found = path.components.firstIndex { $0.property == property && $0.form == .key }
            guard let found else { return nil }
            place = found
            isComplemented = path.components[found].isDescending != term.isDescending
        }
    }

    let plan: QueryPlan
    /// The number of leading components with equal bytes in all entries of a group.
    let depth: Int
    /// The components of the group's key.
    let key: [Column]
    /// The component of the aggregate's property; nil for an aggregate without one.
    let value: Column?

    var path: AccessPath { plan.path }

    /// Whether the entries of a group are in the order of the aggregate's property.
    var isOrderedByValue: Bool { value.map { $0.place == depth } ?? false }

    /// Whether all entries of a group have the same value of the aggregate's property.
    var hasOneValue: Bool { value.map { $0.place < depth } ?? true }

    /// Returns nil if the entries of the plan's ranges do not give the groups.
    fileprivate init?(_ plan: QueryPlan, _ planner: Planner, key: [Column], value: Column?) {
        guard plan.isRangesAlone, !plan.repeatsRecords else { return nil }
        var planner = planner
        planner.elementFilter = plan.elementFilter
        let depth = (key.map(\.place).max() ?? -1) + 1
        let components = plan.path.components
        let properties = key.map { components[$0.place].property }
        let isWhole = components[..<depth].dropFirst(plan.sharedCount).allSatisfy { component in
            component.form == .key && component.property != nil && properties.contains(component.property)
                || planner.fixedValue(of: component) != nil
        }
        guard isWhole else { return nil }
        self.plan = plan.unordered
        self.depth = depth
        self.key = key
        self.value = value
    }
}

extension QueryPlan {
    /// The scan of the plan's ranges in stored order.
    fileprivate var unordered: QueryPlan {
        var plan = self
        (plan.order, plan.sorts, plan.scanOrder) = ([], false, .ascending)
        return plan
    }

    /// The number of leading components with equal bytes in all entries of the ranges.
    fileprivate var sharedCount: Int {
        guard ranges.count == 1, let range = ranges.first else { return 0 }
        return ByteView.with(range.lower) { lower in
            var reader = KeyReader(lower)
            for (count, skip) in path.skips.enumerated() {
                do throws(CodingError) { try skip(&reader) } catch { return count }
                let shared = KeyRange(prefix: Array(range.lower[..<reader.offset]))
                if shared.intersection(range) != range { return count }
            }
            return path.skips.count
        }
    }
}

extension Query {
    /// Returns the access path that serves groups by some properties; nil if records must be read.
    ///
    /// A path whose groups are in the order of the aggregate's property is returned before others.
    ///
    /// - Parameters:
    ///   - terms: The properties of the group.
    ///   - property: The property of the aggregate.
    func groupPath(_ terms: [SortTerm], of property: SortTerm?, in table: RecordTable) throws -> GroupPath? {
        guard limit == nil, offset == 0, continuation == nil else { return nil }
        let candidates = Record.schema.candidates
        var first: GroupPath?
        for path in candidates.dropFirst() + candidates.prefix(1) where table.isUsable(path) {
            let key = try terms.compactMap { try GroupPath.Column($0, in: path) }
            let value = try property.flatMap { try GroupPath.Column($0, in: path) }
            guard key.count == terms.count, (property == nil) == (value == nil) else { continue }
            for found in groupPaths(over: path, candidates[0], key: key, value: value) {
                if found.isOrderedByValue { return found }
                first = first ?? found
            }
        }
        return first
    }

    private func groupPaths(
        over path: AccessPath, _ records: AccessPath, key: [GroupPath.Column], value: GroupPath.Column?
    ) -> [GroupPath] {
        let order = Set(key.map(\.place)).sorted().compactMap { place in
            let component = path.components[place]
            return component.property.map { QueryPlan.SortOrder(property: $0, isDescending: component.isDescending) }
        }
        var planner = Planner(filter: conditions, order: order)
        setKeys(of: &planner)
        var plans: [QueryPlan] = []
        planner.addPlans(over: path, records, in: Record.schema.name, to: &plans)
        return plans.compactMap { GroupPath($0, planner, key: key, value: value) }
    }
}
