// Stored values as markup: short in a table, whole on the page of a record.

#if Inspector
import Foundation
import TroveCoding
import TroveTerminal

/// Stored values as markup.
enum ValueView {
    /// The maximum number of characters of a value in a table.
    static let cellLimit = 160
    /// The maximum number of characters of a value on the page of a record.
    static let recordLimit = 20_000
    /// The maximum number of elements of a value with parts.
    static let partLimit = 200
    /// The maximum depth of values in values.
    private static let depthLimit = 12

    /// Returns a value on a line.
    static func short(_ value: FieldValue, limit: Int = cellLimit) -> HTML {
        if value.isNull { return Tag.span(.class("null")) { "nil" } }
        let (text, size) = value.shortText(limit)
        return html {
            Tag.bdi(.class("value")) { text }
            if let size { Tag.small { "… of \(size)" } }
        }
    }

    /// Returns the fields of a record or of a value as a list, with the values in them as lists of their own.
    static func fields(_ fields: StoredFields, limit: Int, depth: Int = 0) -> HTML {
        let parts = fields.fields.map { field in
            Part(name: field.name, type: field.type.map { type in "\(type)" }, value: field.value)
        }
        return list(parts, limit: limit, depth: depth)
    }

    /// A part of a value.
    private struct Part {
        let name: String
        var type: String?
        let value: FieldValue
    }

    private static func list(
        _ parts: [Part], count: Int? = nil, limit: Int, depth: Int
    ) -> HTML {
        if parts.isEmpty { return Tag.span(.class("null")) { "empty" } }
        return html {
            Tag.dl(.class("fields")) {
                for part in parts {
                    Tag.dt {
                        Tag.bdi { part.name }
                        if let type = part.type {
                            " "
                            Tag.bdi(.class("kind")) { String(type.prefix(120)) }
                        }
                    }
                    Tag.dd { whole(part.value, limit: limit, depth: depth + 1) }
                }
            }
            if let count, count > parts.count { Tag.small { "… \(count.grouped) in all" } }
        }
    }

    /// Returns a value with all of its parts.
    private static func whole(_ value: FieldValue, limit: Int, depth: Int) -> HTML {
        guard depth < depthLimit else { return short(value) }
        switch value {
        case .some(let value): return whole(value, limit: limit, depth: depth)
        case .record(let fields): return self.fields(fields, limit: limit, depth: depth)
        case .array(let elements):
            let parts = elements.prefix(partLimit).enumerated().map { Part(name: "\($0)", value: $1) }
            return list(parts, count: elements.count, limit: limit, depth: depth)
        case .dictionary(let entries):
            let parts = entries.prefix(partLimit).map { Part(name: $0.key.shortText(cellLimit).text, value: $0.value) }
            return list(parts, count: entries.count, limit: limit, depth: depth)
        case .enumeration(let name, let values) where !values.isEmpty:
            let parts = values.enumerated().map { Part(name: $1.label ?? "_\($0)", value: $1.value) }
            return html {
                Tag.bdi(.class("value")) { name }
                list(parts, limit: limit, depth: depth)
            }
        default: return short(value, limit: limit)
        }
    }
}

extension FieldValue {
    /// Whether the value is nil, or the nil of an optional in an optional.
    fileprivate var isNull: Bool {
        switch self {
        case .null: true
        case .some(let value): value.isNull
        default: false
        }
    }

    /// Whether the value fits a column of numbers.
    var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .float, .double, .decimal: true
        case .some(let value): value.isNumber
        default: false
        }
    }

    /// Returns the beginning of the value's text, and the size of the whole in words if it is longer.
    func shortText(_ limit: Int) -> (text: String, size: String?) {
        switch self {
        case .some(let value): return value.shortText(limit)
        case .string(let text), .json(let text): return text.cut(limit)
        case .data(let bytes):
            let shown = bytes.prefix(max(8, limit / 3))
            return (Hexadecimal.text(shown), bytes.count > shown.count ? "\(bytes.count.grouped) bytes" : nil)
        case .array(let elements) where elements.count > limit / 4:
            let (text, _) = FieldValue.array(Array(elements.prefix(limit / 4))).json.cut(limit)
            return (text, "\(elements.count.grouped) elements")
        case .dictionary(let entries) where entries.count > limit / 4:
            let (text, _) = FieldValue.dictionary(Array(entries.prefix(limit / 4))).json.cut(limit)
            return (text, "\(entries.count.grouped) entries")
        case .enumeration(let name, let values) where values.isEmpty: return name.cut(limit)
        default:
            let json = json
            let isQuoted = json.hasPrefix("\"") && json.hasSuffix("\"") && json.utf8.count >= 2
            return (isQuoted ? String(json.dropFirst().dropLast()) : json).cut(limit)
        }
    }
}

extension String {
    /// Returns the beginning of a text, and the size of the whole in words if it is longer. A character can have any
    /// number of scalars, so that these are counted.
    func cut(_ limit: Int) -> (text: String, size: String?) {
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return (self, nil) }
        return (String(scalars[..<end]), "\(utf8.count.grouped) bytes")
    }
}
#endif
