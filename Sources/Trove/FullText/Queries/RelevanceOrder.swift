// The order of relevance, without the type of the records.

import TroveCoding

/// An order by scores, then by properties, and then by key.
struct RelevanceOrder: ScoreOrder {
    /// The weights of properties, by their stored names. The others have the weights that the index declares.
    var weights: [String: Double] = [:]
    var k1 = BM25.usualK1
    var b = BM25.usualB
    /// The properties that decide between equal scores.
    private(set) var terms: [SortTerm] = []
    /// The error in the weights; thrown when the query runs.
    var failure: StoreError?

    /// Returns the order with properties that decide between equal scores.
    func then(_ terms: [SortTerm]) -> RelevanceOrder {
        var order = self
        order.terms = terms
        return order
    }

    /// Whether the order has weights: they name properties of the searched indexes.
    var namesProperties: Bool { !weights.isEmpty }

    /// Throws the error of the order, if it has any.
    func check() throws {
        if let failure { throw failure }
        for term in terms { _ = try term.property() }
    }

    func source<Record: IndexKeyRecord>(of query: Query<Record>, _ filters: [FilterTree]) -> any ScoreSource {
        RelevanceSource(query, self, filters)
    }

    /// Returns the parameters of scores in an index.
    func parameters(_ index: IndexDescriptor) -> BM25 {
        var parameters = BM25(fields: index.properties.count)
        (parameters.k1, parameters.b) = (k1, b)
        for (field, property) in index.properties.enumerated() {
            parameters.weights[field] = weights[property] ?? index.rule?.weights[field] ?? 1
        }
        return parameters
    }
}

// MARK: As text

extension RelevanceOrder {
    /// The order in a plan.
    var text: String { (["relevance"] + terms.map(\.text)).joined(separator: ", ") }

    /// The order as Swift.
    var swift: String {
        var arguments = weights.sorted { $0.key < $1.key }.map { ".weight(\\.\($0.key), \($0.value))" }
        if k1 != BM25.usualK1 { arguments.append("k1: \(k1)") }
        if b != BM25.usualB { arguments.append("b: \(b)") }
        let relevance = ".relevance" + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
        return ([relevance] + terms.map(\.swift)).joined(separator: ", ")
    }
}

extension SortTerm {
    /// The property in a plan, with its direction. A run of the query throws the error of an unknown property.
    fileprivate var text: String { ((try? property().name) ?? "?") + (isDescending ? " desc" : "") }
}
