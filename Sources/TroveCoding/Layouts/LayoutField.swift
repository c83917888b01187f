// A field in a layout: its name and the shape of its value.

/// A field of a record, or an associated value with a label.
public struct LayoutField: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The shape of its value.
    public var type: LayoutType
    /// The migration rules of the field. They are not part of the layout: `==` ignores them.
    package var rule = FieldRule()

    /// Creates a field.
    public init(_ name: String, _ type: LayoutType) {
        self.name = name
        self.type = type
    }

    /// Parses `name:layout`, and adds the migration rules of the builder.
    ///
    /// - Throws: ``CodingError`` with the offset of the first violation of the grammar in the text's UTF-8.
    package init(_ described: LayoutBuilder) throws(CodingError) {
        var parser = LayoutParser(described.text, rules: described.rules)
        self = try parser.parseField()
    }

    /// Returns whether two fields have the same name and shape.
    public static func == (left: LayoutField, right: LayoutField) -> Bool {
        left.name == right.name && left.type == right.type
    }

    /// Hashes the name and the shape.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(type)
    }
}

extension [LayoutField] {
    /// The error of the first field with a part whose layout is known only to its own code.
    var unknownPart: ConversionError? {
        for field in self {
            if let name = field.type.unknownPart {
                return ConversionError(field: field.name, reason: .unknownLayout(name))
            }
        }
        return nil
    }
}
