// The query of a record type whose declared key cannot be a key.

import TroveCoding

extension Query {
    /// Creates a query of components that cannot be key components. Code that reads such a component does not compile.
    ///
    /// The query throws ``StoreError/QueryError/wrongKeyComponents(type:given:key:)`` when it runs.
    @_disfavoredOverload
    public init<each Leading, Last>(_ leading: repeat each Leading, last: ComparisonOperator<Last>) {
        var given: [any Any.Type] = []
        for type in repeat (each Leading).self { given.append(type) }
        self.init(failure: Self.wrongComponents(given + [Last.self]))
    }
}
