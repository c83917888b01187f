// The laws of RecordValue and KeyComponent, as checks for the tests of a program.

/// Checks of the laws of fields and key components.
///
///     #expect(CodingLaws.valueViolations(of: [Money(0), Money(-1), Money(.max)]).isEmpty)
///     #expect(CodingLaws.keyViolations(of: samples, areInIncreasingOrder: <).isEmpty)
///
/// Pass edge cases: the smallest, the largest and the empty value, and values with a common prefix.
public enum CodingLaws {
    /// Returns the violations of the laws of fields, or an empty array.
    ///
    /// The laws: `encodedSize` is exact and at least 1, and `fixedSize` agrees. Decoding returns the encoded value.
    /// `skip` moves as far as decoding. No value's bytes are a prefix of another value's bytes.
    ///
    /// - Complexity: O(*n* log *n*) in the number of values.
    public static func valueViolations<Value: RecordValue & Equatable>(of values: [Value]) -> [String] {
        var violations: [String] = []
        var encoded: [(value: Value, bytes: [UInt8])] = []
        for value in values {
            do throws(CodingError) {
                let size = try value.encodedSize
                if size < 1 { violations.append("encodedSize of \(literal(value)) is \(size): it must be at least 1") }
                if let fixed = Value.fixedSize, fixed != size {
                    violations.append("encodedSize of \(literal(value)) is \(size), but fixedSize is \(fixed)")
                }
                let bytes = try ValueWriter.bytes(of: value)
                encoded.append((value, bytes))
                let decoded = try ValueReader.decode(Value.self, from: bytes)
                if decoded != value { violations.append("\(literal(value)) comes back as \(literal(decoded))") }
                try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                    try Value.skip(in: &reader)
                }
            } catch {
                violations.append("\(literal(value)): \(error)")
            }
        }
        return violations + prefixViolations(of: encoded)
    }

    /// Returns the violations of the laws of key components, or an empty array.
    ///
    /// The laws: Decoding returns the encoded component, ascending and descending. `skipKey` moves as far as decoding.
    /// Bytes sort as the values do, ascending and descending. Equal values have equal bytes, and other values do not.
    /// No value's bytes are a prefix of another value's bytes.
    ///
    /// - Parameters:
    ///   - values: The values, in any order.
    ///   - areInIncreasingOrder: Whether the first value sorts before the second.
    /// - Complexity: O(*n*²) in the number of values.
    public static func keyViolations<Value: KeyComponent>(
        of values: [Value], areInIncreasingOrder: (Value, Value) -> Bool
    ) -> [String] {
        var violations: [String] = []
        var encoded: [(value: Value, bytes: [UInt8])] = []
        for value in values {
            let bytes = KeyWriter.bytes(of: value)
            encoded.append((value, bytes))
            if bytes.isEmpty { violations.append("the key of \(literal(value)) has no bytes") }
            do throws(CodingError) {
                let decoded = try KeyReader.decode(Value.self, from: bytes)
                if decoded != value {
                    violations.append("\(literal(value)) comes back from its key as \(literal(decoded))")
                }
                let complemented = KeyWriter.bytes(of: Descending(value))
                if try KeyReader.decode(Descending<Value>.self, from: complemented).value != value {
                    violations.append("\(literal(value)) does not come back from its descending key")
                }
                try KeyReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                    try Value.skipKey(in: &reader)
                }
            } catch {
                violations.append("the key of \(literal(value)): \(error)")
            }
        }
        for (first, firstBytes) in encoded {
            for (second, secondBytes) in encoded
            where areInIncreasingOrder(first, second) != firstBytes.lexicographicallyPrecedes(secondBytes) {
                violations.append("the keys of \(literal(first)) and \(literal(second)) do not sort as the values do")
            }
        }
        return violations + prefixViolations(of: encoded)
    }

    /// Returns a violation for each value whose bytes are a prefix of another value's bytes. Sorted, the two are
    /// neighbors.
    private static func prefixViolations<Value: Equatable>(of encoded: [(value: Value, bytes: [UInt8])]) -> [String] {
        let sorted = encoded.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return zip(sorted, sorted.dropFirst()).compactMap { first, second in
            if first.bytes == second.bytes {
                return first.value == second.value
                    ? nil : "\(literal(first.value)) and \(literal(second.value)) have the same bytes"
            }
            guard second.bytes.starts(with: first.bytes) else { return nil }
            return "the bytes of \(literal(first.value)) are the beginning of those of \(literal(second.value))"
        }
    }
}
