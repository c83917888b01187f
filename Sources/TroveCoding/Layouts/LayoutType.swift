// The layout of stored bytes as a value, parsed from its text, without the Swift type that wrote the bytes.
//
// `LayoutBuilder` composes the text and has its grammar. `LayoutParser` parses it.

/// The shape of a stored value.
public enum LayoutType: Hashable, Sendable {
    /// A value without parts: ``string``, ``uuid``, ``integer(bits:isSigned:)`` and so on.
    case scalar(ScalarLayout)
    /// A value or nil.
    indirect case optional(LayoutType)
    /// Values in order.
    indirect case array(LayoutType)
    /// Values without order.
    indirect case set(LayoutType)
    /// Values by key.
    indirect case dictionary(key: LayoutType, value: LayoutType)
    /// A nested record.
    case record([LayoutField])
    /// An enum with associated values.
    case enumeration([LayoutCase])
    /// A type with a raw value of the layout, such as an enum.
    indirect case rawValue(LayoutType)
    /// Several key components.
    case tuple([LayoutType])
    /// A descending key component.
    indirect case descending(LayoutType)
    /// Any other `Codable` type, by its name.
    case json(name: String)
    /// The record or enum that contains this value, a number of levels up. 1 is the nearest.
    case enclosing(Int)
    /// The layout of a type written by hand. Only its text is known.
    case other(String)
}

extension LayoutType {
    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The types of a value's parts.
    private var parts: [LayoutType] {
        switch self {
        case .optional(let type), .array(let type), .set(let type), .rawValue(let type), .descending(let type): [type]
        case .dictionary(let key, let value): [key, value]
        case .record(let fields): fields.map(\.type)
        case .enumeration(let cases): cases.flatMap { $0.values.map(\.type) }
        case .tuple(let types): types
        default: []
        }
    }

    /// The number of levels above itself that the type refers to: 0 if it means the same everywhere.
    var reach: Int {
        let inside = parts.map(\.reach).max() ?? 0
        return switch self {
        case .enclosing(let level): level
        case .record, .enumeration: max(0, inside - 1)
        default: inside
        }
    }

    /// Whether a Swift type of this layout may reject values of the layout. The layout contains neither the valid raw
    /// values nor the valid JSON.
    var mayBeRefused: Bool {
        switch self {
        case .rawValue, .json: true
        default: parts.contains(where: \.mayBeRefused)
        }
    }

    /// The name of the first part whose layout is known only to its own code.
    fileprivate var unknownPart: String? {
        if case .other(let name) = self { return name }
        return parts.lazy.compactMap(\.unknownPart).first
    }
}

extension RecordLayout {
    /// The error of the first property with a part whose layout is known only to its own code.
    package var unknownPart: ConversionError? { (key + fields).unknownPart }
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

/// A case of an enum.
public struct LayoutCase: Hashable, Sendable {
    /// The name of the case.
    public var name: String
    /// The associated values, with or without labels.
    public var values: [Value]

    /// An associated value.
    public struct Value: Hashable, Sendable {
        /// The label; nil if there is none.
        public var label: String?
        /// The shape of the value.
        public var type: LayoutType

        /// Creates a value.
        public init(label: String?, type: LayoutType) {
            self.label = label
            self.type = type
        }
    }

    /// Creates a case.
    public init(_ name: String, _ values: [Value] = []) {
        self.name = name
        self.values = values
    }
}

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
