// Random statements that write the tables of the tests.

import TroveSQL
import TroveTestSupport

extension StatementGenerator {
    /// Returns a random statement that writes. Where the order of the rows matters, it is that of the keys.
    mutating func write() -> RandomStatement {
        arguments = []
        binds = values.chance(50)
        let text: String
        switch Int.random(in: 0..<19, using: &values.random) {
        case 0..<4: text = insert()
        case 4:
            text =
                "INSERT\(rule()) INTO Mixed SELECT id + \(values.pick([1, 3, 50])), small, maybe, name, note, ratio, score,"
                + " flag, bytes, created, tag, \(values.pick(["NULL", "code", "code || 'z'"])) FROM Mixed"
                + " WHERE \(condition("Mixed", Self.mixed, 2)) ORDER BY id LIMIT 5"
        case 5, 6:
            let change = values.pick([
                "code = 'one'", "code = code || 'a'", "id = id + 1", "id = id + 100", "id = id - 100", "id = 7",
                "code = NULL", "name = nullif(name, 'a')", "code = name",
            ])
            text = "UPDATE\(rule()) Mixed SET \(change) WHERE +small > \(value(.integer(Int64(values.pick(numbers)))))"
        case 7, 8: text = "UPDATE Mixed SET \(changes()) WHERE \(condition("Mixed", Self.mixed, 2))"
        case 9: text = "DELETE FROM Mixed WHERE \(condition("Mixed", Self.mixed, 2)) AND +id % 3 = 0"
        case 10:
            text =
                "UPDATE Mixed SET note = p.\"group\", maybe = p.value FROM Pair p WHERE p.number = Mixed.small"
                + " AND p.\"group\" = \(value(.text(values.pick(["a", "b", ""]))))"
        case 11, 12: text = pairs()
        case 13:
            text = "DELETE FROM Pair WHERE number IN (SELECT id FROM Mixed WHERE \(condition("Mixed", Self.mixed, 1)))"
        case 14, 15: text = files()
        default: text = labels()
        }
        return RandomStatement(text: text, arguments: arguments, isOrdered: false)
    }

    private mutating func labels() -> String {
        let number = Int.random(in: 0..<60, using: &values.random)
        switch Int.random(in: 0..<6, using: &values.random) {
        case 0, 1:
            let rule = rule()
            return "INSERT\(rule) INTO Labeled VALUES \(row(values.labeled(number).values)), "
                + row(values.labeled(number / 2).values)
        case 2:
            let change = values.pick([
                "title = title || ' owl'", "title = note", "note = NULL", "note = title", "note = upper(note)",
                "rank = rank + 1", "rank = 10 - rank", "labels = json_insert(labels, '$[#]', 'new')",
                "labels = json_remove(labels, '$[0]')", "labels = '[]', rank = length(title)",
            ])
            return "UPDATE\(rule()) Labeled SET \(change) WHERE +id % 3 = \(number % 3)"
        case 3: return "UPDATE\(rule()) Labeled SET id = id + 1 WHERE +rank > \(number % 11)"
        case 4: return "DELETE FROM Labeled WHERE rank = \(number % 11) OR id = \(number)"
        default:
            return "INSERT\(rule()) INTO Labeled SELECT id + 60, title, note, labels, rank FROM Labeled WHERE rank > 6"
                + " ORDER BY id LIMIT 3"
        }
    }

    private var numbers: [Int] { MixedValues.numbers }

    private mutating func rule() -> String { values.pick(["", "", " OR IGNORE", " OR REPLACE", " OR ABORT"]) }

    private mutating func row(_ row: [SQLValue]) -> String {
        "(" + row.map { value($0) }.joined(separator: ", ") + ")"
    }

    private mutating func insert() -> String {
        let rule = rule()
        let rows = (0..<Int.random(in: 1...4, using: &values.random)).map { _ in
            var record = values.mixed(Int.random(in: 0..<150, using: &values.random))
            if values.chance(50) { record.code = values.pick(["one", "two", "three"]) }
            var row = record.values
            if values.chance(5) { row[Int.random(in: 1..<row.count, using: &values.random)] = .null }
            // A value that the column cannot have is an error under each rule; SQLite would leave it out.
            if rule != " OR IGNORE", values.chance(5) {
                row[values.pick([1, 2, 7])] = values.pick([.text("x"), .real(3.5), .blob([1])])
            } else if values.chance(5) {
                row[values.pick([1, 2])] = values.pick([.text(" 7 "), .real(3), .text("1e1"), .text("-2.0")])
            }
            return self.row(row)
        }
        return "INSERT\(rule) INTO Mixed VALUES \(rows.joined(separator: ", "))"
    }

    private mutating func changes() -> String {
        let all = [
            "small = small + 1", "small = maybe", "maybe = NULL", "maybe = length(name)", "name = name || 'b'",
            "name = small", "note = name", "note = upper(note)", "ratio = ratio * 2", "ratio = small", "ratio = maybe",
            "score = NULL", "score = small / 2.0", "flag = NOT flag", "flag = small", "bytes = zeroblob(2)",
            "created = \(value(values.moment().sqlValue))", "tag = \(value(values.uuid().sqlValue))", "tag = tag",
            "note = (SELECT max(name) FROM File)", "maybe = (SELECT count(*) FROM Pair WHERE value = Mixed.small)",
        ]
        // The arguments are in the order of the text.
        arguments = []
        binds = false
        var columns: Set<Substring> = []
        return (0..<Int.random(in: 1...3, using: &values.random)).compactMap { _ in
            let change = values.pick(all.filter { !$0.contains("?") })
            return columns.insert(change.prefix { $0 != " " }).inserted ? change : nil
        }.joined(separator: ", ")
    }

    private mutating func pairs() -> String {
        switch Int.random(in: 0..<4, using: &values.random) {
        case 0:
            let rule = rule()
            let number = Int.random(in: 0..<80, using: &values.random)
            return "INSERT\(rule) INTO Pair VALUES \(row(values.pair(number).values)), \(row(values.pair(3).values))"
        case 1: return "UPDATE Pair SET value = number, moment = NULL WHERE \(condition("Pair", Self.pair, 2))"
        case 2: return "UPDATE\(rule()) Pair SET number = number + 1 WHERE +value > 1"
        default:
            return "UPDATE\(rule()) Pair SET \"group\" = \(value(.text(values.pick(["a", "new"])))) WHERE +number > 20"
        }
    }

    private mutating func files() -> String {
        switch Int.random(in: 0..<4, using: &values.random) {
        case 0, 1:
            let rule = rule()
            return
                "INSERT\(rule) INTO File VALUES \(row(values.file(Int.random(in: 0..<99, using: &values.random)).values))"
        case 2: return "UPDATE File SET wide = kind, note = note || 'x' WHERE \(condition("File", Self.file, 2))"
        default: return "DELETE FROM File WHERE \(condition("File", Self.file, 2)) AND +owner % 2 = 0"
        }
    }
}
