// Exact sums: nothing is rounded before the end, and what was taken away leaves no trace.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

/// A sum of floating-point numbers with a counter for each power of two.
private struct BitSum {
    private var bits = [Int](repeating: 0, count: 2_400)

    mutating func add(_ number: Double) {
        let sign = number.sign == .minus ? -1 : 1
        let significand = number.significandBitPattern | (number.isNormal ? 1 << 52 : 0)
        let shift = number.isNormal ? Int(number.exponentBitPattern) - 1 : 0
        for bit in 0..<53 where significand >> UInt64(bit) & 1 == 1 { bits[shift + bit] += sign }
    }

    /// The nearest number; of two, the even one.
    var number: Double {
        var (sum, isNegative) = (carried, false)
        if sum.last == -1 {
            isNegative = true
            sum = BitSum(opposite: self).carried
        }
        guard let top = sum.lastIndex(of: 1) else { return 0 }
        let last = max(top - 52, 0)
        var significand: UInt64 = 0
        for bit in (last...top).reversed() { significand = significand << 1 | UInt64(sum[bit]) }
        if last > 0, sum[last - 1] == 1 {
            let isMore = sum[..<(last - 1)].contains(1)
            if isMore || significand & 1 == 1 { significand += 1 }
        }
        let number = scalbn(Double(significand), last - 1_074)
        return isNegative ? -number : number
    }

    init() {}

    private init(opposite other: BitSum) { bits = other.bits.map { -$0 } }

    /// The bits, each 0 or 1. The last is -1 for a negative sum.
    private var carried: [Int] {
        var (all, carry) = (bits, 0)
        for place in all.indices {
            let sum = all[place] + carry
            all[place] = sum & 1
            carry = sum >> 1
        }
        return all + [carry]
    }
}

@Suite("Exact sums") struct ExactSumTests {
    private func bytes(_ sum: _FloatingPointSum) -> [UInt8] {
        var bytes: [UInt8] = []
        sum.append(to: &bytes)
        return bytes
    }

