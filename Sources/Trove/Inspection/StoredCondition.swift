// A condition on a property of stored records, as a person types it:
//
//     condition = property {"." property} space operator space value
//     operator  = "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "contains"
//     value     = "nil" | text
//
// The text of a value is read by `FieldValue.init(text:as:)`, and for a string also a string in quotes, as in keys.

import TroveCoding

/// A condition on a property of stored records, read by their layouts, without the Swift type.
///
/// ```swift
/// let adults = try StoredCondition("age >= 18", of: type)
/// try context.forEachStoredRecord(of: type) { record in
///     if adults.matches(record) { print(record.json) }
///     return true
/// }
/// ```
///
/// Values compare as in keys: strings by their UTF-8, NaN last. Nil is equal to nil only, and neither less nor greater
/// than a value, as in a filter of a query. `contains` looks for a part of a string, or for an element of an array or a
/// set.
public struct StoredCondition: Sendable {
    fileprivate enum Operator: String, CaseIterable {
        case equal = "==", equals = "=", notEqual = "!=", atMost = "<=", less = "<", atLeast = ">=", greater = ">"
        case contains = "contains"
    }

    /// The test of the records of a version; nil for records without the property.
    private let tests: [UInt32: Test]
    /// The name of the type.
    let type: String

    /// Creates a condition for the records of a type.
    ///
    /// - Parameters:
    ///   - text: The condition, such as `age >= 18`, `home.city == Paris` or `nickname != nil`.
    ///   - type: An element of ``ReadContext/storedTypes()``.
    /// - Throws: ``StoredConditionError``.
    public init(_ text: String, of type: StoredType) throws {
        guard let parts = ConditionParts(text) else { throw StoredConditionError.malformed(text) }
        let layouts = type.versions.compactMap { version in type.readableLayout(version).map { (version, $0) } }
        guard let newest = layouts.last(where: { $0.1.field(at: parts.path) != nil })?.1.field(at: parts.path) else {
            let names = layouts.last.map { ($0.1.key + $0.1.fields).map(\.name) } ?? []
            throw StoredConditionError.noSuchProperty(type: type.name, property: parts.property, properties: names)
        }
        guard Test(parts, newest.type) != nil else {
            throw StoredConditionError.notComparable(
                type: type.name, property: parts.property, layout: "\(newest.type)", operation: parts.operation,
                value: parts.value)
        }
        tests = layouts.reduce(into: [:]) { tests, layout in
            tests[layout.0] = layout.1.field(at: parts.path).flatMap { Test(parts, $0.type) }
        }
        self.type = type.name
    }

    /// Returns whether a record matches. A record of a layout without the property does not.
    public func matches(_ record: StoredRecord) -> Bool {
        tests[record.fieldsVersion]?.matches(record.fields) ?? false
    }
}

/// The parts of a condition's text.
private struct ConditionParts {
    let path: [String]
    let comparison: StoredCondition.Operator
    let value: String

    var property: String { path.joined(separator: ".") }
    var operation: String { comparison.rawValue }

    /// Returns nil for another text.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count == 3, let comparison = StoredCondition.Operator(rawValue: String(parts[1])) else {
            return nil
        }
        path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.comparison = comparison
        value = String(parts[2].drop { $0 == " " })
    }
}

/// A condition on the records of a layout.
private struct Test: Sendable {
    private let path: [String]
    private let comparison: StoredCondition.Operator
    /// The type of the values to compare, without optionals.
    private let type: LayoutType
    /// The value; nil for nil.
    private let value: FieldValue?
    /// The value as a component of a key; nil for a type without one.
    private let key: [UInt8]?

    /// Returns nil if values of the type cannot be compared so, or if the text is not one of them.
    init?(_ parts: ConditionParts, _ type: LayoutType) {
        let plain = type.withoutOptionals
        path = parts.path
        comparison = parts.comparison
        if parts.value == "nil" || parts.value == "null", type.hasNull {
            guard [.equal, .equals, .notEqual].contains(comparison) else { return nil }
            (self.type, value, key) = (plain, nil, nil)
            return
        }
        var compared = plain
        if comparison == .contains {
            guard let element = plain.searchedElement else { return nil }
            compared = element
        }
        guard let value = FieldValue(conditionValue: parts.value, as: compared) else { return nil }
        let key = value.comparedBytes(as: compared)
        guard comparison.isOfEquality || key != nil else { return nil }
        (self.type, self.value, self.key) = (compared, value, key)
    }

