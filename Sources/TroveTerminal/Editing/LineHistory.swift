// The lines that a user has entered, and their file.

import Foundation

/// The lines that a user has entered, the latest last.
package struct LineHistory: Hashable, Sendable {
    /// The greatest number of lines.
    package static let limit = 1000
    /// The lines.
    package private(set) var lines: [String]

    /// Creates a history. Of too many lines, the latest remain.
    ///
    /// - Parameter lines: The lines. Those that a terminal would execute are left out.
    package init(_ lines: [String] = []) {
        let lines = lines.filter { !$0.isEmpty && $0.unicodeScalars.allSatisfy(\.isPrintable) }
        self.lines = Array(lines.suffix(Self.limit))
    }

    /// Adds a line, unless it is blank, or the same as the one before.
    package mutating func add(_ line: String) {
        guard Self.keeps(line, after: lines.last) else { return }
        lines.append(line)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }

    fileprivate static func keeps(_ line: String, after last: String?) -> Bool {
        line != last && line.contains { $0 != " " }
    }
}

/// The file of a history, which only its owner can read.
package struct HistoryFile {
    private let path: String
    private var last: String?

    /// Returns the path: in `XDG_STATE_HOME`, by default `~/.local/state`; nil without a home.
    package static func path(_ environment: [String: String]) -> String? {
        // A path that is not absolute is to be ignored.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/trove/history" }
        guard let home = environment["HOME"], !home.isEmpty else { return nil }
        return home + "/.local/state/trove/history"
    }

    /// Names a file, which need not exist.
    package init(path: String) { self.path = path }

    /// Returns the lines of the file; none if there is no file.
    ///
    /// - Throws: The system's error for a file that cannot be read.
    package mutating func load() throws -> LineHistory {
        guard FileManager.default.fileExists(atPath: path) else { return LineHistory() }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let history = LineHistory(lines)
        last = history.lines.last
        if lines.count > 2 * LineHistory.limit {
            let text = history.lines.map { $0 + "\n" }.joined()
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        return history
    }

    /// Adds a line to the file, if the history keeps it.
    ///
    /// - Throws: The system's error for a file that cannot be written.
    package mutating func add(_ line: String) throws {
        guard LineHistory.keeps(line, after: last) else { return }
        last = line
        let url = URL(fileURLWithPath: path)
        if !FileManager.default.fileExists(atPath: path) {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((line + "\n").utf8))
        try handle.close()
    }
}
