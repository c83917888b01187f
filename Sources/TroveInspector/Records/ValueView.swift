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
    static func fields(_ fields: StoredFields, limit: Int, _ budget: inout Budget) -> HTML {
        self.fields(fields, limit: limit, depth: 0, &budget)
    }

    private static func fields(_ fields: StoredFields, limit: Int, depth: Int, _ budget: inout Budget) -> HTML {
        let parts = fields.fields.prefix(partLimit).map { field in
            Part(name: field.name, type: field.type.map { type in "\(type)" }, value: field.value)
        }
        return list(parts, count: fields.fields.count, limit: limit, depth: depth, &budget)
    }

    /// A part of a value.
    private struct Part {
        let name: String
        var type: String?
        let value: FieldValue
    }

    /// Returns parts as a list, as many as the budget has bytes for.
    ///
    /// - Parameter count: The number of all parts, some of which may be left out.
    private static func list(_ parts: [Part], count: Int, limit: Int, depth: Int, _ budget: inout Budget) -> HTML {
        if parts.isEmpty { return Tag.span(.class("null")) { "empty" } }
        var shown: [HTML] = []
        for part in parts where budget.left > 0 {
            let name = budget.taking(
                Tag.dt {
                    Tag.bdi { part.name.cut(cellLimit).text }
                    if let type = part.type {
                        " "
                        Tag.bdi(.class("kind")) { type.cut(120).text }
                    }
                })
            let value = whole(part.value, limit: limit, depth: depth + 1, &budget)
            shown.append(
                html {
                    name
                    Tag.dd { value }
                })
        }
        return html {
            Tag.dl(.class("fields")) { shown }
            if count > shown.count { Tag.small { "\(shown.count.grouped) of \(count.grouped) are shown" } }
        }
    }

    /// Returns a value with all of its parts.
    private static func whole(_ value: FieldValue, limit: Int, depth: Int, _ budget: inout Budget) -> HTML {
        guard depth < depthLimit else { return budget.taking(short(value)) }
        switch value {
        case .some(let value): return whole(value, limit: limit, depth: depth, &budget)
        case .record(let fields): return self.fields(fields, limit: limit, depth: depth, &budget)
        case .array(let elements):
            let parts = elements.prefix(partLimit).enumerated().map { Part(name: "\($0)", value: $1) }
            return list(parts, count: elements.count, limit: limit, depth: depth, &budget)
        case .dictionary(let entries):
            let parts = entries.prefix(partLimit).map { Part(name: $0.key.shortText(cellLimit).text, value: $0.value) }
            return list(parts, count: entries.count, limit: limit, depth: depth, &budget)
        case .enumeration(let name, let values) where !values.isEmpty:
            let parts = values.prefix(partLimit).enumerated().map {
                Part(name: $1.label ?? "_\($0)", value: $1.value)
            }
            let list = list(parts, count: values.count, limit: limit, depth: depth, &budget)
            return html {
                Tag.bdi(.class("value")) { name.cut(cellLimit).text }
                list
            }
        default: return budget.taking(short(value, limit: limit))
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

    /// The size of the texts and data in the value in bytes, with a little for each value.
    var contentSize: Int {
        switch self {
        case .some(let value): value.contentSize
        case .string(let text), .json(let text): 16 + text.utf8.count
        case .data(let bytes): 16 + bytes.count
        case .array(let elements): elements.reduce(16) { $0 + $1.contentSize }
        case .dictionary(let entries): entries.reduce(16) { $0 + $1.key.contentSize + $1.value.contentSize }
        case .record(let fields): fields.fields.reduce(16) { $0 + $1.value.contentSize }
        case .enumeration(_, let values): values.reduce(16) { $0 + $1.value.contentSize }
        default: 16
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
