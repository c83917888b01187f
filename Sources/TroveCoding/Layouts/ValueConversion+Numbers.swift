// Conversions between numbers, and between numbers and their texts. Each pair of types has rules of its own.

/// A layout whose values convert to other layouts of this list.
private enum NumberLayout {
    case integer(ScalarLayout, bits: Int, isSigned: Bool)
    case float
    case double
    case bool
    case string

    /// Creates the kind of a layout; nil if its values do not convert to another scalar.
    init?(_ type: LayoutType) {
        guard case .scalar(let scalar) = type else { return nil }
        switch scalar.type {
        case let integer as any StoredInteger.Type:
            self = .integer(scalar, bits: integer.bitWidth, isSigned: integer.isSigned)
        case is Float.Type: self = .float
        case is Double.Type: self = .double
        case is Bool.Type: self = .bool
        case is String.Type: self = .string
        default: return nil
        }
    }
}

extension ValueConversion {
    /// Returns the conversion between two scalar types.
    ///
    /// - Throws: `types` if there is none.
    static func number(_ old: LayoutType, _ new: LayoutType) throws(Mismatch) -> ValueConversion {
        guard let oldNumber = NumberLayout(old), let newNumber = NumberLayout(new) else { throw .types }
        switch (oldNumber, newNumber) {
        case (.integer(_, let bits, let isSigned), .integer(let other, let otherBits, let otherIsSigned)):
            guard bits < otherBits, isSigned == otherIsSigned || !isSigned else {
                let kept = ByteChange.narrowed(to: otherBits / 8, wasSigned: isSigned, isSigned: otherIsSigned)
                return ValueConversion(
                    canFail: true, bytes: bits < otherBits ? .rewritten : kept, convert: Conversions.checked(other))
            }
            let added = (otherBits - bits) / 8
            return ValueConversion(bytes: .widened(by: added, isSigned: isSigned), convert: Conversions.identity)
        case (.integer(_, let bits, _), .double):
            return ValueConversion(canFail: bits > 32, convert: Conversions.integerToDouble)
        case (.integer(_, let bits, _), .float):
            return ValueConversion(canFail: bits > 16, convert: Conversions.integerToFloat)
        case (.float, .double): return ValueConversion(convert: Conversions.floatToDouble)
        case (.double, .float): return ValueConversion(canFail: true, convert: Conversions.doubleToFloat)
        case (.float, .integer(let other, _, _)), (.double, .integer(let other, _, _)):
            return ValueConversion(canFail: true, convert: Conversions.toInteger(other))
        case (.integer, .string), (.float, .string), (.double, .string), (.bool, .string):
            return ValueConversion(convert: Conversions.toText)
        case (.string, .integer), (.string, .bool):
            return ValueConversion(canFail: true, convert: Conversions.ofText(new))
        case (.string, .float), (.string, .double):
            // In a key, -0.0 is 0.0, and all NaNs are the same; their texts differ.
            return ValueConversion(canFail: true, isInjective: false, convert: Conversions.ofText(new))
        default: throw .types
        }
    }
}
