// The demo with two processes, as a user runs it.

import Foundation
import Testing

@Suite struct LiveDemoTests {
    /// The names of the program in the package of the examples, and in a check of the whole project.
    private static let names = ["live", "LiveExample"]

    /// Returns the program next to the tests.
    private static func program() throws -> URL {
        let places =
            [Bundle.main.executableURL, URL(filePath: CommandLine.arguments[0])].compactMap(\.self)
            + Bundle.allBundles.map(\.bundleURL)
        let programs = places.flatMap { place in
            [place.deletingLastPathComponent(), place.deletingLastPathComponent().deletingLastPathComponent()]
        }.flatMap { directory in names.map { directory.appending(path: $0) } }
        return try #require(programs.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }

    @Test(.timeLimit(.minutes(5))) func theList_followsTheEditor_toItsEnd() async throws {
        let process = Process()
        process.executableURL = try Self.program()
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.contains("Zorg and all: Good night.") && text.hasSuffix("The editor has ended.\n"))
        // The list has shown messages that were unread for a while.
        #expect(text.contains("Korben: Taxi, please."))
        let counts = text.split(separator: "\n").filter { $0.hasSuffix(" unread") }.compactMap { Int($0.prefix(1)) }
        #expect(counts.count > 2 && counts.max() ?? 0 > 1)
    }

    @Test(.timeLimit(.minutes(5))) func aKilledEditor_isAnError() async throws {
        let process = Process()
        process.executableURL = try Self.program()
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("1 unread") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += String(decoding: more, as: UTF8.self)
        }
        let editor = try #require(text.firstMatch(of: #/process (\d+) edits/#).flatMap { Int32($0.1) }, "\(text)")
        #expect(kill(editor, SIGKILL) == 0)
        text += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        #expect(text.hasSuffix("The editor has failed: signal \(SIGKILL).\n"))
    }
}
