// How a value of one layout becomes one of another.
//
//     T            → T                       as it is
//     T            → T?                      wrapped
//     T?           → T                       nil takes the field's default, where it has one
//     integer      → integer                 in range
//     integer      ↔ Float, Double           exactly
//     Float        ↔ Double                  exactly
//     number, Bool ↔ String                  the number's own text, exactly
//     raw value    ↔ its layout, other raw   by the raw value; whether the type knows it is asked when it is decoded
//     [T], Set<T>  → [U];  [K:T] → [K:U]     each element
//     Set<T>       → Set<U>                  each element, where no two become the same
//     record       → record                  by the names of the fields
//     enum         → enum                    by the names of the cases, their values by label, else by place
//     json         → json                    as it is: its own decoder decides
//     ^n           → ^n                      as the record or enum that contains it

/// Converts values of one layout into another, where that loses nothing.
public struct ValueConversion: Sendable {
    /// Whether there are values that cannot be converted.
    public let canFail: Bool
    let convert: Conversions.Conversion

    /// Finds the conversion; nil where there is none.
    init?(from old: LayoutType, to new: LayoutType) {
        guard let found = Self.conversion(old, new) else { return nil }
        self = found
    }

    init(canFail: Bool, _ convert: @escaping Conversions.Conversion) {
        self.canFail = canFail
        self.convert = convert
    }

    static let identity = ValueConversion(canFail: false, Conversions.identity)

    private static func conversion(_ old: LayoutType, _ new: LayoutType) -> ValueConversion? {
        // The same words mean another type where what they refer to has changed.
        if old == new, old.reach == 0 { return identity }
        switch (old, new) {
        case (.rawValue(let raw), _): return conversion(raw, new)
        // A raw value that the type does not know shows when the record is decoded.
        case (_, .rawValue(let raw)): return conversion(old, raw).map { $0.failing() }
        case (.descending(let base), _): return conversion(base, new)
        case (_, .descending(let base)): return conversion(old, base)
        case (.optional(let wrapped), .optional(let other)):
            return conversion(wrapped, other).map { Conversions.optional($0, of: other) }
        case (_, .optional(let wrapped)):
            return conversion(old, wrapped).map { Conversions.wrapping($0, in: wrapped) }
        case (.optional(let wrapped), _): return conversion(wrapped, new).map(Conversions.unwrapping)
        case (.array(let element), .array(let other)), (.set(let element), .array(let other)):
            return conversion(element, other).map(Conversions.elements)
        case (.set(let element), .set(let other)):
            return conversion(element, other).map(Conversions.elements).map(Conversions.distinct)
        case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue))
        where key == otherKey && key.reach == 0:
            return conversion(value, otherValue).map(Conversions.entries)
        case (.record(let fields), .record(let others)):
            return RecordConversion.fields(fields, others)
        case (.enumeration(let cases), .enumeration(let others)): return enumeration(cases, others)
        case (.json, .json): return identity.failing()
        case (.enclosing(let level), .enclosing(let other)) where level == other:
            return ValueConversion(canFail: false, Conversions.enclosing(level))
        default: return number(old, new)
        }
    }

    private func failing() -> ValueConversion { ValueConversion(canFail: true, convert) }

    // MARK: Numbers and their texts

    private static func number(_ old: LayoutType, _ new: LayoutType) -> ValueConversion? {
        switch (old, new) {
        case (.integer(let bits, let isSigned), .integer(let otherBits, let otherIsSigned)):
            let fits = isSigned == otherIsSigned ? bits <= otherBits : !isSigned && bits < otherBits
            return fits ? identity : ValueConversion(canFail: true, Conversions.checked(otherBits, otherIsSigned))
        case (.integer(let bits, _), .double):
            return ValueConversion(canFail: bits > 32, Conversions.integerToDouble)
        case (.integer(let bits, _), .float): return ValueConversion(canFail: bits > 16, Conversions.integerToFloat)
        case (.float, .double): return ValueConversion(canFail: false, Conversions.floatToDouble)
        case (.double, .float): return ValueConversion(canFail: true, Conversions.doubleToFloat)
        case (.float, .integer(let bits, let isSigned)), (.double, .integer(let bits, let isSigned)):
            return ValueConversion(canFail: true, Conversions.toInteger(bits, isSigned))
        case (.integer, .string), (.float, .string), (.double, .string), (.bool, .string):
            return ValueConversion(canFail: false, Conversions.toText)
        case (.string, .integer), (.string, .float), (.string, .double), (.string, .bool):
            return ValueConversion(canFail: true, Conversions.ofText(new))
        default: return nil
        }
    }

    // MARK: Enums

    private static func enumeration(_ cases: [LayoutCase], _ others: [LayoutCase]) -> ValueConversion? {
        var conversions: [String: [AssociatedConversion]] = [:]
        for old in cases {
            guard let new = others.first(where: { $0.name == old.name }) else { continue }
            guard let values = associated(old.values, new.values) else { return nil }
            conversions[old.name] = values
        }
        guard !conversions.isEmpty else { return nil }
        let canFail = conversions.count < cases.count || conversions.values.joined().contains { $0.conversion.canFail }
        return Conversions.cases(conversions, canFail: canFail)
    }

    struct AssociatedConversion: Sendable {
        var label: String?
        /// Which of the old values; nil for a new one that can be nil.
        var source: Int?
        var conversion: ValueConversion
    }

    private static func associated(
        _ old: [LayoutCase.Value], _ new: [LayoutCase.Value]
    ) -> [AssociatedConversion]? {
        var result: [AssociatedConversion] = []
        for (index, value) in new.enumerated() {
            let byLabel = value.label.flatMap { label in old.firstIndex { $0.label == label } }
            let byPlace = old.indices.contains(index) && old[index].label == value.label ? index : nil
            if let source = byLabel ?? byPlace {
                guard let conversion = ValueConversion(from: old[source].type, to: value.type) else { return nil }
                result.append(AssociatedConversion(label: value.label, source: source, conversion: conversion))
            } else if case .optional = value.type {
                result.append(AssociatedConversion(label: value.label, source: nil, conversion: identity))
            } else {
                return nil
            }
        }
        return result
    }
}
