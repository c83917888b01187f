// The printed report: headings, code, tables and durations, on standard output.

import Foundation

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
