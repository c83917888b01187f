// Random statements over the tables of the tests.

import Foundation
import TroveSQL
import TroveTestSupport

/// A random statement.
struct RandomStatement {
    var text: String
    var arguments: [SQLValue]
    /// Whether the order of the rows is part of the result.
    var isOrdered: Bool
}

/// A generator of random statements: comparisons of columns with values of all types, joins, groups and orders.
struct StatementGenerator {
    var values: MixedValues
    /// Whether values are arguments.
    var binds = false
    var arguments: [SQLValue] = []

    init(_ random: SeededGenerator) { values = MixedValues(random: random) }

    static let mixed = Mixed.columns.map(\.name)
    static let file = File.columns.map(\.name)
    static let pair = ["\"group\"", "number", "value", "moment"]

    /// Returns a random statement.
    mutating func statement() -> RandomStatement {
        arguments = []
        binds = values.chance(50)
        var isOrdered = false
        let text: String
        switch Int.random(in: 0..<14, using: &values.random) {
        case 0..<5: text = single(&isOrdered)
        case 12, 13: text = files(&isOrdered)
        case 5: text = "SELECT count(*) FROM Mixed WHERE \(condition("Mixed", Self.mixed, 2))"
        case 6:
            let kind = values.pick(["JOIN", "LEFT JOIN"])
            let on = values.pick([
                "p.value = m.small", "p.value = m.id", "p.\"group\" = m.name", "p.moment = m.created",
                "p.number = m.maybe",
                "p.value = m.name",
            ])
            text =
                "SELECT m.id, p.\"group\", p.number FROM Mixed m \(kind) Pair p ON \(on)"
                + " WHERE \(condition("m", Self.mixed, 1))"
        case 7:
            let column = values.pick(Self.mixed)
            text =
                "SELECT \(column), count(*), max(id) FROM Mixed WHERE \(condition("Mixed", Self.mixed, 1))"
                + " GROUP BY \(column)" + (values.chance(30) ? " HAVING count(*) > 1" : "")
        case 8:
            text =
                "SELECT id FROM Mixed m WHERE \(values.chance(50) ? "" : "NOT ")EXISTS (SELECT 1 FROM Pair p WHERE"
                + " p.value = m.\(values.pick(["small", "maybe", "id"])) AND \(condition("p", Self.pair, 1)))"
        case 9 where values.chance(50):
            let column = values.pick(Self.mixed)
            let other = values.pick(["small", "maybe", "flag", "name", "id"])
            isOrdered = true
            let order = values.pick([
                "\(column) DESC, \(other)", "\(other), \(column)", "\(column), \(other)",
                "\(column) DESC, \(other) DESC",
            ])
            text =
                "SELECT \(column), \(other), count(*) FROM Mixed WHERE \(condition("Mixed", Self.mixed, 1))"
                + " GROUP BY \(column), \(other) ORDER BY \(order)"
        case 9:
            text =
                "SELECT DISTINCT \(values.pick(Self.mixed)), flag FROM Mixed WHERE \(condition("Mixed", Self.mixed, 1))"
        case 10 where values.chance(30):
            text =
                "SELECT max(p.\"group\"), min(p.number), max(m.name) FROM Mixed m"
                + " JOIN Pair p ON p.\"group\" = m.name WHERE \(condition("m", Self.mixed, 1))"
        case 10 where values.chance(30):
            let function = values.pick(["max(p.moment)", "min(p.value)", "max(p.\"group\")"])
            text =
                "SELECT id, (SELECT \(function) FROM Pair p WHERE p.value = m.small), (SELECT p.number FROM Pair p"
                + " WHERE p.value IS m.maybe ORDER BY p.number, p.\"group\" LIMIT 1) FROM Mixed m"
                + " WHERE \(condition("m", Self.mixed, 1))"
        case 10:
            let column = values.pick(["small", "maybe", "name", "note", "ratio", "created"])
            let other = values.pick(["value", "number", "\"group\"", "moment"])
            text =
                "SELECT id FROM Mixed WHERE \(column) \(values.chance(70) ? "IN" : "NOT IN")"
                + " (SELECT \(other) FROM Pair WHERE \(condition("Pair", Self.pair, 1)))"
        default: text = pairs(&isOrdered)
        }
        return RandomStatement(text: text, arguments: arguments, isOrdered: isOrdered)
    }

    private mutating func single(_ isOrdered: inout Bool) -> String {
        let columns = values.chance(30) ? "*" : "id, \(values.pick(Self.mixed)), \(values.pick(Self.mixed))"
        var text = "SELECT \(columns) FROM Mixed"
        if values.chance(90) { text += " WHERE \(condition("Mixed", Self.mixed, 3))" }
        if values.chance(60) {
            isOrdered = true
            let direction = values.pick(["", " DESC"])
            let terms = (0..<Int.random(in: 1...2, using: &values.random)).map { _ in
                values.pick(Self.mixed) + (values.chance(80) ? direction : values.pick(["", " DESC"]))
            }
            text += " ORDER BY \(terms.joined(separator: ", ")), id\(direction)"
            if values.chance(50) {
                text += " LIMIT \(Int.random(in: 0...9, using: &values.random))"
                if values.chance(40) { text += " OFFSET \(Int.random(in: 0...5, using: &values.random))" }
            }
        }
        return text
    }

