// A filter as a tree of comparisons of single properties. It is evaluated for a run of records at a time; a test
// returns a bit for each record of the run.

import LMDB
import TroveCoding

/// Returns the matching records of a run: a bit for each record, the lowest for the first.
@usableFromInline typealias RunTest = (inout RecordRun) throws(CodingError) -> UInt64

/// A comparison of a single property.
@usableFromInline
final class Condition: Sendable {
    let property: StoredProperty
    /// The condition as byte ranges, if they express it fully: then a range scan can replace it.
    let bounds: ByteRanges?
    /// Whether the condition is that any element of the property, a collection, is within the bounds.
    let isOfElements: Bool
    /// The bytes of the field, if the condition is that the property equals a single value.
    let field: [UInt8]?
    /// The string to find in the property; nil for other conditions.
    let pattern: StringPattern?
    /// The comparison in readable form, to be printed after the property's name.
    let text: @Sendable () -> ConditionText
    /// Creates the test for a single run of a query, on a single thread.
    let test: @Sendable () -> RunTest

    init(
        _ property: StoredProperty, _ bounds: ByteRanges?, isOfElements: Bool = false, field: [UInt8]?,
        pattern: StringPattern? = nil, _ text: @escaping @Sendable () -> ConditionText,
        test: @escaping @Sendable () -> RunTest
    ) {
        self.pattern = pattern
        self.property = property
        self.bounds = bounds
        self.isOfElements = isOfElements
        self.field = field
        self.text = text
        self.test = test
    }
}

extension PropertyReader {
    /// Returns the condition that the property's value passes a test. Each run of a query creates its own test.
    ///
    /// - Parameter isOfElements: Whether the bounds belong to an element of the property.
    @inlinable
    func condition(
        _ bounds: ByteRanges?, isOfElements: Bool = false, _ text: @escaping @Sendable () -> ConditionText,
        matching makeTest: @escaping @Sendable () -> (Value) -> Bool
    ) -> Condition {
        condition(bounds, isOfElements: isOfElements, text) {
            let matches = makeTest()
            var values: [Value] = []
            return { run throws(CodingError) in
                values.removeAll(keepingCapacity: true)
                try self.read(&run, into: &values)
                return values.bits(where: matches)
            }
        }
    }

    @usableFromInline
    func condition(
        _ bounds: ByteRanges?, isOfElements: Bool = false, _ text: @escaping @Sendable () -> ConditionText,
        test: @escaping @Sendable () -> RunTest
    ) -> Condition {
        Condition(property, bounds, isOfElements: isOfElements, field: nil, text, test: test)
    }

    /// Returns the condition that the property's stored bytes pass a test.
    func condition(
        _ bounds: ByteRanges?, field: [UInt8]? = nil, _ text: @escaping @Sendable () -> ConditionText,
        bytesMatching matches: @escaping @Sendable (ByteView) -> Bool
    ) -> Condition {
        Condition(property, bounds, field: field, text) {
            { run throws(CodingError) in
                var found: UInt64 = 0
                try self.forEachBytes(&run) { index, bytes in
                    if matches(bytes) { found |= 1 &<< UInt64(index) }
                }
                return found
            }
        }
    }

    /// Returns the condition that the property equals a value, byte for byte.
    @usableFromInline
    func condition(
        isEqual value: Value, _ text: @escaping @Sendable () -> ConditionText
    ) throws(CodingError) -> Condition {
        let expected = try encode(value)
        return condition(nil, field: isInKey ? nil : expected, text, bytesMatching: { $0.compare(expected) == 0 })
    }

    /// Returns the condition that a key component lies in bounds. It decodes nothing.
    @usableFromInline
    func keyCondition(_ bounds: ByteRanges, _ text: @escaping @Sendable () -> ConditionText) -> Condition {
        condition(bounds, text, bytesMatching: { bounds.contains($0) })
    }
}

extension PropertyReader where Value: KeyComponent {
    /// Returns the condition that the property lies in bounds.
    @inlinable
    func condition(_ bounds: ByteRanges, _ text: @escaping @Sendable () -> ConditionText) -> Condition {
        if isInKey { return keyCondition(bounds, text) }
        let test = BoundsTest(bounds)
        return condition(bounds, text) {
            var values: [Value] = []
            return { run throws(CodingError) in
                values.removeAll(keepingCapacity: true)
                try self.read(&run, into: &values)
                return values.bits { test.contains($0) }
            }
        }
    }
}

extension Array {
    /// Returns a bit for each of the first 64 elements, set if the element passes a test, the lowest for the first.
    @inlinable
    @inline(__always)
    func bits(where matches: (Element) -> Bool) -> UInt64 {
        var bits: UInt64 = 0
        for index in indices where matches(self[index]) { bits |= 1 &<< UInt64(index) }
        return bits
    }
}
