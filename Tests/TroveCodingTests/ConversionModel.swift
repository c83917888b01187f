// A model of types for the tests of conversions, with the documented result for each pair: a second, simple
// implementation of `RecordConversion`, value by value.

import TroveCoding

/// A type.
indirect enum Model {
    case scalar(String)
    case raw(String)
    case optional(Model)
    case array(Model)
    case set(Model)
    case dictionary(Model)
    case record([Field])
    case enumeration([Case])
    /// The record or enum that contains it, a number of levels up.
    case enclosing(Int)

    struct Field {
        var name: String
        var type: Model
        var oldNames: [String] = []
        var defaultValue: FieldValue?
    }

    struct Case {
        var name: String
        var values: [Value]
    }

    struct Value {
        var label: String?
        var type: Model
    }

    /// The number of levels above itself that the type refers to.
    var reach: Int {
        switch self {
        case .scalar, .raw: 0
        case .optional(let type), .array(let type), .set(let type), .dictionary(let type): type.reach
        case .record(let fields): max(0, (fields.map(\.type.reach).max() ?? 0) - 1)
        case .enumeration(let cases): max(0, (cases.flatMap { $0.values.map(\.type.reach) }.max() ?? 0) - 1)
        case .enclosing(let level): level
        }
    }

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    var text: String {
        switch self {
        case .scalar(let name): name
        case .raw(let name): "enum<\(name)>"
        case .optional(let wrapped): wrapped.text + "?"
        case .array(let element): "[\(element.text)]"
        case .set(let element): "Set<\(element.text)>"
        case .dictionary(let value): "[String:\(value.text)]"
        case .record(let fields): "{" + fields.map { $0.name + ":" + $0.type.text }.joined(separator: ",") + "}"
        case .enumeration(let cases): "enum{" + cases.map(\.text).joined(separator: ",") + "}"
        case .enclosing(let level): "^\(level)"
        }
    }

    /// Returns the layout, with the rules of the fields at every depth.
    func layout() throws -> LayoutType {
        switch self {
        case .scalar, .raw: try LayoutType(text)
        case .optional(let wrapped): .optional(try wrapped.layout())
        case .array(let element): .array(try element.layout())
        case .set(let element): .set(try element.layout())
        case .dictionary(let value): .dictionary(key: .string, value: try value.layout())
        case .record(let fields): .record(try fields.map { try $0.layout() })
        case .enumeration(let cases):
            .enumeration(
                try cases.map { element in
                    LayoutCase(
                        element.name,
                        try element.values.map { LayoutCase.Value(label: $0.label, type: try $0.type.layout()) })
                })
        case .enclosing(let level): .enclosing(level)
        }
    }
}

extension Model.Case {
    var text: String {
        let texts = values.map { ($0.label.map { $0 + ":" } ?? "") + $0.type.text }
        return texts.isEmpty ? name : name + "(" + texts.joined(separator: ",") + ")"
    }

    /// Returns the index of the old case's value for a value of this case.
    func source(of index: Int, in old: Model.Case) -> Int? {
        if let label = values[index].label, let source = old.values.firstIndex(where: { $0.label == label }) {
            return source
        }
        guard index < old.values.count else { return nil }
        let isClaimed = old.values[index].label.map { label in values.contains { $0.label == label } } ?? false
        let bothAreLabeled = values[index].label != nil && old.values[index].label != nil
        return isClaimed || bothAreLabeled ? nil : index
    }
}

extension Model.Field {
    func layout() throws -> LayoutField {
        var field = LayoutField(name, try type.layout())
        field.rule.oldNames = oldNames
        if let defaultValue {
            let alone = RecordLayout(key: [], fields: [field])
            let bytes = try alone.writeFields(StoredFields([StoredFields.Field(name, defaultValue)]))
            field.rule.defaultValue = DefaultValue(layout: { [text = type.text] in text }, bytes: bytes)
        }
        return field
    }

