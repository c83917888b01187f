// The closures of conversions between numbers, and between numbers and their texts.

extension Conversions {
    static func checked(_ integer: ScalarLayout) -> Conversion {
        { (value, _) throws(CodingError) in
            guard integer.type.contains(value) else { throw failure(value, "\(integer)") }
            return value
        }
    }

    static let integerToDouble: Conversion = { (value, _) throws(CodingError) in
        guard let number = value.exactDouble else { throw failure(value, "Double") }
        return .double(number)
    }

    static let integerToFloat: Conversion = { (value, _) throws(CodingError) in
        guard let number = value.exactDouble.flatMap({ Float(exactly: $0) }) else {
            throw failure(value, "Float")
        }
        return .float(number)
    }

    static let floatToDouble: Conversion = { (value, _) throws(CodingError) in
        guard case .float(let number) = value else { throw failure(value, "Double") }
        return .double(Double(number))
    }

    static let doubleToFloat: Conversion = { (value, _) throws(CodingError) in
        guard case .double(let number) = value else { throw failure(value, "Float") }
        let float = Float(number)
        guard float.isNaN && number.isNaN || Double(float) == number else { throw failure(value, "Float") }
        return .float(float)
    }

    static func toInteger(_ integer: ScalarLayout) -> Conversion {
        { (value, _) throws(CodingError) in
            let number: FieldValue? =
                switch value {
                case .float(let number): FieldValue(exactly: Double(number))
                case .double(let number): FieldValue(exactly: number)
                default: nil
                }
            guard let number, integer.type.contains(number) else { throw failure(value, "\(integer)") }
            return number
        }
    }

    static let toText: Conversion = { (value, _) throws(CodingError) in
        guard let text = value.numberText else { throw failure(value, "String") }
        return .string(text)
    }

    /// Accepts only the number's own text: nothing is lost, and the conversion back gives the same text.
    static func ofText(_ type: LayoutType) -> Conversion {
        { (value, _) throws(CodingError) in
            guard case .string(let text) = value else { throw failure(value, "\(type)") }
            do throws(CodingError) {
                let number = try FieldValue(text: text, as: type)
                if number.numberText == text { return number }
            } catch {
                // The text is not a number.
            }
            throw failure(value, "\(type)")
        }
    }
}

extension FieldValue {
    /// The text of a number or Bool; nil for other values.
    fileprivate var numberText: String? {
        switch self {
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .bool(let value): "\(value)"
        default: nil
        }
    }

    /// The same number as a Double; nil if there is none.
    fileprivate var exactDouble: Double? {
        switch self {
        // 128 bits take ten times as long.
        case .integer(let value): Int64(exactly: value).map { Double(exactly: $0) } ?? Double(exactly: value)
        case .unsigned(let value): Double(exactly: value)
        default: nil
        }
    }

    /// Creates the integer equal to a number; nil if there is none.
    fileprivate init?(exactly number: Double) {
        if let value = Int128(exactly: number) {
            self = .integer(value)
        } else if let value = UInt128(exactly: number) {
            self = .unsigned(value)
        } else {
            return nil
        }
    }
}
