// Docs/Format.md, read by tests.

import Foundation
import Testing

/// The page about the format.
struct FormatPage {
    let text: String

    init() throws {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        text = try String(contentsOf: root.appending(path: "Docs/Format.md"), encoding: .utf8)
    }

    /// The cells of the table after a line of headings, row by row.
    func rows(of headings: String) throws -> [[String]] {
        let head = try #require(text.range(of: "\n\(headings)\n"), "no table \(headings)")
        let rows = text[head.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        return rows.prefix { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
