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

    /// Whether nil is a value of the type. Then an optional of the type has two values without a value inside.
    package var hasNull: Bool {
        switch self {
        case .optional: true
        case .rawValue(let base), .descending(let base): base.hasNull
        default: false
        }
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
    var unknownPart: String? {
        if case .other(let name) = self { return name }
        return parts.lazy.compactMap(\.unknownPart).first
    }
}