    private func number(using random: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return Double.random(in: -1e6...1e6, using: &random)
        case 1: return Double(Int.random(in: -9...9, using: &random))
        case 2: return scalbn(Double.random(in: -1...1, using: &random), Int.random(in: -1_074...900, using: &random))
        default:
            let number = Double(bitPattern: UInt64.random(in: 0...(.max), using: &random))
            return number.isFinite ? number : .leastNonzeroMagnitude
        }
    }

    @Test func floatingPointNumbers_areAddedExactly_andRoundedOnce() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let note: Comment = "TROVE_TEST_SEED=\(seed)"
        for _ in 0..<150 {
            let numbers = (0..<Int.random(in: 0..<40, using: &random)).map { _ in number(using: &random) }
            var sum = _FloatingPointSum.zero
            var model = BitSum()
            for number in numbers {
                sum.add(number)
                model.add(number)
            }
            let found: Double = sum.number()
            #expect(found.bitPattern == model.number.bitPattern, note)
            // In another order, with numbers that come and go, and in parts.
            var (first, second) = (_FloatingPointSum.zero, _FloatingPointSum.zero)
            let others = (0..<9).map { _ in number(using: &random) }
            for number in others { first.add(number) }
            for number in numbers.shuffled(using: &random) {
                if Bool.random(using: &random) { first.add(number) } else { second.subtract(number) }
            }
            for number in others.reversed() { first.subtract(number) }
            first.subtract(second)
            #expect(first == sum, note)
            #expect(bytes(first) == bytes(sum), note)
            let read = try bytes(sum).withRawSpan { (span) throws(CodingError) in
                try ValueReader.read(span) { (reader) throws(CodingError) in try _FloatingPointSum(decoding: &reader) }
            }
            #expect(read == sum, note)
            first.subtract(sum)
            #expect(first.isZero, note)
            // A shorter type is rounded from the exact sum.
            var single = _FloatingPointSum.zero
            let floats = (0..<9).map { _ in Float.random(in: -1e9...1e9, using: &random) }
            for float in floats { single.add(Double(float)) }
            let exact = floats.reduce(Int128(0)) { $0 + Int128(Double($1) * scalbn(1, 60)) }
            let shortened: Float = single.number()
            #expect(shortened == Float(exact) * scalbn(1, -60), note)
        }
    }

    @Test func manyNumbers_areCarried_andSpecialNumbersAreCounted() {
        var sum = _FloatingPointSum.zero
        for _ in 0..<5_000 { sum.add(.greatestFiniteMagnitude) }
        #expect(sum.number(as: Double.self) == .infinity)
        for _ in 0..<4_999 { sum.subtract(.greatestFiniteMagnitude) }
        #expect(sum.number(as: Double.self) == .greatestFiniteMagnitude)
        sum.add(.infinity)
        #expect(sum.number(as: Double.self) == .infinity)
        sum.add(-.infinity)
        #expect(sum.number(as: Double.self).isNaN)
        sum.subtract(.infinity)
        #expect(sum.number(as: Double.self) == -.infinity)
        sum.add(.nan)
        #expect(sum.number(as: Float.self).isNaN)
        sum.subtract(.nan)
        sum.subtract(-.infinity)
        #expect(sum.number(as: Double.self) == .greatestFiniteMagnitude)
        var tenths = _FloatingPointSum.zero
        for _ in 0..<10 { tenths.add(0.1) }
        #expect(tenths.number(as: Double.self) == 1)
        #expect(_FloatingPointSum.zero.number(as: Double.self).sign == .plus)
    }

    @Test func integers_areAddedIn192Bits() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for _ in 0..<300 {
            let numbers = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                Int128(Int64.random(in: .min...(.max), using: &random)) << Int128.random(in: 0...50, using: &random)
            }
            var sum = _IntegerSum.zero
            for number in numbers { sum.add(number) }
            let expected = numbers.reduce(0, +)
            #expect(sum.integer(as: Int128.self) == expected, "TROVE_TEST_SEED=\(seed)")
            #expect(sum.double == Double(expected), "TROVE_TEST_SEED=\(seed)")
            #expect(sum.integer(as: Int8.self) == Int8(exactly: expected))
            #expect(sum.integer(as: UInt64.self) == UInt64(exactly: expected))
            var bytes: [UInt8] = []
            sum.append(to: &bytes)
            let read = try bytes.withRawSpan { (span) throws(CodingError) in
                try ValueReader.read(span) { (reader) throws(CodingError) in try _IntegerSum(decoding: &reader) }
            }
            #expect(read == sum, "TROVE_TEST_SEED=\(seed)")
        }
        var large = _IntegerSum.zero
        for _ in 0..<3 { large.add(UInt128.max) }
        #expect(large.integer(as: UInt128.self) == nil)
        #expect(large.double == 3 * Double(UInt128.max))
        for _ in 0..<2 { large.subtract(UInt128.max) }
        #expect(large.integer(as: UInt128.self) == .max)
        for _ in 0..<4 { large.add(Int128.min) }
        #expect(large.integer(as: Int128.self) == nil)
        #expect(large.double == -Double(UInt128.max))
        var small = _IntegerSum.zero
        var bytes: [UInt8] = []
        small.append(to: &bytes)
        small.add(-1)
        small.append(to: &bytes)
        small.add(129)
        small.append(to: &bytes)
        #expect(bytes == [0, 1, 0xFF, 2, 0x80, 0])
    }

    @Test func decimals_areAddedExactly_andRoundedOnce() throws {
        func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for _ in 0..<200 {
            var (sum, expected) = (_DecimalSum.zero, 0)
            for _ in 0..<Int.random(in: 0..<9, using: &random) {
                let number = Int.random(in: -1_000_000...1_000_000, using: &random)
                sum.add(Decimal(number) / 1_000)
                expected += number
            }
            #expect(sum.decimal == Decimal(expected) / 1_000, "TROVE_TEST_SEED=\(seed)")
            var bytes: [UInt8] = []
            sum.append(to: &bytes)
            let read = try bytes.withRawSpan { (span) throws(CodingError) in
                try ValueReader.read(span) { (reader) throws(CodingError) in try _DecimalSum(decoding: &reader) }
            }
            #expect(read == sum, "TROVE_TEST_SEED=\(seed)")
        }
        var sum = _DecimalSum.zero
        let greatest = try decimal("340282366920938463463374607431768211455")
        sum.add(greatest)
        #expect(sum.decimal == greatest)
        sum.add(1)
        #expect(try sum.decimal == decimal("340282366920938463463374607431768211460"))
        sum.add(DecimalDigits(greatest), -1)
        #expect(sum.decimal == 1)
        sum.add(try decimal("1e127"))
        sum.add(try decimal("1e-100"))
        sum.add(DecimalDigits(try decimal("1e127")), -1)
        sum.add(DecimalDigits(1), -1)
        #expect(try sum.decimal == decimal("1e-100"))
        sum.add(.nan)
        #expect(sum.decimal?.isNaN == true)
        var beyond = _DecimalSum.zero
        for _ in 0..<2 { beyond.add(.greatestFiniteMagnitude) }
        #expect(beyond.decimal == nil)
        beyond.add(DecimalDigits(.greatestFiniteMagnitude), -1)
        #expect(beyond.decimal == .greatestFiniteMagnitude)
    }
}
