// The demo `live`: two processes share a store. One edits messages; the other shows a list that follows.

import Foundation
import Trove

/// The command: without arguments the process that shows the list, and starts the editor.
@main
enum LiveDemo {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "edit", arguments.count == 2 { return try await Editor(path: arguments[1]).run() }
        if try await !show() { exit(1) }
    }

    /// Shows the messages until the editor ends. Returns whether it has ended without an error.
    private static func show() async throws -> Bool {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-live-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "messages.trove").path
        let store = try await Store(path: path, records: [LiveMessage.self])

        let editor = Process()
        editor.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        #if canImport(Darwin)
        editor.executableURL = Bundle.main.executableURL
        #endif
        editor.arguments = ["edit", path]
        try editor.run()
        print("Process \(ProcessInfo.processInfo.processIdentifier) shows the unread messages;")
        print("process \(editor.processIdentifier) edits them. Neither polls.\n")

        let list = Task { try await follow(store) }
        DispatchQueue.global().async {
            editor.waitUntilExit()
            // Without the last message, the list would be followed for ever.
            if !editor.hasSucceeded { list.cancel() }
        }
        try await list.value
        editor.waitUntilExit()
        if isTerminal { print(String(repeating: "\n", count: Editor.mostMessages + 2), terminator: "") }
        print(editor.hasSucceeded ? "The editor has ended." : "The editor has failed: \(editor.reason).")
        return editor.hasSucceeded
    }

    /// Shows the unread messages after each change, until the editor says good night.
    private static func follow(_ store: Store) async throws {
        let unread = LiveMessage.filter(\.isRead == false).sorted(by: \.author)
        for try await messages in unread.values(in: store) {
            show(messages)
            if messages.contains(where: { $0.text == Editor.farewell }) { break }
        }
    }

    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Prints the list: on a terminal in place of the one before.
    private static func show(_ messages: [LiveMessage]) {
        var lines = ["\(messages.count) unread"] + messages.map { "  \($0.author): \($0.text)" }
        if isTerminal {
            lines += Array(repeating: "", count: max(0, Editor.mostMessages + 2 - lines.count))
            // Each line is cleared first; then the cursor returns to the first line.
            let text = lines.map { "\u{1B}[2K\($0)\n" }.joined() + "\u{1B}[\(lines.count)A"
            print(text, terminator: "")
        } else {
            print(lines.joined(separator: "\n"))
        }
        fflush(nil)
    }
}

extension Process {
    /// Whether the process has ended without an error.
    fileprivate var hasSucceeded: Bool { terminationReason == .exit && terminationStatus == 0 }

    /// Why the process has ended.
    fileprivate var reason: String {
        terminationReason == .exit ? "exit code \(terminationStatus)" : "signal \(terminationStatus)"
    }
}
