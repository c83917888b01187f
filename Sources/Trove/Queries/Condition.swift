// A filter as a tree of comparisons of single properties. It is evaluated for a run of records at a time; a test
// returns a bit for each record of the run.

import LMDB
import TroveCoding

/// Returns the records of a run that match: a bit for each record, the lowest for the first.
@usableFromInline typealias RunTest = (inout RecordRun) throws(CodingError) -> UInt64

/// A comparison of a single property.
@usableFromInline
final class Condition: Sendable {
    let property: StoredProperty
    /// The condition as byte ranges, if they express it fully: then a range scan can replace it.
    let bounds: ByteRanges?
    /// The bytes of the field, if the condition is that the property equals a single value.
    let field: [UInt8]?
    /// The comparison in readable form, to be printed after the property's name.
    let text: @Sendable () -> String
    /// Creates the test for a single run of a query, on a single thread.
    let test: @Sendable () -> RunTest

    init(
        _ property: StoredProperty, _ bounds: ByteRanges?, field: [UInt8]?, _ text: @escaping @Sendable () -> String,
        test: @escaping @Sendable () -> RunTest
    ) {
        self.property = property
        self.bounds = bounds
        self.field = field
        self.text = text
        self.test = test
    }
}

/// A tree of conditions, joined by and, or and not.
enum FilterTree: Sendable {
    case condition(Condition)
    case and([FilterTree])
    case or([FilterTree])
    indirect case not(FilterTree)

    /// The tree that every record matches.
    static var everything: FilterTree { .and([]) }

    /// The parts that must all match.
    var conjuncts: [FilterTree] { if case .and(let parts) = self { parts } else { [self] } }

    /// Whether every record matches.
    var isEverything: Bool { if case .and(let parts) = self { parts.isEmpty } else { false } }

    func and(_ other: FilterTree) -> FilterTree {
        if isEverything { return other }
        return other.isEverything ? self : .and(conjuncts + other.conjuncts)
    }

    func or(_ other: FilterTree) -> FilterTree {
        if case .not(.and(let parts)) = self, parts.isEmpty { return other }
        if case .or(let parts) = self { return .or(parts + [other]) }
        return .or([self, other])
    }

    /// The first comparison of the tree; nil if it has none.
    var firstCondition: Condition? {
        switch self {
        case .condition(let condition): condition
        case .and(let parts), .or(let parts): parts.lazy.compactMap(\.firstCondition).first
        case .not(let part): part.firstCondition
        }
    }

    /// The bits of all properties in the tree.
    var propertyBits: UInt64 {
        switch self {
        case .condition(let condition): condition.property.bit
        case .and(let parts), .or(let parts): parts.reduce(0) { $0 | $1.propertyBits }
        case .not(let part): part.propertyBits
        }
    }

    /// Returns the byte ranges that the tree allows for a component.
    func bounds(on component: PathComponent) -> ByteRanges? { bounds(on: component.property, as: component.form) }

    /// Returns the byte ranges that the tree allows for a property. Nil if the tree names other properties, or if byte
    /// ranges cannot express it.
    func bounds(on property: StoredProperty?, as form: PathComponent.Form) -> ByteRanges? {
        switch self {
        case .condition(let condition): condition.bounds(on: property, as: form)
        case .and(let parts): Self.combine(parts, on: property, form) { $0.intersection($1) }
        case .or(let parts): Self.combine(parts, on: property, form) { $0.union($1) }
        case .not(let part): part.bounds(on: property, as: form)?.complement()
        }
    }

    private static func combine(
        _ parts: [FilterTree], on property: StoredProperty?, _ form: PathComponent.Form,
        _ combine: (ByteRanges, ByteRanges) -> ByteRanges
    ) -> ByteRanges? {
        guard var bounds = parts.first?.bounds(on: property, as: form) else { return nil }
        for part in parts.dropFirst() {
            guard let next = part.bounds(on: property, as: form) else { return nil }
            bounds = combine(bounds, next)
        }
        return bounds
    }

    /// Returns the bytes of a property, in ascending order, if the tree allows a single value for it; otherwise nil.
    func value(of property: StoredProperty?, as form: PathComponent.Form = .key) -> [UInt8]? {
        bounds(on: property, as: form)?.singleValue
    }

    /// Creates the test for a single run of a query; nil if every record matches.
    func test() -> RunTest? {
        switch self {
        case .condition(let condition): return condition.test()
        case .and(let parts):
            let tests = parts.compactMap { $0.test() }
            guard tests.count > 1 else { return tests.first }
            return { run throws(CodingError) in
                var matches = run.all
                for test in tests where matches != 0 { matches &= try test(&run) }
                return matches
            }
        case .or(let parts):
            let tests = parts.map { $0.test() ?? { run in run.all } }
            return { run throws(CodingError) in
                var matches: UInt64 = 0
                for test in tests where matches != run.all { matches |= try test(&run) }
                return matches
            }
        case .not(let part):
            let test = part.test() ?? { run in run.all }
            return { run throws(CodingError) in run.all & ~(try test(&run)) }
        }
    }
}

extension FilterTree: CustomStringConvertible {
    /// The filter in readable form.
    var description: String {
        switch self {
        case .condition(let condition): "\(condition.property.name) \(condition.text())"
        case .and(let parts): parts.isEmpty ? "true" : parts.map(\.grouped).joined(separator: " and ")
        case .or(let parts): parts.map(\.grouped).joined(separator: " or ")
        case .not(let part): "not \(part.grouped)"
        }
    }

    private var grouped: String {
        switch self {
        case .condition, .not: description
        case .and(let parts) where parts.isEmpty: description
        case .and, .or: "(\(description))"
        }
    }
}

extension PropertyReader {
    /// Returns the condition that the property's value passes a test. Each run of a query creates its own test.
    @inlinable
    func condition(
        _ bounds: ByteRanges?, _ text: @escaping @Sendable () -> String,
        matching makeTest: @escaping @Sendable () -> (Value) -> Bool
    ) -> Condition {
        condition(bounds, text) {
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
        _ bounds: ByteRanges?, _ text: @escaping @Sendable () -> String, test: @escaping @Sendable () -> RunTest
    ) -> Condition {
        Condition(property, bounds, field: nil, text, test: test)
    }

    /// Returns the condition that the property's stored bytes pass a test.
    func condition(
        _ bounds: ByteRanges?, field: [UInt8]? = nil, _ text: @escaping @Sendable () -> String,
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
        isEqual value: Value, _ text: @escaping @Sendable () -> String
    ) throws(CodingError) -> Condition {
        let expected = try encode(value)
        return condition(nil, field: isInKey ? nil : expected, text, bytesMatching: { $0.compare(expected) == 0 })
    }

    /// Returns the condition that a key component lies in bounds. It decodes nothing.
    @usableFromInline
    func keyCondition(_ bounds: ByteRanges, _ text: @escaping @Sendable () -> String) -> Condition {
        condition(bounds, text, bytesMatching: { bounds.contains($0) })
    }
}

extension PropertyReader where Value: KeyComponent {
    /// Returns the condition that the property lies in bounds.
    @inlinable
    func condition(_ bounds: ByteRanges, _ text: @escaping @Sendable () -> String) -> Condition {
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
    /// A bit for each of the first 64 elements that pass a test, the lowest for the first.
    @inlinable
    @inline(__always)
    func bits(where matches: (Element) -> Bool) -> UInt64 {
        var bits: UInt64 = 0
        for index in indices where matches(self[index]) { bits |= 1 &<< UInt64(index) }
        return bits
    }
}
