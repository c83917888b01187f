// Attributes of other libraries for indexes. They do nothing but lead to the macros: `@EntityModel` and
// `@IndexKeyRecord` report them with a fix-it. As attributes that exist, they have no other errors.

/// An attribute in place of which the macro ``Index(_:ranked:where:)`` is written, in the body of the record type.
@propertyWrapper
public struct Index<Record>: Sendable {
    /// Does nothing.
    @available(
        *, deprecated, message: "declare the index by the macro, in the body of the type: '#Index<Self>(\\.age)'"
    )
    public init(_ properties: PartialKeyPath<Record>...) {}

    /// The attribute itself.
    public var wrappedValue: Self { self }
}

/// An attribute in place of which the macro ``Index(_:ranked:where:)`` is written, in the body of the record type.
@propertyWrapper
public struct HashIndex<Record>: Sendable {
    /// Does nothing.
    @available(
        *, deprecated, message: "declare the index by the macro, in the body of the type: '#Index<Self>(\\.age)'"
    )
    public init(_ properties: PartialKeyPath<Record>...) {}

    /// The attribute itself.
    public var wrappedValue: Self { self }
}

/// An attribute in place of which the macro ``Unique(_:collisions:where:)`` is written, in the body of the record type.
@propertyWrapper
public struct Unique<Record>: Sendable {
    /// Does nothing.
    @available(
        *, deprecated,
        message:
            "declare the constraint by the macro, in the body of the type: '#Unique<Self>(\\.name, collisions: .throw)'"
    )
    public init(_ properties: PartialKeyPath<Record>..., collisions: CollisionRule<Record>? = nil) {}

    /// The attribute itself.
    public var wrappedValue: Self { self }
}

/// An attribute in place of which the macro `#FullTextIndex` is written, in the body of the record type.
@propertyWrapper
public struct FullTextIndex<Record>: Sendable {
    /// Does nothing.
    @available(
        *, deprecated,
        message: "declare the index by the macro, in the body of the type: '#FullTextIndex<Self>(\\.text)'"
    )
    public init(_ properties: PartialKeyPath<Record>...) {}

    /// The attribute itself.
    public var wrappedValue: Self { self }
}
