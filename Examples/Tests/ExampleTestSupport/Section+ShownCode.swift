// The checks of sections that the tests of all demos share.

import ExampleReport
import Foundation

extension Section {
    /// Returns how often the section's code occurs in the files of an example's tour: twice if it is printed and run.
    ///
    /// - Parameter example: The name of the example's target.
    package func codeCount(in example: String) throws -> Int {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/\(example)")
        let text = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { $0.hasPrefix("Tour+") }
            .map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }.joined()
        return Self.trimmed(text).replacing("\\\\", with: "\\").ranges(of: Self.trimmed(code)).count
    }

    /// Returns the printed lines that are wider than the report.
    package func wideLines(_ outcome: Outcome) -> [String] {
        let lines = ["10. " + title] + Report.code(of: self) + Report.result(outcome)
        return lines.filter { $0.count > Report.width }
    }

    /// Returns the lines of a text without leading and trailing white space.
    private static func trimmed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}
