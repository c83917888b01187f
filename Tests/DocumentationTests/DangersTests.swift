// Every test named in Docs/Dangers.md exists.

import Foundation
import Testing

struct DangersTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func everyRow_namesTests_andEachOfThemExists() throws {
        let text = try String(contentsOf: root.appending(path: "Docs/Dangers.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasSuffix("| tested by |") }
        #expect(rows.count > 30)
        let sources = try testSources()
        for row in rows {
            let cells = row.split(separator: "|")
            try #require(cells.count == 4, "\(row)")
            let names = cells[3].split(separator: "`").filter { $0.contains("_") }
            #expect(!names.isEmpty, "\(row)")
            for name in names {
                #expect(sources.contains { $0.contains("func \(name)(") }, "\(name)")
            }
        }
    }

    private func testSources() throws -> [String] {
        let directory = root.appending(path: "Tests")
        return try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: directory.appending(path: $0), encoding: .utf8) }
    }
}
