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
    ///
    /// A store refuses the type: ``StoreError/SchemaError/layoutMalformed(type:layout:reason:)``.
    @_disfavoredOverload
    public init<Record, Value>(_ name: String, _ path: KeyPath<Record, Value>, renamedFrom oldNames: [String] = []) {
        // No layout has this text, so a store refuses a type that is written by hand with such a component.
        var described = LayoutBuilder()
        described.append("\(name): \(Value.self) is not a KeyComponent")
        self.init(name, at: nil, type: Bool.self, described: described, coding: ()) { _ in }
    }
}
