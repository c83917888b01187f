// A condition of a filter that is no condition on properties: a lookup in another table decides it.

/// A condition on records that another table decides by their keys. A query tests it as a `KeyCondition`.
protocol LookupCondition: AnyObject, Sendable {
    /// The condition in a plan, such as `author linked to "1"`.
    var plan: String { get }
    /// The condition as Swift.
    var swift: String { get }
}
