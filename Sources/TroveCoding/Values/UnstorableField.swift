// The end of the list of codings: for a type without a coding, generated code has a single error that says what to do.

/// The coding of a type whose values are not stored as fields. Code that writes a field with it does not compile.
///
/// All other members can be called: a property of such a type has one error, not one in each generated function.
public protocol RefusedField<Value> {
    /// The type of the property.
    associatedtype Value
}

extension RefusedField {
    private static var error: CodingError { CodingError(.unencodable("\(Value.self) has no coding")) }

    /// Throws `unencodable`.
    public static func encodedSize(of value: Value) throws(CodingError) -> Int { throw error }

    /// Throws `unencodable`.
    public static func decode(from reader: inout ValueReader) throws(CodingError) -> Value { throw error }

    /// Throws `unencodable`.
    public static func skip(in reader: inout ValueReader) throws(CodingError) { throw error }
}

/// The coding of a type that cannot be stored.
public enum UnstorableField<Value>: RefusedField {
    /// Fails to compile: the type has no coding.
    @available(
        *, unavailable,
        message:
            "cannot be stored: make its type a @RecordValue, or Codable and Sendable; a type of the main actor must also be nonisolated"
    )
    public static func encode(_ value: Value, into writer: inout ValueWriter) {}
}

/// Returns the coding of a type that cannot be stored, so that the compiler can say so.
@_disfavoredOverload
public func fieldCoding<Value>(of type: Value.Type) -> UnstorableField<Value>.Type { UnstorableField<Value>.self }

extension LayoutBuilder {
    /// Appends nothing: the type of the field cannot be stored.
    public mutating func field<Coding: RefusedField>(
        _ name: String, _ coding: Coding.Type, renamedFrom oldNames: [String] = [],
        default makeDefault: (@Sendable () -> Coding.Value)? = nil
    ) {}

    /// Appends nothing: the type of the value cannot be stored.
    public mutating func value<Coding: RefusedField>(_ coding: Coding.Type) {}
}
