// Values with parts as SQL has them.

import TroveCoding

/// The text of a value with parts: JSON, or the name of a case without values.
enum ComplexText {
    case null
    case text(String)
    case json(String)

    init(_ value: FieldValue, as type: LayoutType?) {
        var value = value
        while case .some(let inner) = value, inner != .null { value = inner }
        switch value {
        case .null: self = .null
        case .enumeration(let name, let values) where values.isEmpty: self = .text(name)
        case .string(let text): self = .text(text)
        case .url(let url): self = .text(url.absoluteString)
        default: self = .json(type.map { value.json(as: $0.withoutOptional) } ?? value.json)
        }
    }
}

extension LayoutType {
    /// The type inside an optional.
    fileprivate var withoutOptional: LayoutType {
        if case .optional(let wrapped) = self { wrapped } else { self }
    }
}
