// The targets of the fuzzer, and of the test of its corpus.
//
// The properties are separate from the entry point of libFuzzer: `swift test` checks every file of the corpus, also on
// machines without a fuzzer.

/// A kind of bytes that Trove reads, and the properties that hold for any such bytes.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Key components of every type, two at a time.
    case keys
    /// Field values of every type.
    case values
    /// Values in values, and whole records.
    case nested
    /// The two meta pages of a data file.
    case meta
    /// Any page of a data file.
    case pages
    /// The records and lists of links in a store.
    case links
    /// The positions of links in a list.
    case positions
    /// Nested queries over the links and the records in a store.
    case graphs

    /// The rows of full text, each by itself.
    case rows
    /// The tables of full-text indexes in a store.
    case texts
    /// Typed queries, and the words of texts.
    case typed

    /// Checks all properties for these bytes.
    ///
    /// - Throws: ``Violation`` if a property does not hold.
    package func check(_ bytes: [UInt8]) throws {
        switch self {
        case .keys: try KeyProperties.check(bytes)
        case .values: try ValueProperties.check(bytes)
        case .nested: try NestedProperties.check(bytes)
        case .meta: try FileProperties.checkMetaPages(bytes)
        case .pages: try FileProperties.checkPages(bytes)
        case .links: try LinkProperties.check(bytes)
        case .positions: try PositionProperties.check(bytes)
        case .graphs: try GraphProperties.check(bytes)
        case .rows: try RowProperties.check(bytes)
        case .texts: try TextProperties.check(bytes)
        case .typed: try TypedProperties.check(bytes)
        }
    }
}

/// A property that does not hold.
package struct Violation: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Throws a ``Violation`` unless the condition holds.
func require(_ condition: Bool, _ violation: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(violation()) }
}

extension [UInt8] {
    /// The bytes as hexadecimal digits.
    var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ") }

    /// Returns the bytes before an index and the bytes from the index on. The index is reduced modulo the count plus 1.
    func split(at index: UInt8) -> (first: [UInt8], second: [UInt8]) {
        let index = Int(index) % (count + 1)
        return (Array(self[..<index]), Array(self[index...]))
    }
}
