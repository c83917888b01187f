// A second implementation of conversions of values, as a reference. Nil: the value does not convert.

import TroveCoding

extension Reference {
    /// The new values of some fields, or the name of the first field that does not convert.
    static func convert(
        _ values: [FieldValue], from old: [Model.Field], to new: [Model.Field]
    ) -> (values: StoredFields, failure: String?) {
        var converted = StoredFields()
        for field in new {
            guard let value = value(of: field, values, old) else { return (converted, field.name) }
            converted.fields.append(StoredFields.Field(field.name, value))
        }
        return (converted, nil)
    }

    private static func value(
        of field: Model.Field, _ values: [FieldValue], _ old: [Model.Field], _ outside: [Pair] = []
    ) -> FieldValue? {
        guard let source = field.source(in: old) else { return field.defaultValue ?? .null }
        if values[source] == .null, !field.type.isOptional, let value = field.defaultValue { return value }
        return convert(values[source], old[source].type, field.type, outside)
    }

    /// The old and the new type of an enclosing value.
    typealias Pair = (old: Model, new: Model)

    /// - Parameter outside: The records and enums that contain the value, the outermost first.
    static func convert(_ value: FieldValue, _ old: Model, _ new: Model, _ outside: [Pair] = []) -> FieldValue? {
        switch (old, new) {
        case (.raw(let raw), _): return convert(value, .scalar(raw), new)
        case (_, .raw(let raw)): return convert(value, old, .scalar(raw))
        case (.scalar(let old), .scalar(let new)): return scalar(value, old, new)
        case (.optional(let wrapped), .optional(let other)):
            guard value != .null else { return .null }
            return convert(unwrapped(value), wrapped, other, outside).map { other.isOptional ? .some($0) : $0 }
        case (_, .optional(let wrapped)):
            return convert(value, old, wrapped, outside).map { wrapped.isOptional ? .some($0) : $0 }
        case (.optional(let wrapped), _):
            return value == .null ? nil : convert(unwrapped(value), wrapped, new, outside)
        case (.array(let element), .array(let other)), (.set(let element), .array(let other)):
            return elements(value, element, other, outside).map { .array($0) }
        case (.set(let element), .set(let other)):
            return elements(value, element, other, outside).flatMap { Set($0).count == $0.count ? .array($0) : nil }
        case (.dictionary(let old), .dictionary(let new)): return entries(value, old, new, outside)
        case (.record(let fields), .record(let others)):
            guard case .record(let list) = value else { return nil }
            let inside = outside + [(old, new)]
            let values = list.fields.map(\.value)
            let converted = others.compactMap { field in
                Reference.value(of: field, values, fields, inside).map { StoredFields.Field(field.name, $0) }
            }
            return converted.count == others.count ? .record(StoredFields(converted)) : nil
        case (.enumeration(let cases), .enumeration(let others)):
            return enumeration(value, cases, others, outside + [(old, new)])
        case (.enclosing(let level), .enclosing):
            let pair = outside[outside.count - level]
            return convert(value, pair.old, pair.new, Array(outside.dropLast(level)))
        default: return nil
        }
    }

    private static func unwrapped(_ value: FieldValue) -> FieldValue {
        if case .some(let inner) = value { inner } else { value }
    }

    private static func elements(
        _ value: FieldValue, _ old: Model, _ new: Model, _ outside: [Pair]
    ) -> [FieldValue]? {
        guard case .array(let elements) = value else { return nil }
        let converted = elements.compactMap { convert($0, old, new, outside) }
        return converted.count == elements.count ? converted : nil
    }

    private static func entries(
        _ value: FieldValue, _ old: Model, _ new: Model, _ outside: [Pair]
    ) -> FieldValue? {
        guard case .dictionary(let entries) = value else { return nil }
        let converted = entries.compactMap { entry in
            convert(entry.value, old, new, outside).map { FieldValue.Entry(key: entry.key, value: $0) }
        }
        return converted.count == entries.count ? .dictionary(converted) : nil
    }

    private static func enumeration(
        _ value: FieldValue, _ old: [Model.Case], _ new: [Model.Case], _ inside: [Pair]
    ) -> FieldValue? {
        guard case .enumeration(let name, let values) = value, let before = old.first(where: { $0.name == name }),
            let after = new.first(where: { $0.name == name })
        else { return nil }
        var converted: [FieldValue.AssociatedValue] = []
        for (index, part) in after.values.enumerated() {
            guard let source = after.source(of: index, in: before) else {
                converted.append(FieldValue.AssociatedValue(label: part.label, value: .null))
                continue
            }
            let value = convert(values[source].value, before.values[source].type, part.type, inside)
            guard let value else { return nil }
            converted.append(FieldValue.AssociatedValue(label: part.label, value: value))
        }
        return .enumeration(name, converted)
    }

    // MARK: Scalars

    private static func scalar(_ value: FieldValue, _ old: String, _ new: String) -> FieldValue? {
        guard old != new else { return value }
        switch value {
        case .integer(let number): return ofInteger(number, new)
        case .float(let number):
            return new == "String"
                ? .string("\(number)") : new == "Double" ? .double(Double(number)) : ofDouble(Double(number), new)
        case .double(let number):
            if new == "Float" { return number.isNaN || Double(Float(number)) == number ? .float(Float(number)) : nil }
            return new == "String" ? .string("\(number)") : ofDouble(number, new)
        case .bool(let flag): return new == "String" ? .string("\(flag)") : nil
        case .string(let text): return ofText(text, new)
        default: return nil
        }
    }

    private static let ranges: [String: ClosedRange<Int128>] = [
        "Int8": -128...127, "Int16": -32768...32767, "UInt8": 0...255, "Int64": Int128(Int64.min)...Int128(Int64.max),
        "UInt64": 0...Int128(UInt64.max),
    ]

    private static func ofInteger(_ number: Int128, _ new: String) -> FieldValue? {
        switch new {
        case "Float": Float(exactly: number).map { .float($0) }
        case "Double": Double(exactly: number).map { .double($0) }
        case "String": .string("\(number)")
        default: ranges[new]?.contains(number) == true ? .integer(number) : nil
        }
    }

    private static func ofDouble(_ number: Double, _ new: String) -> FieldValue? {
        Int128(exactly: number).flatMap { ofInteger($0, new) }
    }

    private static func ofText(_ text: String, _ new: String) -> FieldValue? {
        switch new {
        case "Float": Float(text).flatMap { "\($0)" == text ? .float($0) : nil }
        case "Double": Double(text).flatMap { "\($0)" == text ? .double($0) : nil }
        case "Bool": Bool(text).map { .bool($0) }
        default: Int128(text).flatMap { "\($0)" == text ? ofInteger($0, new) : nil }
        }
    }
}
