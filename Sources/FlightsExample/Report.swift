// The printed report: headings, code, small tables and durations, on standard output.

import Foundation
import TroveTerminal

/// A small table; columns whose cells are all numbers are aligned to the right.
struct Table: Equatable {
    let header: [String]
    let rows: [[String]]

    init(_ header: [String], rows: [[String]]) {
        self.header = header
        self.rows = rows
    }

    /// The table as lines of text.
    var lines: [String] {
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        let isNumeric = header.indices.map { column in
            rows.allSatisfy { row in row[column].allSatisfy { $0.isNumber || "+-–.,% ".contains($0) } }
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - cells[column].count)
                return isNumeric[column] ? padding + cells[column] : cells[column] + padding
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [line(header), rule] + rows.map(line)
    }
}

/// Prints the sections of the tour.
struct Report {
    private let isTerminal = isatty(STDOUT_FILENO) != 0

    /// Prints a section: its heading, the code, the result, and the duration of the code.
    func show(_ outcome: Outcome, of section: Section, number: Int) {
        print(bold("\(number). \(section.title)"))
        print()
        for line in section.code.split(separator: "\n", omittingEmptySubsequences: false) {
            print(dim("    \(line)"))
        }
        print()
        for line in outcome.table.lines { print("  \(line)") }
        print("  took \(outcome.duration.short)")
        print()
    }

    /// Prints a line and an empty line.
    func note(_ text: String) {
        print(text)
        print()
    }

    private func bold(_ text: String) -> String { isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    private func dim(_ text: String) -> String { isTerminal ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}

extension Duration {
    /// The duration in the unit that suits it.
    var short: String {
        let (value, unit) =
            switch seconds {
            case ..<1e-3: (seconds * 1e6, "µs")
            case ..<1: (seconds * 1e3, "ms")
            default: (seconds, "s")
            }
        return "\(value.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en_US")))) \(unit)"
    }
}
