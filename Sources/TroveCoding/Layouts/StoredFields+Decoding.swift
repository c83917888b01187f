// Stored values as values of Swift's types: what a migration written by hand asks for.

extension StoredFields {
    /// The value of a field.
    ///
    /// ```swift
    /// let name = try old.value("name", as: String.self)
    /// let age = try old.value("age", as: Int?.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The stored name.
    ///   - type: Its type; of the integer types, each that can hold the number. With an optional, nil where there is no
    ///     such field.
    /// - Throws: ``ConversionError`` where there is no such field, or its value is none of the type.
    public func value<Value: RecordValue>(_ name: String, as type: Value.Type) throws(ConversionError) -> Value {
        guard let value = self[name] else {
            if let null = Value.self as? any ExpressibleByNilLiteral.Type,
                let none = null.init(nilLiteral: ()) as? Value
            {
                return none
            }
            throw ConversionError(field: name, reason: .missing)
        }
        do throws(CodingError) {
            let layout = try RecordLayout("(){value:" + LayoutBuilder.text(of: Value.self) + "}")
            let bytes = try layout.writeFields(StoredFields([Field("value", value)]))
            return try ValueReader.decode(Value.self, from: bytes)
        } catch {
            throw ConversionError(field: name, reason: .value(error))
        }
    }
}
