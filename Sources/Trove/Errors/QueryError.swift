// The errors of queries.

extension StoreError {
    /// An error of a query, of a filter, or of a key path that names no stored property.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum QueryError: Hashable, Sendable {
        /// The `and`, `or` and `not` of a filter are nested more than `limit` deep.
        case filterTooDeep(type: String, limit: Int)
        /// An `or` follows a query for a range of keys without a condition, which finds all its records already.
        case noCondition(type: String)
        /// The property is not stored, or is a part of a stored property; or the schema of a conformance written by
        /// hand does not have its key path.
        case notStored(type: String, property: String)
        /// A query names a relation, or a part of its targets, as if it was a stored property. `path` is the key path,
        /// such as `\.folder?.id`.
        case relationNotStored(type: String, relation: String, path: String)
        /// A query written by hand names components other than the components of the type's key.
        case wrongKeyComponents(type: String, given: String, key: String)
        /// A text is not a valid value of a key component.
        case notAComponent(type: String, component: String, layout: String, text: String)
        /// A page of a sorted query starts after a deleted record; or a page in the order of links, after an entity
        /// that is no longer linked.
        case noContinuation(type: String, key: StoredKey)
        /// The sum of a property is too large for its type.
        case sumOverflow(type: String, property: String)
        /// The share of a quantile is not a number from 0 to 1.
        case wrongShare(type: String, property: String, share: String)
    }
}

extension StoreError.QueryError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .filterTooDeep(let type, let limit):
            "A filter of \(type) is nested more than \(limit) filters deep. Join filters beside each other: a loop that only adds .or, or only adds .and, nests nothing."
        case .noCondition(let type):
            "An or follows a query of \(type) without a condition, which finds all its records already. Put a filter before the or: .filter(…).or(…)."
        case .notStored(let type, let property):
            "\(property) is not a stored property of \(type). Name a stored property, or use a closure: filter(where:), sorted(by:); if the conformance is written by hand, give its KeyProperty or FieldProperty the key path."
        case .relationNotStored(let type, let relation, let path):
            "\(path) of \(type) names the relation \(relation), which is not a stored property. Filter by its links: \\.$\(relation) == .id(…), .linked(\\.$\(relation), to: …) or .hasNone(\\.$\(relation)). A condition on the other entities is a query of their own type."
        case .wrongKeyComponents(let type, let given, let key):
            "A query over (\(given)) does not fit \(type), whose key is \(key). Name the leading components of the key in order."
        case .notAComponent(let type, let component, let layout, let text):
            "“\(text)” is not a valid \(component) of \(type). Give a value of the type \(layout)."
        case .noContinuation(let type, let key):
            "The page cannot continue after the record of \(type) with the key \(key): it no longer exists, or is no longer in the list. Pass the record itself: after(record). In the order of a list, begin with the first page."
        case .sumOverflow(let type, let property):
            "The sum of \(property) of \(type) is too large for its type. Use the average, or sum the values in a larger type."
        case .wrongShare(let type, let property, let share):
            "A quantile of \(property) of \(type) has the share \(share). Give a number from 0 to 1, such as 0.5 for the median."
        }
    }
}

extension StoreError.QueryError {
    /// The key of the record; nil for an error about something else.
    var key: StoredKey? {
        switch self {
        case .noContinuation(_, let key):
            key
        // Without a default, so that the compiler reports each new case.
        case .filterTooDeep, .noCondition, .notStored, .relationNotStored, .wrongKeyComponents, .notAComponent,
            .sumOverflow, .wrongShare:
            nil
        }
    }
}
