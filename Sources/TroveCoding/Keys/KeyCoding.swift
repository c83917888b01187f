// Codings of key components. Generated code finds them by `keyCoding(of: V.self)`, which has an overload for types that
// cannot be key components: such a component has a single error that says what to do.

/// The coding of a type as a key component: the type's own bytes.
public enum KeyCoding<Value: KeyComponent> {
    /// Writes a component.
    @inlinable
    @inline(__always)
    public static func encode(_ value: Value, into writer: inout KeyWriter) { value.encodeKey(into: &writer) }

    /// Reads a component.
    @inlinable
    @inline(__always)
    public static func decode(from reader: inout KeyReader) throws(CodingError) -> Value {
        try Value(decodingKey: &reader)
    }
}

/// The coding of a type that is not a ``KeyComponent``. Code that reads such a component does not compile.
public enum UnorderedKey<Value> {
    /// Writes nothing.
    public static func encode(_ value: Value, into writer: inout KeyWriter) {}

    /// Fails to compile: the type has no order.
    @available(
        *, unavailable,
        message:
            "cannot be a key component: declare its type a KeyComponent, such as 'enum Status: String, KeyComponent'"
    )
    public static func decode(from reader: inout KeyReader) throws(CodingError) -> Value {
        throw reader.malformed("a KeyComponent")
    }
}

/// Returns the coding of a key component.
@inlinable
@inline(__always)
public func keyCoding<Value: KeyComponent>(of type: Value.Type) -> KeyCoding<Value>.Type { KeyCoding<Value>.self }

/// Returns the coding of a type that is not a key component, so that the compiler can say so.
@_disfavoredOverload
public func keyCoding<Value>(of type: Value.Type) -> UnorderedKey<Value>.Type { UnorderedKey<Value>.self }