    /// Returns the old field of this field.
    func source(in old: [Model.Field]) -> Int? {
        if let index = old.firstIndex(where: { $0.name == name }) { return index }
        for oldName in oldNames.reversed() {
            if let index = old.firstIndex(where: { $0.name == oldName }) { return index }
        }
        return nil
    }
}

extension LayoutType {
    init(_ text: String) throws {
        let layout = try RecordLayout("(){value:\(text)}")
        self = layout.fields[0].type
    }
}

/// The properties of a conversion that do not depend on a value.
enum Verdict: Int {
    case none, mayFail, safe

    func and(_ other: Verdict) -> Verdict { rawValue < other.rawValue ? self : other }
}

/// Returns the documented properties of a pair of types.
enum Reference {
    static let scalars = [
        "Int8", "Int16", "Int64", "UInt8", "UInt64", "Float", "Double", "Bool", "String", "UUID", "Date", "Data",
        "Decimal",
    ]

    private static let numbers = ["Int8", "Int16", "Int64", "UInt8", "UInt64", "Float", "Double"]

    private static let safe: [String: [String]] = [
        "Int8": ["Int16", "Int64", "Float", "Double", "String"], "Int16": ["Int64", "Float", "Double", "String"],
        "Int64": ["String"], "UInt8": ["Int16", "Int64", "UInt64", "Float", "Double", "String"], "UInt64": ["String"],
        "Float": ["Double", "String"], "Double": ["String"], "Bool": ["String"],
    ]

    private static func scalar(_ old: String, _ new: String) -> Verdict {
        if old == new || safe[old]?.contains(new) == true { return .safe }
        if numbers.contains(new), numbers.contains(old) || old == "String" { return .mayFail }
        return old == "String" && new == "Bool" ? .mayFail : .none
    }

    static func verdict(_ old: Model, _ new: Model, hasDefault: Bool = false) -> Verdict {
        // The type may no longer have every raw value.
        if old.text == new.text, old.reach == 0 { return new.text.contains("enum<") ? .mayFail : .safe }
        return switch (old, new) {
        case (.optional(let old), _) where hasDefault && !new.isOptional: verdict(old, new)
        case (.raw(let raw), _): verdict(.scalar(raw), new)
        case (_, .raw(let raw)): verdict(old, .scalar(raw)).and(.mayFail)
        case (.scalar(let old), .scalar(let new)): scalar(old, new)
        case (.optional(let old), .optional(let new)): verdict(old, new)
        case (_, .optional(let new)): verdict(old, new)
        case (.optional(let old), _): verdict(old, new).and(.mayFail)
        case (.array(let old), .array(let new)), (.set(let old), .array(let new)): verdict(old, new)
        case (.set(let old), .set(let new)): verdict(old, new).and(.mayFail)
        case (.dictionary(let old), .dictionary(let new)): verdict(old, new)
        case (.record(let old), .record(let new)):
            new.reduce(.safe) { $0.and(verdict(of: $1, among: old)) }
        case (.enumeration(let old), .enumeration(let new)): cases(old, new)
        // A conversion that is missing inside is missing for the enclosing type too.
        case (.enclosing(let old), .enclosing(let new)): old == new ? .safe : .none
        default: .none
        }
    }

    /// Returns the properties of the conversion of a field.
    static func verdict(of field: Model.Field, among old: [Model.Field]) -> Verdict {
        let hasDefault = field.defaultValue != nil
        guard let source = field.source(in: old) else { return field.type.isOptional || hasDefault ? .safe : .none }
        return verdict(old[source].type, field.type, hasDefault: hasDefault)
    }

    private static func cases(_ old: [Model.Case], _ new: [Model.Case]) -> Verdict {
        var result = Verdict.safe
        var common = 0
        for element in old {
            guard let other = new.first(where: { $0.name == element.name }) else {
                result = result.and(.mayFail)
                continue
            }
            common += 1
            for (index, value) in other.values.enumerated() {
                let source = other.source(of: index, in: element)
                let isPossible: Verdict = value.type.isOptional ? .safe : .none
                result = result.and(source.map { verdict(element.values[$0].type, value.type) } ?? isPossible)
            }
        }
        return common > 0 ? result : .none
    }
}
