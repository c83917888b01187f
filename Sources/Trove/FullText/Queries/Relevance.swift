// The order of relevance, with weights and further properties.

import TroveCoding

/// An order of records by relevance: `sorted(by: .relevance)`.
///
/// ```swift
/// let hits = try Article.matching("ordered store")
///     .sorted(by: .relevance(.weight(\.title, 3)), \.year.desc)
///     .limit(10).hits(in: store)
/// ```
public struct Relevance<Record: IndexKeyRecord>: Sendable {
    let order: RelevanceOrder

    /// The order of scores, the greatest first, with the weights that the index declares.
    public static var relevance: Relevance { Relevance(order: RelevanceOrder()) }

    /// Returns the order of scores, the greatest first, with weights of its own.
    ///
    /// Nothing of it is stored: other weights need no other index.
    ///
    /// - Parameters:
    ///   - weights: How much a word of a property counts. The others have the weights that the index declares.
    ///   - k1: How much further occurrences of a word add: at 0 nothing. From 0 to 1,000; others are moved to the
    ///     nearest bound, and NaN to 1.2.
    ///   - b: How much the length of a record counts: at 0 not at all. From 0 to 1; others are moved to the nearest
    ///     bound, and NaN to 0.75.
    public static func relevance(
        _ weights: TextWeight<Record>..., k1: Double = 1.2, b: Double = 0.75
    ) -> Relevance {
        var order = RelevanceOrder()
        order.k1 = k1.isNaN ? 1.2 : min(max(k1, 0), 1_000)
        order.b = b.isNaN ? 0.75 : min(max(b, 0), 1)
        for weight in weights {
            switch weight.name {
            case .success(let name): order.weights[name] = weight.value
            case .failure(let error): order.failure = order.failure ?? error
            }
        }
        return Relevance(order: order)
    }
}

/// The weight of a property in scores: `.weight(\.title, 3)`.
public struct TextWeight<Record: IndexKeyRecord>: Sendable {
    /// The stored name of the property.
    let name: Result<String, StoreError>
    let value: Double

    /// Returns the weight of a property: how much one of its words counts.
    ///
    /// - Parameters:
    ///   - property: A property of the full-text index. A query with another property throws.
    ///   - weight: A number from 0 to 1,000; others are moved to the nearest bound, and NaN to 1.
    public static func weight(_ property: KeyPath<Record, some TextValue>, _ weight: Double) -> TextWeight {
        let name = Record.schema.nameOfProperty(at: property)
        return TextWeight(
            name: name.map { .success($0) }
                ?? .failure(Record.notStored(property)),
            value: TextRule.weight(weight))
    }
}

extension QueryShaping {
    /// Returns the query by relevance: `sorted(by: .relevance, \.year.desc)`.
    ///
    /// The scores of the text filters that a record matches are added. Filters under `not` add nothing, and records
    /// that match none, such as records of the other side of an `or`, have the score 0. Records with equal scores are
    /// in the order of the properties, and then of the key. Properties are read for records with equal scores alone.
    ///
    /// A query with a text filter is by relevance anyway, unless it has another order or begins with a relation.
    ///
    /// - Parameters:
    ///   - relevance: The weights of scores.
    ///   - properties: The properties that decide between equal scores.
    /// - Throws: When run, ``StoreError/TextError/notInTextIndex(type:properties:searched:)`` for a weight of a
    ///   property that no searched index has.
    public func sorted<each Value: KeyComponent>(
        by relevance: Relevance<Record>, _ properties: repeat KeyPath<Record, each Value>
    ) -> Self {
        let terms = sortTerms(repeat each properties)
        return changing { $0.order(by: .scores(relevance.order.then(terms))) }
    }

    /// Returns the query by relevance, with sort keys that decide between equal scores.
    public func sorted(by relevance: Relevance<Record>, _ keys: [SortKey<Record>]) -> Self {
        changing { $0.order(by: .scores(relevance.order.then(keys.map(\.term)))) }
    }

    /// Returns the query without its order.
    ///
    /// A query with a text filter is by relevance otherwise: then all matches are scored and sorted before the first of
    /// them is returned. Without the order, they are found one after the other, in constant memory.
    ///
    /// ```swift
    /// try Article.matching("ordered").unordered().forEach(in: store) { print($0.title) }
    /// ```
    public func unordered() -> Self { changing { $0.removeOrder() } }

    /// Returns the query for the records after a hit, in the query's order: the next page after the last hit seen. Nil
    /// returns the first page.
    ///
    /// By relevance, the page begins after the hit's place among the records as they are now: records that keep their
    /// places are neither repeated nor left out, also among equal scores, and also if the hit's record was changed or
    /// deleted.
    @_disfavoredOverload  // Otherwise `after(nil)` would be ambiguous.
    public func after(_ hit: TextHit<Record>?) -> Self {
        changing { $0.goOn(after: hit?.record, score: hit?.score) }
    }
}
