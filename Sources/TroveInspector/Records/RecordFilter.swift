// The filter line of a type: words for its full-text index, or a condition.

#if Inspector
import Trove
import TroveCoding
import TroveSQL

/// The filter of a type's records, as typed: a condition such as `age > 30`, or else words.
enum RecordFilter {
    case none
    case condition(StoredCondition, text: String)
    case words(String)

    /// - Throws: `StoredConditionError` for a condition that the type cannot have.
    init(_ typed: String?, of type: StoredType) throws {
        guard let typed else {
            self = .none
            return
        }
        do {
            self = .condition(try StoredCondition(typed, of: type), text: typed)
        } catch StoredConditionError.malformed {
            self = .words(typed)
        }
    }
}

/// A filter as a statement of SQL, which uses indexes where it can.
struct FilterStatement {
    /// The statement with its values in it, to be shown and run.
    let text: String

    /// Returns the statement of a filter; nil for a type or a condition without one.
    init?(_ filter: RecordFilter, of type: StoredType) {
        guard type.links == nil else { return nil }
        let table = type.name.quotedForSQL
        switch filter {
        case .none: text = "SELECT * FROM \(table) LIMIT 100"
        case .words(let words):
            let own = type.name.split(separator: ".").last.map(String.init) ?? type.name
            text =
                "SELECT * FROM \(table) WHERE \(own.quotedForSQL) MATCH \(SQLValue.text(words)) ORDER BY rank LIMIT 100"
        case .condition(_, let condition):
            guard let test = Self.test(condition, of: type) else { return nil }
            text = "SELECT * FROM \(table) WHERE \(test)"
        }
    }

    private static func test(_ condition: String, of type: StoredType) -> String? {
        let parts = condition.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        guard parts.count == 3, let layout = try? type.layout(of: type.versions.last),
            let field = (layout.key + layout.fields).first(where: { $0.name == parts[0] })
        else { return nil }
        let name = field.name.quotedForSQL
        let value = parts[2].drop { $0 == " " }
        if value == "nil" || value == "null", "\(field.type)".hasSuffix("?") {
            return parts[1] == "!=" ? "\(name) IS NOT NULL" : "\(name) IS NULL"
        }
        guard let literal = literal(String(value), as: "\(field.type)") else { return nil }
        switch parts[1] {
        case "==": return "\(name) = \(literal)"
        // In a condition, nil differs from each value.
        case "!=": return "\(name) IS NOT \(literal)"
        case "=", "<", "<=", ">", ">=": return "\(name) \(parts[1]) \(literal)"
        case "contains" where "\(field.type)".hasPrefix("String"): return "instr(\(name), \(literal)) > 0"
        default: return nil
        }
    }

    /// Returns a value of a condition as SQL has it; nil for a type whose values it has otherwise.
    private static func literal(_ text: String, as type: String) -> SQLValue? {
        switch type.replacing("?", with: "") {
        case "Bool": text == "true" ? .integer(1) : text == "false" ? .integer(0) : nil
        case "String": string(text).map { .text($0) }
        case "Double": Double(text).map { .real($0) }
        case "Float": Float(text).map { .real(Double($0)) }
        case let type where type.hasPrefix("Int") || type.hasPrefix("UInt"): Int64(text).map { .integer($0) }
        case "UUID": .text(text.uppercased())
        default: nil
        }
    }

    /// Returns the text of a condition without its quotes; nil for a text with escapes, or with one quote.
    private static func string(_ text: String) -> String? {
        guard text.hasPrefix("\"") else { return text }
        let inner = text.dropFirst().dropLast()
        return text.count > 1 && text.hasSuffix("\"") && !inner.contains("\\") ? String(inner) : nil
    }
}
#endif
