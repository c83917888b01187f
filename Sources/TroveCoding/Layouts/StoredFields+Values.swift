// Stored values as values of Swift types, and back, for migrations written by hand.

extension StoredFields {
    /// Returns the value of a field.
    ///
    /// ```swift
    /// let name = try old.value("name", as: String.self)
    /// let age = try old.value("age", as: Int?.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The stored name.
    ///   - type: The type of the value. Any integer type works that can hold the number.
    /// - Returns: The value; nil if the type is optional and the field does not exist.
    /// - Throws: ``ConversionError`` if the field does not exist, or its value is not of the type.
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
            var bytes: [UInt8] = []
            try value.write(as: LayoutType(of: Value.self), into: &bytes)
            return try ValueReader.decode(Value.self, from: bytes)
        } catch {
            throw ConversionError(field: name, reason: .value(error))
        }
    }

    /// Sets a field to a value of a Swift type, such as a nested record.
    ///
    /// ```swift
    /// try fields.setValue(Address(street: street, city: city), for: "address")
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value. It converts to the type of the record's field as a value of an older record does.
    ///   - name: The stored name. A new field is added last.
    /// - Throws: ``ConversionError`` if the value has no bytes, or its layout is known only to its own code.
    public mutating func setValue<Value: RecordValue>(_ value: Value, for name: String) throws(ConversionError) {
        do throws(CodingError) {
            let type = try LayoutType(of: Value.self)
            let bytes = try ValueWriter.bytes(of: value)
            let stored = try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                try FieldValue(type, from: &reader)
            }
            let field = Field(name, stored, type)
            if let index = fields.firstIndex(where: { $0.name == name }) {
                fields[index] = field
            } else {
                fields.append(field)
            }
        } catch {
            throw ConversionError(field: name, reason: .value(error))
        }
    }
}

extension LayoutType {
    fileprivate init(of type: (some RecordValue).Type) throws(CodingError) {
        var parser = LayoutParser(LayoutBuilder.text(of: type))
        self = try parser.parseType()
    }
}
