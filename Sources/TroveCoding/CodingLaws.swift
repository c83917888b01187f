// What a type promises by conforming to RecordValue or KeyComponent, as checks that a user's tests can call.

/// Checks of the promises that a type makes by being a field or a key component.
///
///     #expect(CodingLaws.valueViolations(of: [Money(0), Money(-1), Money(.max)]).isEmpty)
///     #expect(CodingLaws.keyViolations(of: samples, areInIncreasingOrder: <).isEmpty)
///
/// Give values at the edges: smallest, largest, empty, equal beginnings.
public enum CodingLaws {
    /// What is wrong with the fields of these values; nothing when all is well.
    ///
    /// Checked: `encodedSize` is exact and at least 1, and `fixedSize` agrees; the value comes back; `skip` moves as
    /// far as reading does; no value's bytes are the beginning of another's.
    ///
    /// - Complexity: O(*n* log *n*) in the number of values.
    public static func valueViolations<Value: RecordValue & Equatable>(of values: [Value]) -> [String] {
        var violations: [String] = []
        var encoded: [(value: Value, bytes: [UInt8])] = []
        for value in values {
            do throws(CodingError) {
                let size = try value.encodedSize
                if size < 1 { violations.append("encodedSize of \(value) is \(size): it must be at least 1") }
                if let fixed = Value.fixedSize, fixed != size {
                    violations.append("encodedSize of \(value) is \(size), but fixedSize is \(fixed)")
                }
                let bytes = try ValueWriter.bytes(of: value)
                encoded.append((value, bytes))
                let decoded = try ValueReader.decode(Value.self, from: bytes)
                if decoded != value { violations.append("\(value) comes back as \(decoded)") }
                try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                    try Value.skip(in: &reader)
                }
            } catch {
                violations.append("\(value): \(error)")
            }
        }
        return violations + prefixViolations(of: encoded)
    }

    /// What is wrong with the key bytes of these values; nothing when all is well.
    ///
    /// Checked: the component comes back, also when it is descending; `skipKey` moves as far as reading does; bytes
    /// sort as values do, both ways; equal values have equal bytes, and others do not; no value's bytes are the
    /// beginning of another's.
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
            if bytes.isEmpty { violations.append("the key of \(value) has no bytes") }
            do throws(CodingError) {
                let decoded = try KeyReader.decode(Value.self, from: bytes)
                if decoded != value { violations.append("\(value) comes back from its key as \(decoded)") }
                let complemented = KeyWriter.bytes(of: Descending(value))
                if try KeyReader.decode(Descending<Value>.self, from: complemented).value != value {
                    violations.append("\(value) does not come back from its descending key")
                }
                try KeyReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                    try Value.skipKey(in: &reader)
                }
            } catch {
                violations.append("the key of \(value): \(error)")
            }
        }
        for (first, firstBytes) in encoded {
            for (second, secondBytes) in encoded
            where areInIncreasingOrder(first, second) != firstBytes.lexicographicallyPrecedes(secondBytes) {
                violations.append("the keys of \(first) and \(second) do not sort as the values do")
            }
        }
        return violations + prefixViolations(of: encoded)
    }

    /// Pairs of which one's bytes begin with all of the other's without being equal: in sorted order, neighbours.
    private static func prefixViolations<Value: Equatable>(of encoded: [(value: Value, bytes: [UInt8])]) -> [String] {
        let sorted = encoded.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return zip(sorted, sorted.dropFirst()).compactMap { first, second in
            if first.bytes == second.bytes {
                return first.value == second.value ? nil : "\(first.value) and \(second.value) have the same bytes"
            }
            guard second.bytes.starts(with: first.bytes) else { return nil }
            return "the bytes of \(first.value) are the beginning of those of \(second.value)"
        }
    }
}
