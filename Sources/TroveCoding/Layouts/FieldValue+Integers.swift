// Integers of every width, read and written by one generic function each.

/// The type of the integers of a layout.
func integerType(_ bits: Int, _ isSigned: Bool) -> any StoredInteger.Type {
    switch bits {
    case 8: isSigned ? Int8.self : UInt8.self
    case 16: isSigned ? Int16.self : UInt16.self
    case 32: isSigned ? Int32.self : UInt32.self
    case 64: isSigned ? Int64.self : UInt64.self
    default: isSigned ? Int128.self : UInt128.self
    }
}

extension FieldValue {
    /// The value of an integer.
    init(integer: some StoredInteger) {
        self = Int128(exactly: integer).map { .integer($0) } ?? .unsigned(UInt128(truncatingIfNeeded: integer))
    }

    /// The value as an integer of a type that can hold it.
    func integer<Integer: StoredInteger>(_: Integer.Type) throws(CodingError) -> Integer {
        let integer: Integer?
        switch self {
        case .integer(let value): integer = Integer(exactly: value)
        case .unsigned(let value): integer = Integer(exactly: value)
        default: throw CodingError(.unencodable("the value is not of its layout's type"))
        }
        guard let integer else { throw CodingError(.unencodable("the number is out of the range of \(Integer.self)")) }
        return integer
    }
}
