// The printed report: headings, code, plans and tables, on standard output.

import Foundation
import Trove

/// Prints the sections of a demo.
package struct Report {
    /// The number of columns that lines are wrapped at.
    package static let width = 80

    private let isTerminal = isatty(STDOUT_FILENO) != 0

    package init() {}

    /// Runs the sections of a demo in their order, and prints each: its heading, the code and the result.
    package func show(_ sections: [Section], on store: Store) throws {
        for (index, section) in sections.enumerated() {
            show(try section.run(on: store), of: section, number: index + 1)
        }
    }

    private func show(_ outcome: Outcome, of section: Section, number: Int) {
        print(bold("\(number). \(section.title)"))
        print()
        for line in Self.code(of: section) { print(dim(line)) }
        print()
        for line in Self.result(outcome) { print(line) }
        print()
    }

    /// Prints a line and an empty line.
    package func note(_ text: String) {
        print(text)
        print()
    }

    /// Returns the indented lines of a section's code.
    package static func code(of section: Section) -> [String] {
        section.code.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    }

    /// Returns the indented lines of a result: the wrapped text, an empty line, and the table.
    package static func result(_ outcome: Outcome) -> [String] {
        let text = outcome.text.map { $0.split(separator: "\n").flatMap { wrapped("  \($0)") } + [""] } ?? []
        return text + outcome.table.lines.map { "  \($0)" }
    }

    /// Returns a line in parts that fit into the width. The parts after the first are indented further.
    ///
    /// The line is broken after its colon if the rest then fits, and otherwise between words.
    package static func wrapped(_ line: String) -> [String] {
        let indentation = String(line.prefix { $0 == " " })
        let words = line.split(separator: " ").map(String.init)
        guard line.count > width else { return [line] }
        if let colon = words.firstIndex(where: { $0.hasSuffix(":") }) {
            let parts = [words[...colon], words[(colon + 1)...]].map { $0.joined(separator: " ") }
            let lines = [indentation + parts[0], indentation + "    " + parts[1]]
            if lines.allSatisfy({ $0.count <= width }) { return lines }
        }
        return words.reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(indentation + (lines.isEmpty ? "" : "    ") + word)
            }
        }
    }

    private func bold(_ text: String) -> String { isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    private func dim(_ text: String) -> String { isTerminal ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
