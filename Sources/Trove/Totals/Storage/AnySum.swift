// An exact sum of any family, as the totals of a group store it.
//
//     bytes = family sum      family: 1 integers, 2 floating-point numbers, 3 decimal numbers

import LMDB
import TroveCoding

/// An exact sum of any family.
enum AnySum: Hashable, Sendable {
    case integer(_IntegerSum)
    case floatingPoint(_FloatingPointSum)
    case decimal(_DecimalSum)

    private enum Family {
        static let integer: UInt8 = 1
        static let floatingPoint: UInt8 = 2
        static let decimal: UInt8 = 3
    }

    /// The sum of a number, or of its opposite.
    ///
    /// - Parameter sign: 1 or -1.
    init(_ number: SumColumn.Summand, _ sign: Int) {
        switch number {
        case .integer: self = .integer(.zero)
        case .floatingPoint: self = .floatingPoint(.zero)
        case .decimal: self = .decimal(.zero)
        }
        _ = add(number, sign)
    }

    /// The sum of no numbers of a family; nil for a type that is no family.
    init?(zeroOf type: (some _ExactSum).Type) {
        if type == _IntegerSum.self {
            self = .integer(.zero)
        } else if type == _FloatingPointSum.self {
            self = .floatingPoint(.zero)
        } else if type == _DecimalSum.self {
            self = .decimal(.zero)
        } else {
            return nil
        }
    }

    /// Adds a number, or takes it away. Returns false for a number of another family.
    ///
    /// - Parameter sign: 1 or -1.
    mutating func add(_ number: SumColumn.Summand, _ sign: Int) -> Bool {
        switch (consume self, number) {
        case (.integer(var sum), .integer(let high, let low)):
            let number = _IntegerSum(high: high, low: low)
            if sign > 0 { sum.add(number) } else { sum.subtract(number) }
            self = .integer(sum)
        case (.floatingPoint(var sum), .floatingPoint(let number)):
            if sign > 0 { sum.add(number) } else { sum.subtract(number) }
            self = .floatingPoint(sum)
        case (.decimal(var sum), .decimal(let key)):
            sum.add(DecimalDigits(key: key), sign)
            self = .decimal(sum)
        case (let other, _):
            self = other
            return false
        }
        return true
    }

    /// Adds another sum. Returns false for a sum of another family.
    mutating func add(_ other: AnySum) -> Bool {
        switch (consume self, other) {
        case (.integer(var sum), .integer(let other)):
            sum.add(other)
            self = .integer(sum)
        case (.floatingPoint(var sum), .floatingPoint(let other)):
            sum.add(other)
            self = .floatingPoint(sum)
        case (.decimal(var sum), .decimal(let other)):
            sum.add(other)
            self = .decimal(sum)
        case (let own, _):
            self = own
            return false
        }
        return true
    }

    var isZero: Bool {
        switch self {
        case .integer(let sum): sum.isZero
        case .floatingPoint(let sum): sum.isZero
        case .decimal(let sum): sum.isZero
        }
    }

    /// Returns whether a number of numbers can have the sum: those that are not finite are among them.
    func isPossible(count: Int) -> Bool {
        switch self {
        case .integer: true
        case .floatingPoint(let sum): sum.isPossible(count: count)
        case .decimal(let sum): sum.isPossible(count: count)
        }
    }

    /// Returns the sum of a family; nil for a sum of another one.
    func sum<Sum: _ExactSum>(as type: Sum.Type) -> Sum? {
        switch self {
        case .integer(let sum): sum as? Sum
        case .floatingPoint(let sum): sum as? Sum
        case .decimal(let sum): sum as? Sum
        }
    }

    // MARK: Bytes

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .integer(let sum):
            bytes.append(Family.integer)
            sum.append(to: &bytes)
        case .floatingPoint(let sum):
            bytes.append(Family.floatingPoint)
            sum.append(to: &bytes)
        case .decimal(let sum):
            bytes.append(Family.decimal)
            sum.append(to: &bytes)
        }
    }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        switch try reader.readByte() {
        case Family.integer: self = .integer(try _IntegerSum(decoding: &reader))
        case Family.floatingPoint: self = .floatingPoint(try _FloatingPointSum(decoding: &reader))
        case Family.decimal: self = .decimal(try _DecimalSum(decoding: &reader))
        default: throw reader.malformed("a family of numbers")
        }
    }
}
