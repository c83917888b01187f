// The layout of a record type as a value.

/// The layout of a record type: its key and its fields.
public struct RecordLayout: Hashable, Sendable {
    /// The components of the key, in order.
    public var key: [LayoutField]
    /// The other fields, in order.
    public var fields: [LayoutField]

    /// Creates a layout.
    public init(key: [LayoutField], fields: [LayoutField]) {
        self.key = key
        self.fields = fields
    }

    /// Parses the text of a layout.
    ///
    /// - Throws: ``CodingError`` with the offset of the first violation of the grammar in the text's UTF-8.
    public init(_ text: String) throws(CodingError) {
        var parser = LayoutParser(text)
        self = try parser.parseRecord()
    }
}

extension RecordLayout {
    /// The error of the first property with a part whose layout is known only to its own code.
    package var unknownPart: ConversionError? { (key + fields).unknownPart }
}
