// Child processes for tests of locks, maps and crashes.

import Foundation

/// A process with an executable of this package. It exchanges lines of text with the test.
public final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts an executable next to the test bundle, or one with an absolute path.
    ///
    /// - Parameter environment: Additional environment variables.
    public init(
        _ arguments: [String], executable: String = "LMDBTestWorker", environment: [String: String] = [:]
    ) throws {
        process.executableURL =
            executable.hasPrefix("/") ? URL(fileURLWithPath: executable) : try Self.locate(executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// The process identifier.
    public var identifier: Int { Int(process.processIdentifier) }

    /// Returns the next line of the process's output; nil after the output is closed, or after the end of the process:
    /// another process can keep the output open.
    public func readLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread = Data(unread[(end + 1)...])
                return line
            }
            guard waitForOutput() else { return nil }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread.append(more)
        }
    }

    /// Waits until the output has more, or is closed. Returns false if the process has ended, and has left nothing.
    private func waitForOutput() -> Bool {
        var hasEnded = false
        while true {
            var file = pollfd(
                fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&file, 1, hasEnded ? 0 : 100) > 0 { return true }
            // What the process has written before its end is read first.
            if hasEnded { return false }
            hasEnded = hasExited
        }
    }

    /// Whether the process has ended. Foundation notices it by a socket, which a child of the process can keep open.
    private var hasExited: Bool {
        var information = unsafe siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        guard unsafe waitid(P_PID, id_t(process.processIdentifier), &information, options) == 0 else { return true }
        return unsafe information.si_signo != 0
    }

    /// Sends a line to the process.
    public func writeLine(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Kills the process, as `kill -9` does, and waits for its end.
    public func kill() {
        send(SIGKILL)
        process.waitUntilExit()
    }

    /// Suspends the process until `resume`.
    public func suspend() { send(SIGSTOP) }

    /// Resumes a suspended process.
    public func resume() { send(SIGCONT) }

    private func send(_ signal: Int32) {
        #if canImport(Darwin)
        _ = Darwin.kill(process.processIdentifier, signal)
        #elseif canImport(Glibc)
        _ = Glibc.kill(process.processIdentifier, signal)
        #elseif canImport(Musl)
        _ = Musl.kill(process.processIdentifier, signal)
        #endif
    }

    /// Waits for the end of the process, and returns its status; 0 for success.
    public func wait() -> Int {
        process.waitUntilExit()
        return process.terminationReason == .exit ? Int(process.terminationStatus) : -Int(process.terminationStatus)
    }

    private struct NotFound: Error {
        var executable: String
        var directories: [String]
    }

    /// Returns the path of an executable next to the test bundle.
    public static func locate(_ name: String) throws -> URL {
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        let own = [Bundle.main.bundleURL, Bundle.main.executableURL ?? Bundle.main.bundleURL]
        let directories = (bundles + own).flatMap { [$0, $0.deletingLastPathComponent()] }
        for directory in directories {
            let candidate = directory.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw NotFound(executable: name, directories: directories.map(\.path))
    }
}
