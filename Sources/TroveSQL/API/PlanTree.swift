// The plan of a statement in words.

import Trove

/// The plan of a statement as SQLite explains it.
enum PlanTree {
    private struct Line {
        let id: Int
        let parent: Int
        let text: String
    }

    /// Returns the plan with a line for each step. A step inside another is indented.
    static func text(
        of sql: SQL, _ context: ReadContext, attaching files: [String: SQLAttachment] = [:]
    ) throws -> String {
        let lines = try StatementCall.explanation(of: sql, context, attaching: files) { row in
            Line(
                id: try row.value(0, as: Int.self), parent: try row.value(1, as: Int.self),
                text: readable(try row.value(3, as: String.self)))
        }
        var depths: [Int: Int] = [:]
        return lines.map { line in
            let depth = depths[line.parent].map { $0 + 1 } ?? 0
            depths[line.id] = depth
            return String(repeating: "  ", count: depth) + line.text
        }.joined(separator: "\n")
    }

    /// Returns a line without SQLite's number of the plan of a table. A part of a table is searched, as SQLite says of
    /// its own tables.
    private static func readable(_ line: String) -> String {
        guard let mark = line.firstRange(of: " VIRTUAL TABLE INDEX ") else { return line }
        let rest = line[mark.upperBound...]
        guard let colon = rest.firstIndex(of: ":") else { return line }
        let plan = rest[rest.index(after: colon)...]
        var table = String(line[..<mark.lowerBound])
        if plan.contains("("), !plan.hasPrefix("all "), table.hasPrefix("SCAN ") {
            table = "SEARCH " + table.dropFirst("SCAN ".count)
        }
        return table + " by " + plan
    }
}
