// Docs/Architecture.md and the names of the source files, read by tests.

import Foundation

/// The page about the code.
struct ArchitecturePage {
    /// A path of a call through the code.
    struct Journey {
        let title: String
        /// The paths of the stops, in order.
        var stops: [String] = []
        /// The numbers of the stops, as written.
        var numbers: [Int] = []
    }

    /// The lines outside code blocks.
    private let lines: [String]
    /// The paths of all files and folders below `Sources`.
    private let sources: Set<String>

    init() throws {
        let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "Docs/Architecture.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "\n```")
        lines = blocks.enumerated().flatMap { place, block in
            place.isMultiple(of: 2) ? block.components(separatedBy: "\n") : []
        }
        sources = Set(try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path))
    }

    // MARK: Sources

    /// Returns whether a path leads to a file of Trove, or of the target with which it begins.
    func isFile(_ path: String) -> Bool {
        path.hasSuffix(".swift") && (sources.contains("Trove/" + path) || sources.contains(path))
    }

    /// Returns whether any target has a file or folder with a name. The name may begin with folders.
    func hasSource(named name: String) -> Bool {
        let name = name.hasSuffix("/") ? String(name.dropLast()) : name
        return sources.contains { $0 == name || $0.hasSuffix("/" + name) }
    }

    /// Returns the names of the folders in a folder; those with a dot, such as DocC catalogs, are left out.
    func folders(in parent: String) -> Set<String> {
        let paths = sources.filter { parent.isEmpty || $0.hasPrefix(parent + "/") }
        let names = paths.compactMap { path -> String? in
            let rest = path.dropFirst(parent.isEmpty ? 0 : parent.count + 1).split(separator: "/")
            return rest.count > 1 ? rest.first.map(String.init) : nil
        }
        return Set(names.filter { !$0.contains(".") })
    }

    // MARK: The page

    /// The journeys, in the order of the page.
    var journeys: [Journey] {
        var journeys: [Journey] = []
        for line in lines.drop(while: { $0 != "## Seven journeys" }).dropFirst() {
            if line.hasPrefix("## ") { break }
            if line.hasPrefix("### ") { journeys.append(Journey(title: String(line.dropFirst(4)))) }
            let parts = line.components(separatedBy: ". ")
            guard parts.count > 1, let number = Int(parts[0]), let last = journeys.indices.last else { continue }
            journeys[last].numbers.append(number)
            if parts[1].hasPrefix("`"), let path = Self.codeSpans(in: line).first { journeys[last].stops.append(path) }
        }
        return journeys
    }

    /// The code between backticks, in the order of the page.
    var codeSpans: [String] { lines.flatMap(Self.codeSpans(in:)) }

    /// The cells of the tables whose line of headings satisfies a condition, row by row.
    func rows(where isWanted: (_ headings: [String]) -> Bool) -> [[String]] {
        var rows: [[String]] = []
        var isInTable = false
        var isWantedTable = false
        for line in lines {
            guard line.hasPrefix("|") else {
                isInTable = false
                continue
            }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if !isInTable {
                (isInTable, isWantedTable) = (true, isWanted(cells))
            } else if isWantedTable, !line.hasPrefix("|---") {
                rows.append(cells)
            }
        }
        return rows
    }

    /// Returns the code between backticks in a text.
    static func codeSpans(in text: String) -> [String] {
        text.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    }
}
