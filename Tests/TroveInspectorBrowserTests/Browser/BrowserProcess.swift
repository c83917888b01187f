// The process of Chromium, and the two pipes of its protocol.

import Foundation
import TroveTestSupport

/// A process of headless Chromium. A message in either direction is a JSON object with a NUL after it.
final class BrowserProcess: Sendable {
    /// The path of the browser, if it is installed.
    static let installed: String? = ["/usr/bin/chromium", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The messages of the browser. They end when the process ends.
    let messages: AsyncStream<Data>
    private let process: Process
    private let input: FileHandle
    private let profile: TemporaryDirectory

    /// Starts the browser with an empty profile.
    init() throws {
        guard let program = Self.installed else {
            throw BrowserError("Chromium is not installed: run scripts/setup --browser")
        }
        profile = try TemporaryDirectory()
        let process = Process()
        let (toBrowser, fromBrowser) = (Pipe(), Pipe())
        // The browser reads the file descriptor 3 and writes to 4. Both pipes are the standard streams of the shell.
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "errors=$1 && shift && exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >\"$errors\" 2>&1",
            program, profile.path("errors"),
        ]
        process.arguments? += Self.arguments + ["--user-data-dir=\(profile.path("profile"))", "about:blank"]
        process.environment = ProcessInfo.processInfo.environment.merging(["HOME": profile.path]) { $1 }
        process.standardInput = toBrowser
        process.standardOutput = fromBrowser
        // A write to a browser that has ended is an error, and does not end the tests.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        self.process = process
        input = toBrowser.fileHandleForWriting
        messages = Self.messages(of: fromBrowser.fileHandleForReading)
    }

    private static let arguments =
        [
            "--remote-debugging-pipe", "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
            "--no-first-run", "--no-default-browser-check", "--force-color-profile=srgb",
            // Only pages make requests, and only to this machine.
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE ::1",
        ]
        // The sandbox refuses to run as root, as in containers.
        + (geteuid() == 0 ? ["--no-sandbox"] : [])

    private static func messages(of output: FileHandle) -> AsyncStream<Data> {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        Thread.detachNewThread {
            var unread = Data()
            while true {
                let more = output.availableData
                if more.isEmpty { break }
                var rest = more[...]
                while let end = rest.firstIndex(of: 0) {
                    continuation.yield(unread + rest[..<end])
                    unread = Data()
                    rest = rest[(end + 1)...]
                }
                unread.append(rest)
            }
            continuation.finish()
        }
        return stream
    }

    /// Sends a message.
    func send(_ message: Data) throws { try input.write(contentsOf: message + [0]) }

    /// The last lines that the browser has printed.
    var errors: String {
        let text = (try? String(contentsOfFile: profile.path("errors"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(5).joined(separator: "\n")
    }

    /// Waits for the end of the process, which follows the end of its input.
    func close() {
        try? input.close()
        process.waitUntilExit()
    }

    deinit {
        // The directory of the profile cannot be removed while the browser writes there.
        close()
    }
}