    func matches(_ fields: StoredFields) -> Bool {
        guard let stored = fields.value(at: path[...])?.withoutOptionals else { return false }
        guard let value else { return (stored == .null) == (comparison != .notEqual) }
        if stored == .null { return comparison == .notEqual }
        if comparison == .contains { return contains(stored, value) }
        guard let order = order(of: stored, value) else {
            return (stored.isSame(as: value)) == (comparison != .notEqual)
        }
        return switch comparison {
        case .equal, .equals: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .atMost: order <= 0
        case .greater: order > 0
        case .atLeast: order >= 0
        case .contains: false
        }
    }

    private func contains(_ stored: FieldValue, _ value: FieldValue) -> Bool {
        switch (stored, value) {
        case (.string(let text), .string(let part)): text.utf8.contains(part.utf8)
        case (.array(let elements), _):
            elements.contains { element in
                let element = element.withoutOptionals
                return order(of: element, value).map { $0 == 0 } ?? element.isSame(as: value)
            }
        default: false
        }
    }

    /// Returns the order of two values: negative, zero or positive; nil if the type has none.
    private func order(of left: FieldValue, _ right: FieldValue) -> Int? {
        guard let key, let bytes = left.comparedBytes(as: type) else { return nil }
        return bytes.lexicographicallyPrecedes(key) ? -1 : bytes == key ? 0 : 1
    }
}

extension StoredCondition.Operator {
    /// Whether the operator needs no order of values.
    fileprivate var isOfEquality: Bool {
        switch self {
        case .equal, .equals, .notEqual, .contains: true
        case .less, .atMost, .greater, .atLeast: false
        }
    }
}

extension StoredType {
    /// Returns the layout of a version; nil if it cannot be read.
    fileprivate func readableLayout(_ version: UInt32) -> RecordLayout? {
        do { return try layout(of: version) } catch { return nil }
    }
}

extension RecordLayout {
    /// Returns the property at a path; nil if there is none.
    fileprivate func field(at path: [String]) -> LayoutField? {
        var fields = key + fields
        for (index, name) in path.enumerated() {
            guard let field = fields.first(where: { $0.name == name }) else { return nil }
            if index == path.count - 1 { return field }
            guard case .record(let parts) = field.type.withoutOptionals else { return nil }
            fields = parts
        }
        return nil
    }
}

extension StoredFields {
    /// Returns the value at a path, nil inside a nil; nil if there is no property.
    fileprivate func value(at path: ArraySlice<String>) -> FieldValue? {
        guard let name = path.first, let value = self[name]?.withoutOptionals else { return nil }
        guard path.count > 1 else { return value }
        if case .record(let fields) = value { return fields.value(at: path.dropFirst()) }
        return value == .null ? .null : nil
    }
}

extension LayoutType {
    /// The type without optionals and orders around it.
    fileprivate var withoutOptionals: LayoutType {
        switch self {
        case .optional(let wrapped), .descending(let wrapped), .rawValue(let wrapped): wrapped.withoutOptionals
        default: self
        }
    }

    /// The type of the element that `contains` looks for; nil for a type that contains nothing.
    fileprivate var searchedElement: LayoutType? {
        switch self {
        case .array(let element), .set(let element): element.withoutOptionals
        case .string: self
        default: nil
        }
    }
}

extension FieldValue {
    /// Creates the value of a condition's text; nil if the text is not a value of the type.
    fileprivate init?(conditionValue text: String, as type: LayoutType) {
        if case .enumeration(let cases) = type {
            guard cases.contains(where: { $0.name == text && $0.values.isEmpty }) else { return nil }
            self = .enumeration(text, [])
            return
        }
        // A string in quotes is read as keys have it.
        if type == .string, text.hasPrefix("\""),
            let key = RecordLayout(key: [LayoutField("value", type)], fields: []).keyComponents("value: " + text)
        {
            self = key["value"] ?? .string(text)
            return
        }
        do throws(CodingError) {
            self = try FieldValue(text: text, as: type)
        } catch {
            return nil
        }
    }

    /// The value inside optionals, or nil.
    fileprivate var withoutOptionals: FieldValue {
        if case .some(let value) = self { value.withoutOptionals } else { self }
    }

    /// Returns bytes that compare as the values of a type do; nil for a type without an order.
    fileprivate func comparedBytes(as type: LayoutType) -> [UInt8]? {
        let layout = RecordLayout(key: [LayoutField("", type)], fields: [])
        do throws(CodingError) {
            return try layout.writeKey(StoredFields([StoredFields.Field("", self)]))
        } catch {
            return nil
        }
    }

    /// Returns whether two values without an order are the same.
    fileprivate func isSame(as other: FieldValue) -> Bool { self == other }
}