    private mutating func files(_ isOrdered: inout Bool) -> String {
        let condition = condition("File", Self.file, 2)
        switch Int.random(in: 0..<5, using: &values.random) {
        case 0: return "SELECT kind, count(*), max(name), min(note) FROM File WHERE \(condition) GROUP BY kind"
        case 1:
            arguments = []
            return "SELECT m.id, f.name FROM Mixed m JOIN File f ON f.owner = m.small AND f.name ="
                + " \(values.pick(["m.name", "m.small", "m.note"]))"
        case 2: return "SELECT DISTINCT wide, kind FROM File WHERE \(condition)"
        case 3:
            isOrdered = true
            let direction = values.pick(["", " DESC"])
            return "SELECT * FROM File WHERE \(condition) ORDER BY kind\(direction), note\(direction), owner, name"
        default:
            isOrdered = true
            let direction = values.pick(["", " DESC"])
            return "SELECT name, wide FROM File WHERE owner = \(literal()) AND name \(values.pick(["=", "<", ">="]))"
                + " \(literal()) AND \(condition) ORDER BY owner\(direction), name\(direction)"
        }
    }

    private mutating func pairs(_ isOrdered: inout Bool) -> String {
        isOrdered = true
        let direction = values.pick(["", " DESC"])
        let first = values.pick(["", "value\(direction), ", "moment\(direction), "])
        return "SELECT * FROM Pair WHERE \(condition("Pair", Self.pair, 2))"
            + " ORDER BY \(first)\"group\"\(direction), number\(direction)"
            + (values.chance(40) ? " LIMIT 5" : "")
    }

    mutating func condition(_ table: String, _ columns: [String], _ depth: Int) -> String {
        if depth > 1, values.chance(60) {
            let parts = (0..<Int.random(in: 2...3, using: &values.random)).map { _ in
                condition(table, columns, depth - 1)
            }
            let text = parts.joined(separator: values.chance(70) ? " AND " : " OR ")
            return values.chance(15) ? "NOT (\(text))" : "(\(text))"
        }
        let column = "\(table).\(values.pick(columns))"
        switch Int.random(in: 0..<14, using: &values.random) {
        case 0..<6: return "\(column) \(values.pick(["=", "<", "<=", ">", ">=", "<>"])) \(literal())"
        case 6: return "\(literal()) \(values.pick(["=", "<", "<=", ">", ">="])) \(column)"
        case 7: return "\(column) \(values.pick(["IS", "IS NOT"])) \(values.chance(50) ? "NULL" : literal())"
        case 8: return "\(column) \(values.chance(80) ? "" : "NOT ")BETWEEN \(literal()) AND \(literal())"
        case 9, 10:
            let list = (0..<Int.random(in: 0...4, using: &values.random)).map { _ in literal() }
            return "\(column) \(values.chance(80) ? "IN" : "NOT IN") (\(list.joined(separator: ", ")))"
        case 11:
            return "\(column) LIKE \(text(values.pick(["a%", "A%c", "%b%", "abc", "3_", "%", "", "29.%", "2001%"])))"
        case 12: return "\(column) GLOB \(text(values.pick(["a*", "A*", "[ab]*", "*b*", "abc", "?", "2001*"])))"
        default: return "\(column) \(values.pick(["=", "<", ">="])) \(table).\(values.pick(columns))"
        }
    }

    private mutating func text(_ text: String) -> String { value(.text(text)) }

    mutating func value(_ value: SQLValue) -> String {
        // A statement cannot have a zero in its text.
        let hasZero = if case .text(let text) = value { text.utf8.contains(0) } else { false }
        guard binds || hasZero else { return value.description }
        arguments.append(value)
        return "?"
    }

    /// Returns a value of any type.
    private mutating func literal() -> String {
        switch Int.random(in: 0..<16, using: &values.random) {
        case 0..<5: value(.integer(Int64(values.pick(MixedValues.numbers))))
        case 5, 6: value(.real(values.pick([-1.5, 0, 0.5, 29.5, 30, 1e10, 1e30, -1e30])))
        case 7..<10: value(.text(values.pick(MixedValues.texts)))
        case 10: value(.blob(Array(values.pick(MixedValues.texts).utf8)))
        case 11: "NULL"
        case 12: value(values.uuid().sqlValue)
        case 13: value(.text(String(values.uuid().uuidString.prefix(Int.random(in: 0...9, using: &values.random)))))
        case 14: value(values.moment().sqlValue)
        default:
            value(
                .text(values.pick(["2001", "2001-01-01", "2001-01-02 00", "0", "9999", "+01", "2024-05-01 12:00:00"])))
        }
    }
}
