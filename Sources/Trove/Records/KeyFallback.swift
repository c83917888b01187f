// The key of a record type whose declared key cannot be a key.

/// A record type of the macro, with a key component of a type that may have no order.
///
/// If the key cannot be a key, the type has the key of this protocol. So the component has a single error, at its
/// property, and the other generated code compiles. A program has no use for this protocol: generated code alone
/// names it.
public protocol KeyFallback: IndexKeyRecord {}

extension KeyFallback {
    /// An empty key, if the type's own key cannot be a key.
    public var indexKey: Tuple<> { Tuple() }
}

extension KeyProperty {
    /// Describes a component that cannot be a key component. Code that reads such a component does not compile.
    @_disfavoredOverload
    public init<Record, Value>(_ name: String, _ path: KeyPath<Record, Value>, renamedFrom oldNames: [String] = []) {
        self.init(name, Bool.self, renamedFrom: oldNames)
    }
}

extension KeyQuery {
    /// Creates a query of components that cannot be key components. Code that reads such a component does not compile.
    @_disfavoredOverload
    public init<each Leading, Last>(_ leading: repeat each Leading, last: ComparisonOperator<Last>) { self.init() }
}
