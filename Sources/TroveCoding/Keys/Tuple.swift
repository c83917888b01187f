// Tuples of key components: a key of several components, or a component of its own.
//
//     component = element*      concatenated: it sorts by the first element, then by the second
//     fields    = element*      each as a field
//
// Generated code writes its components one by one. A Tuple holds the key of such a record as a value.

/// A tuple of key components. It sorts by the first component, then by the second, and so on.
///
/// Order and equality of tuples are those of their keys in a store. They can differ from Swift's own for strings, which
/// a store compares by their UTF-8 bytes.
///
///     let key = Tuple("Dallas", "Korben")
public struct Tuple<each Element> {
    /// The components.
    public let elements: (repeat each Element)

    /// Creates a tuple of components.
    @inlinable
    public init(_ elements: repeat each Element) {
        self.elements = (repeat each elements)
    }
}

extension Tuple: Sendable where repeat each Element: Sendable {}

extension Tuple: Equatable where repeat each Element: KeyComponent {
    /// Returns whether both tuples have the same key bytes: strings with different UTF-8 bytes differ.
    public static func == (left: Self, right: Self) -> Bool { KeyWriter.bytes(of: left) == KeyWriter.bytes(of: right) }
}

extension Tuple: Hashable where repeat each Element: KeyComponent {
    /// Hashes the key bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(KeyWriter.bytes(of: self)) }
}

extension Tuple: RecordValue where repeat each Element: KeyComponent {
    /// `(layout,layout)`.
    public static func describe(in layout: inout LayoutBuilder) {
        var separator = "("
        for element in repeat (each Element).self {
            layout.append(separator)
            element.describe(in: &layout)
            separator = ","
        }
        layout.append(separator == "(" ? "()" : ")")
    }

    /// The sum of the elements' fixed sizes; nil if the size of an element depends on its value.
    public static var fixedSize: Int? {
        var sum = 0
        for element in repeat (each Element).self {
            guard let size = element.fixedSize else { return nil }
            sum += size
        }
        return sum
    }

    /// The sum of the elements' sizes.
    @inlinable
    public var encodedSize: Int {
        get throws(CodingError) {
            var sum = 0
            for element in repeat each elements { sum += try element.encodedSize }
            return sum
        }
    }

    /// Writes the elements as fields.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        for element in repeat each elements { element.encode(into: &writer) }
    }

    /// Reads the elements as fields.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        elements = (repeat try (each Element)(decoding: &reader))
    }
}

extension Tuple: KeyComponent where repeat each Element: KeyComponent {
    /// Writes the elements as key components.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) {
        for element in repeat each elements { element.encodeKey(into: &writer) }
    }

    /// Reads the elements as key components.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        elements = (repeat try (each Element)(decodingKey: &reader))
    }

    /// Moves past the elements.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) {
        for element in repeat (each Element).self { try element.skipKey(in: &reader) }
    }
}

extension Tuple: Comparable where repeat each Element: KeyComponent {
    /// Returns whether the left tuple sorts first as a key: by the first component, then by the second, and so on.
    public static func < (left: Self, right: Self) -> Bool {
        KeyWriter.bytes(of: left).lexicographicallyPrecedes(KeyWriter.bytes(of: right))
    }
}

extension Tuple: CustomStringConvertible {
    /// The elements in parentheses, as a tuple prints.
    public var description: String {
        var texts: [String] = []
        for element in repeat each elements { texts.append(literal(element)) }
        return "(" + texts.joined(separator: ", ") + ")"
    }
}
