// Conversions of values between layouts.
//
//     T            → T                       as it is
//     T            → T?                      wrapped
//     T?           → T                       nil becomes the field's default, if it has one
//     integer      → integer                 in range
//     integer      ↔ Float, Double           exactly
//     Float        ↔ Double                  exactly
//     number, Bool ↔ String                  the number's own text, exactly
//     raw value    ↔ its layout, other raw   by the raw value; the type's own decoder checks whether it is valid
//     [T], Set<T>  → [U];  [K:T] → [K:U]     each element
//     Set<T>       → Set<U>                  each element, if no two become the same
//     record       → record                  by the names of the fields
//     enum         → enum                    by the names of the cases; their values by label, or by place if one of
//                                            the two has no label
//     json         → json                    as it is: the type's own decoder decides
//     ^n           → ^n                      as the record or enum that contains it

/// A lossless conversion of values from one layout to another.
struct ValueConversion: Sendable {
    /// Whether some values cannot be converted.
    var canFail = false
    /// Whether different values stay different as components of a key.
    var isInjective = true
    /// The effect on the value's bytes.
    var bytes = ByteChange.rewritten
    let convert: Conversions.Conversion

    static let identity = ValueConversion(bytes: .none, convert: Conversions.identity)

    /// The reason for a missing conversion.
    enum Mismatch: Error {
        /// The types themselves do not convert.
        case types
        /// A field inside the value does not convert.
        case inside(ConversionError)
    }

    /// Plans the conversion.
    init(from old: LayoutType, to new: LayoutType) throws(Mismatch) { self = try Self.conversion(old, new) }

    init(
        canFail: Bool = false, isInjective: Bool = true, bytes: ByteChange = .rewritten,
        convert: @escaping Conversions.Conversion
    ) {
        self.canFail = canFail
        self.isInjective = isInjective
        self.bytes = bytes
        self.convert = convert
    }

    private static func conversion(
        _ old: LayoutType, _ new: LayoutType
    ) throws(Mismatch) -> ValueConversion {
        // The same text means another type if an enclosing type that it refers to has changed.
        if old == new, old.reach == 0 { return old.mayBeRefused ? identity.failing() : identity }
        switch (old, new) {
        case (.rawValue(let raw), _): return try conversion(raw, new)
        // The type's own decoder rejects an unknown raw value, also if the layout stays the same: it does if a case is
        // removed.
        case (_, .rawValue(let raw)): return try conversion(old, raw).failing()
        case (.descending(let base), _): return try conversion(base, new)
        case (_, .descending(let base)): return try conversion(old, base)
        case (.optional(let wrapped), .optional(let other)):
            return Conversions.optional(try conversion(wrapped, other), of: other)
        case (_, .optional(let wrapped)): return Conversions.wrapping(try conversion(old, wrapped), in: wrapped)
        case (.optional(let wrapped), _): return Conversions.unwrapping(try conversion(wrapped, new))
        case (.array(let element), .array(let other)), (.set(let element), .array(let other)):
            return Conversions.elements(try conversion(element, other))
        case (.set(let element), .set(let other)):
            return Conversions.distinct(Conversions.elements(try conversion(element, other)))
        case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue))
        where key == otherKey && key.reach == 0:
            return Conversions.entries(try conversion(value, otherValue))
        case (.record(let fields), .record(let others)):
            return try record(fields, others)
        case (.enumeration(let cases), .enumeration(let others)): return try enumeration(cases, others)
        case (.json, .json): return identity.failing()
        case (.enclosing(let level), .enclosing(let other)) where level == other:
            // If all other bytes of the enclosing type stay the same, these bytes do too.
            return ValueConversion(bytes: .none, convert: Conversions.enclosing(level))
        default: return try number(old, new)
        }
    }

    private func failing() -> ValueConversion {
        ValueConversion(canFail: true, isInjective: isInjective, bytes: bytes, convert: convert)
    }

    // MARK: Records and enums

    private static func record(_ fields: [LayoutField], _ others: [LayoutField]) throws(Mismatch) -> ValueConversion {
        do throws(ConversionError) {
            return Conversions.record(try FieldMatch.all(from: fields, to: others), fieldCount: fields.count)
        } catch {
            throw .inside(error)
        }
    }

    private static func enumeration(
        _ cases: [LayoutCase], _ others: [LayoutCase]
    ) throws(Mismatch) -> ValueConversion {
        var conversions: [String: [AssociatedConversion]] = [:]
        var keepsBytes = true
        for (index, old) in cases.enumerated() {
            guard let newIndex = others.firstIndex(where: { $0.name == old.name }) else {
                keepsBytes = false
                continue
            }
            let values = try associated(old.values, others[newIndex].values)
            conversions[old.name] = values
            let keepsValues = values.enumerated().allSatisfy { $1.source == $0 && $1.conversion.bytes == .none }
            keepsBytes = keepsBytes && newIndex == index && values.count == old.values.count && keepsValues
        }
        guard !conversions.isEmpty else { throw .types }
        let canFail = conversions.count < cases.count || conversions.values.joined().contains { $0.conversion.canFail }
        return Conversions.cases(conversions, canFail: canFail, bytes: keepsBytes ? .none : .rewritten)
    }

    struct AssociatedConversion: Sendable {
        var label: String?
        /// The index of the old value; nil for a new value that can be nil.
        var source: Int?
        var conversion: ValueConversion
    }

    private static func associated(
        _ old: [LayoutCase.Value], _ new: [LayoutCase.Value]
    ) throws(Mismatch) -> [AssociatedConversion] {
        var result: [AssociatedConversion] = []
        for (value, source) in zip(new, sources(of: new, in: old)) {
            if let source {
                let conversion = try ValueConversion(from: old[source].type, to: value.type)
                result.append(AssociatedConversion(label: value.label, source: source, conversion: conversion))
            } else if case .optional = value.type {
                result.append(AssociatedConversion(label: value.label, source: nil, conversion: identity))
            } else {
                throw .types
            }
        }
        return result
    }

    /// Returns the index of the old value for each new value: by label if both have it, or by place if one of the two
    /// has no label. A value with another label in its place is a new value. No old value is used twice.
    static func sources(of new: [LayoutCase.Value], in old: [LayoutCase.Value]) -> [Int?] {
        var unused = Set(old.indices)
        let labeled = new.map { value in
            value.label.flatMap { label in old.indices.first { old[$0].label == label && unused.remove($0) != nil } }
        }
        return new.indices.map { index in
            if let source = labeled[index] { return source }
            let isByPlace = unused.contains(index) && (old[index].label == nil || new[index].label == nil)
            return isByPlace ? index : nil
        }
    }
}
