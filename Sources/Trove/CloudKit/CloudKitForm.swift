// The forms of stored values in CloudKit, by their layout:
//
//     scalar                   CloudKitScalar.swift has the table
//     raw values               the form of the raw value
//     T?                       an absent field | the form of T
//     [scalar], Set<scalar>    an absent field if empty | a list
//     [scalar]?, Set<scalar>?  an absent field | data: the JSON of dumps. CloudKit refuses an empty list in a new field
//     Codable                  data: the stored JSON; an absent field for the nil of an optional Codable type
//     anything else            data: the JSON of dumps
//
// A form follows from the layout alone, since CloudKit gives each field one type. Devices share records in these forms:
// a form never changes.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import TroveCoding

/// The form of a property's values.
struct CloudKitForm: Equatable, Sendable {
    /// The form of a value that is not nil.
    enum Shape: Equatable, Sendable {
        case scalar(CloudKitScalar)
        case list(CloudKitScalar)
        /// The JSON of a `Codable` type, as it is stored.
        case codable
        /// The JSON of any other value, as in dumps.
        case json
    }

    let shape: Shape
    /// The value of an absent field; nil if there is none.
    let absent: FieldValue?

    init(_ type: LayoutType) {
        let type = type.withoutRawValues
        if case .optional(let wrapped) = type {
            // An optional in an optional has two values without a value inside.
            let inner = Self.shape(of: wrapped.withoutRawValues)
            // CloudKit refuses an empty list as the first value of a field.
            shape = if case .list = inner { .json } else { wrapped.hasNull ? .json : inner }
            absent = .null
            return
        }
        shape = Self.shape(of: type)
        absent =
            switch type {
            case .json(let name) where name.hasPrefix("Optional<"): .json("null")
            case .array, .set: if case .list = shape { .array([]) } else { nil }
            default: nil
            }
    }

    private static func shape(of type: LayoutType) -> Shape {
        switch type {
        case .scalar(let scalar): return .scalar(CloudKitScalar(scalar))
        case .array(let element), .set(let element):
            guard case .scalar(let scalar) = element.withoutRawValues else { return .json }
            return .list(CloudKitScalar(scalar))
        case .json: return .codable
        default: return .json
        }
    }

    /// Whether the values are bytes, which can be in a file.
    var isData: Bool { [.scalar(.data), .codable, .json].contains(shape) }

    /// Returns a value as this form writes it: CloudKit can return a number without a fraction as an integer, and the
    /// reverse.
    func normalized(_ value: CloudKitValue) -> CloudKitValue {
        func normalized(_ value: CloudKitValue, _ scalar: CloudKitScalar) -> CloudKitValue {
            scalar.stored(value).flatMap { scalar.value(of: $0) } ?? value
        }
        return switch (shape, value) {
        case (.scalar(let scalar), _): normalized(value, scalar)
        case (.list(let scalar), .list(let values)): .list(values.map { normalized($0, scalar) })
        default: value
        }
    }

    /// The type in words, for errors.
    var words: String {
        switch shape {
        case .scalar(let scalar): scalar.words
        case .list(let scalar): "a list in which each element is \(scalar.words)"
        case .codable, .json: "JSON as Data"
        }
    }

    /// Returns the form of a stored value; nil for an absent field.
    ///
    /// - Throws: ``/TroveCoding/CodingError`` for a value of another type.
    func value(of field: StoredFields.Field) throws(CodingError) -> CloudKitValue? {
        if field.value == absent { return nil }
        var value: CloudKitValue?
        switch (shape, field.value) {
        case (.scalar(let scalar), let stored): value = scalar.value(of: stored)
        case (.list(let scalar), .array(let elements)):
            let values = elements.compactMap { scalar.value(of: $0) }
            value = values.count == elements.count ? .list(values) : nil
        case (.codable, .json(let text)): value = .data(Data(text.utf8))
        case (.json, _): value = .data(Data(field.json.utf8))
        default: value = nil
        }
        guard let value else { throw CodingError(.unencodable("the value is not \(words)")) }
        return value
    }
}

extension LayoutType {
    /// The layout of the raw values; for a descending key component, the layout of the values.
    var withoutRawValues: LayoutType {
        switch self {
        case .rawValue(let base), .descending(let base): base.withoutRawValues
        default: self
        }
    }

    /// Returns the layout without references to the record that contains it, whose fields replace them.
    ///
    /// - Parameters:
    ///   - record: The layout of the record.
    ///   - level: The number of records and enums from the record to this layout.
    func replacingReferences(to record: LayoutType, level: Int = 1) -> LayoutType {
        func replaced(_ type: LayoutType, _ level: Int) -> LayoutType {
            type.replacingReferences(to: record, level: level)
        }
        return switch self {
        case .enclosing(level): record
        case .optional(let type): .optional(replaced(type, level))
        case .array(let type): .array(replaced(type, level))
        case .set(let type): .set(replaced(type, level))
        case .dictionary(let key, let value): .dictionary(key: replaced(key, level), value: replaced(value, level))
        case .record(let fields): .record(fields.map { $0.with(replaced($0.type, level + 1)) })
        case .enumeration(let cases):
            .enumeration(
                cases.map { element in
                    LayoutCase(
                        element.name,
                        element.values.map { .init(label: $0.label, type: replaced($0.type, level + 1)) })
                })
        default: self
        }
    }
}

extension LayoutField {
    /// Returns the field with another type, and the same rule.
    func with(_ type: LayoutType) -> LayoutField {
        var field = self
        field.type = type
        return field
    }
}
