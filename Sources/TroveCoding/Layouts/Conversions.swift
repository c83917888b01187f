// The closures of `ValueConversion`. Values may be deep: recursive closures do little, so that they need little stack.

/// The closures, each created by a function of its own.
enum Conversions {
    /// Converts a value, given the conversions of the records and enums that contain it, the outermost first.
    typealias Conversion = @Sendable (FieldValue, [ValueConversion]) throws(CodingError) -> FieldValue

    static let identity: Conversion = { value, _ in value }

    static func failure(_ value: FieldValue, _ type: String) -> CodingError {
        let text = value.json
        let shown = text.count > 64 ? text.prefix(64) + "…" : text[...]
        return CodingError(.unencodable("\(shown) cannot be converted to \(type)"))
    }

    /// Converts as the record or enum `level` levels up.
    static func enclosing(_ level: Int) -> Conversion {
        { (value, enclosing) throws(CodingError) in
            guard level <= enclosing.count else { throw failure(value, "the type that contains it") }
            let conversion = enclosing[enclosing.count - level].convert
            return try conversion(value, enclosing.dropLast(level))
        }
    }

    /// - Parameter type: The new type inside the optional.
    static func optional(_ inner: ValueConversion, of type: LayoutType) -> ValueConversion {
        let wrapping = wrapping(inner, in: type)
        let convert: Conversion = { (value, enclosing) throws(CodingError) in
            value == .null ? .null : try wrapping.convert(value.unwrapped, enclosing)
        }
        return parts(inner, convert)
    }

    /// Wraps a value in an optional. Only an optional in an optional needs ``FieldValue/some(_:)``.
    static func wrapping(_ inner: ValueConversion, in type: LayoutType) -> ValueConversion {
        let convert: Conversion = { (value, enclosing) throws(CodingError) in
            .some(try inner.convert(value, enclosing))
        }
        return ValueConversion(
            canFail: inner.canFail, isInjective: inner.isInjective,
            bytes: inner.bytes == .none ? .wrapped : .rewritten,
            convert: type.hasNull ? convert : inner.convert)
    }

    static func unwrapping(_ inner: ValueConversion) -> ValueConversion {
        let convert: Conversion = { (value, enclosing) throws(CodingError) in
            guard value != .null else { throw failure(value, "a value that is not nil") }
            return try inner.convert(value.unwrapped, enclosing)
        }
        return ValueConversion(
            canFail: true, isInjective: inner.isInjective, bytes: inner.bytes == .none ? .unwrapped : .rewritten,
            convert: convert)
    }

    static func elements(_ inner: ValueConversion) -> ValueConversion {
        let convert: Conversion = { (value, enclosing) throws(CodingError) in
            guard case .array(let elements) = value else { throw failure(value, "an array") }
            var converted: [FieldValue] = []
            for element in elements { converted.append(try inner.convert(element, enclosing)) }
            return .array(converted)
        }
        return parts(inner, convert)
    }

    /// Returns the conversion of a value with parts. It keeps the bytes if the conversion of the parts does.
    private static func parts(_ inner: ValueConversion, _ convert: @escaping Conversion) -> ValueConversion {
        ValueConversion(
            canFail: inner.canFail, isInjective: inner.isInjective,
            bytes: inner.bytes == .none ? .none : .rewritten, convert: convert)
    }

    static func distinct(_ elements: ValueConversion) -> ValueConversion {
        ValueConversion(canFail: true, isInjective: elements.isInjective, bytes: elements.bytes) {
            (value, enclosing) throws(CodingError) in
            let converted = try elements.convert(value, enclosing)
            guard case .array(let list) = converted, Set(list).count == list.count else {
                throw failure(value, "a set: two elements become the same")
            }
            return converted
        }
    }

    static func entries(_ inner: ValueConversion) -> ValueConversion {
        let convert: Conversion = { (value, enclosing) throws(CodingError) in
            guard case .dictionary(let entries) = value else { throw failure(value, "a dictionary") }
            var converted: [FieldValue.Entry] = []
            for entry in entries {
                converted.append(FieldValue.Entry(key: entry.key, value: try inner.convert(entry.value, enclosing)))
            }
            return .dictionary(converted)
        }
        return parts(inner, convert)
    }

    /// - Parameters:
    ///   - matches: The sources of the new fields.
    ///   - fieldCount: The number of old fields.
    static func record(_ matches: [FieldMatch], fieldCount: Int) -> ValueConversion {
        let keepsBytes =
            matches.count == fieldCount
            && matches.enumerated().allSatisfy { $1.source == $0 && $1.conversion.bytes == .none }
        @Sendable func convert(
            _ value: FieldValue, _ enclosing: [ValueConversion]
        ) throws(CodingError) -> FieldValue {
            guard case .record(let list) = value, list.fields.count == fieldCount else {
                throw failure(value, "a record")
            }
            let inside = enclosing + [ValueConversion(convert: convert)]
            var converted = StoredFields()
            for match in matches {
                let new = try match.nestedValue(of: list, in: inside)
                converted.fields.append(StoredFields.Field(match.field.name, new))
            }
            return .record(converted)
        }
        return ValueConversion(
            canFail: matches.contains { $0.conversion.canFail }, isInjective: keepsBytes,
            bytes: keepsBytes ? .none : .rewritten, convert: convert)
    }

    static func cases(
        _ conversions: [String: [ValueConversion.AssociatedConversion]], canFail: Bool, bytes: ByteChange
    ) -> ValueConversion {
        @Sendable func convert(
            _ value: FieldValue, _ enclosing: [ValueConversion]
        ) throws(CodingError) -> FieldValue {
            guard case .enumeration(let name, let values) = value, let chosen = conversions[name] else {
                throw failure(value, "a case that still exists")
            }
            let inside = enclosing + [ValueConversion(convert: convert)]
            var converted: [FieldValue.AssociatedValue] = []
            for part in chosen {
                let old = part.source.map { values[$0].value } ?? .null
                let new = try part.conversion.convert(old, inside)
                converted.append(FieldValue.AssociatedValue(label: part.label, value: new))
            }
            return .enumeration(name, converted)
        }
        return ValueConversion(canFail: canFail, isInjective: bytes == .none, bytes: bytes, convert: convert)
    }
}

extension FieldValue {
    /// The value inside an optional that is not nil.
    var unwrapped: FieldValue {
        if case .some(let value) = self { value } else { self }
    }
}
