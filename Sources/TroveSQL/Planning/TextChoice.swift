// The choice of a plan for `MATCH`: the search is the source of the records, or tests a record that is found by its
// key.

import CSQLite
import Trove

extension SQLTable {
    /// Returns the column in which a comparison searches for words, or nil for all columns; nil if it is no search. As
    /// in FTS5, `=` searches, too, in a column that is only for `MATCH`.
    func match(_ comparison: Comparison, _ column: Int) -> Int?? {
        guard kind.isOfRecords else { return nil }
        return switch (comparison, hidden(column)) {
        case (.match, .match), (.equal, .match): .some(nil)
        case (.match, nil) where columns.indices.contains(column): .some(column)
        default: nil
        }
    }

    /// Returns the plan with the least cost for a request with `MATCH`.
    ///
    /// - Throws: `StoreError` if no full-text index has the property.
    func textChoice(for request: PlanRequest) throws -> PathChoice {
        let properties = request.matches.map { match in match.column.map { columns[$0].property } }
        for property in properties {
            guard stored.fullTexts.contains(where: { property.map($0.contains) ?? true }) else {
                throw StoreError.text(
                    .noFullTextIndex(type: stored.name, properties: property.map { [$0] } ?? []))
            }
        }
        var found = recordChoice(for: request)
        if found.plan.isUnique, paths[found.plan.path].isRecords {
            addSearch(request, properties, &found, isSource: false)
            found.cost += Self.testCost
            return found
        }
        let count = Double(max(1_000, connection.count(of: self)))
        var choice = PathChoice(plan: ScanPlan(path: 0))
        addSearch(request, properties, &choice, isSource: true)
        addTests(request, [], &choice)
        choice.rows = count * Self.matchingShare
        choice.cost = Self.searchCost + choice.rows * Self.hitCost
        for test in choice.plan.tests { choice.rows *= test.bound.comparison == .equal ? 0.25 : 0.5 }
        choice.rows = max(1, choice.rows)
        return choice
    }

    /// The costs of a search, of a hit with its record, and of a test of a record, in records of a scan.
    private static let searchCost = 20.0
    private static let hitCost = 5.0
    private static let testCost = 10.0
    /// The share of records that a search finds. The words are known in the run only.
    private static let matchingShare = 0.05

    private func addSearch(
        _ request: PlanRequest, _ properties: [String?], _ choice: inout PathChoice, isSource: Bool
    ) {
        var search = ScanPlan.TextSearch(
            matches: [], isSource: isSource, needsScores: false, leavesOut: request.hasOtherConditions)
        func argument(_ number: Int) -> Int {
            choice.arguments.append(number)
            return choice.arguments.count - 1
        }
        for (match, property) in zip(request.matches, properties) {
            choice.omitted.insert(match.number)
            search.matches.append(ScanPlan.TextSearch.Match(property: property, argument: argument(match.number)))
        }
        if isSource {
            choice.plan.consumesOrder = isByRelevance(request.order)
            search.needsScores = choice.plan.consumesOrder || usesRank(request.usedColumns)
            // SQLite applies the limit. The search only finds as many hits first.
            if choice.plan.consumesOrder {
                search.limit = request.limit.map(argument)
                search.offset = request.offset.map(argument)
            }
        }
        choice.plan.text = search
    }

    private func usesRank(_ used: UInt64) -> Bool {
        (keyColumn...keyColumn + hiddenNames.count).contains { column in
            hidden(column) == .rank && used & (1 << UInt64(min(column, 63))) != 0
        }
    }

    /// Whether an order is that of a search: by rank, and then by key.
    private func isByRelevance(_ order: [OrderTerm]) -> Bool {
        guard connection.options.consumesOrder, let first = order.first, hidden(first.column) == .rank,
            !first.isDescending, order.count - 1 <= paths[0].components.count
        else { return false }
        return zip(order.dropFirst(), paths[0].components).allSatisfy { term, component in
            let kind = component.step.kind
            return term.column == component.column && term.isDescending == component.isDescending && kind.sortsAsSQL
                && !kind.needsOrderGuard
        }
    }
}
