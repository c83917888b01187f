// What the text of a layout says: the shape of stored bytes, without the Swift type that wrote them.
//
// `LayoutBuilder` composes the text and holds its grammar; `LayoutParser` reads it.

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
    /// A type with a raw value of that layout, an enum above all.
    indirect case rawValue(LayoutType)
    /// Several key components.
    case tuple([LayoutType])
    /// A key component that sorts from the largest to the smallest.
    indirect case descending(LayoutType)
    /// Any other `Codable` type, by its name.
    case json(name: String)
    /// The record or enum that contains this value, so many levels up; 1 is the nearest.
    case enclosing(Int)
    /// The layout of a type written by hand, of which nothing is known but the text.
    case other(String)
}

extension LayoutType {
    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The types of which a value of this one consists.
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

    /// How many levels above itself the type refers to: 0 for one that means the same everywhere.
    var reach: Int {
        let inside = parts.map(\.reach).max() ?? 0
        return switch self {
        case .enclosing(let level): level
        case .record, .enumeration: max(0, inside - 1)
        default: inside
        }
    }

    /// Whether a type of this layout may refuse values of it: the layout does not say which raw values there are, nor
    /// what JSON the type reads.
    var mayBeRefused: Bool {
        switch self {
        case .rawValue, .json: true
        default: parts.contains(where: \.mayBeRefused)
        }
    }

    /// The name of the first part whose layout only its own code knows.
    fileprivate var unknownPart: String? {
        if case .other(let name) = self { return name }
        return parts.lazy.compactMap(\.unknownPart).first
    }
}

extension RecordLayout {
    /// The first property with a part whose layout only its own code knows.
    package var unknownPart: ConversionError? { (key + fields).unknownPart }
}

extension [LayoutField] {
    /// The first field with a part whose layout only its own code knows.
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
    /// What a migration knows of it besides. It is no part of the layout: fields with other rules are equal.
    package var rule = FieldRule()

    /// Names a shape.
    public init(_ name: String, _ type: LayoutType) {
        self.name = name
        self.type = type
    }

    /// Reads `name:layout`, and takes the rules that were noted beside it.
    ///
    /// - Throws: ``CodingError`` with the offset in the text's UTF-8 where it departs from the grammar.
    package init(_ described: LayoutBuilder) throws(CodingError) {
        var parser = LayoutParser(described.text, rules: described.rules)
        self = try parser.parseField()
    }

    /// Whether two fields have the same name and shape.
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
    /// Its associated values, each with its label or none.
    public var values: [Value]

    /// An associated value.
    public struct Value: Hashable, Sendable {
        /// The label, where there is one.
        public var label: String?
        /// The shape of the value.
        public var type: LayoutType

        /// Makes a value.
        public init(label: String?, type: LayoutType) {
            self.label = label
            self.type = type
        }
    }

    /// Makes a case.
    public init(_ name: String, _ values: [Value] = []) {
        self.name = name
        self.values = values
    }
}

/// The layout of a record type: what its key and its fields are.
public struct RecordLayout: Hashable, Sendable {
    /// The components of the key, in their order.
    public var key: [LayoutField]
    /// The other fields, in their order.
    public var fields: [LayoutField]

    /// Makes a layout.
    public init(key: [LayoutField], fields: [LayoutField]) {
        self.key = key
        self.fields = fields
    }

    /// Reads the text of a layout.
    ///
    /// - Throws: ``CodingError`` with the offset in the text's UTF-8 where it departs from the grammar.
    public init(_ text: String) throws(CodingError) {
        var parser = LayoutParser(text)
        self = try parser.parseRecord()
    }
}
