// Child processes for tests: what one process cannot show about locks, maps and crashes.

import Foundation

/// A process that runs an executable of this package, and talks with the test in lines.
public final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts an executable that the build has put beside the test bundle.
    ///
    /// - Parameter environment: Variables beside those of this process.
    public init(
        _ arguments: [String], executable: String = "LMDBTestWorker", environment: [String: String] = [:]
    ) throws {
        process.executableURL = try Self.locate(executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// The process's number.
    public var identifier: Int { Int(process.processIdentifier) }

    /// The next line that the process writes; nil when it has closed its output.
    public func readLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread = Data(unread[(end + 1)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread.append(more)
        }
    }

    /// Sends a line to the process.
    public func writeLine(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Ends the process at once, as `kill -9` does, and waits until it is gone.
    public func kill() {
        send(SIGKILL)
        process.waitUntilExit()
    }

    /// Stops the process where it is, until `resume`.
    public func suspend() { send(SIGSTOP) }

    /// Lets a suspended process go on.
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

    /// Waits for the end of the process; 0 when it went well.
    public func wait() -> Int {
        process.waitUntilExit()
        return process.terminationReason == .exit ? Int(process.terminationStatus) : -Int(process.terminationStatus)
    }

    private struct NotFound: Error {
        var executable: String
        var directories: [String]
    }

    /// The executable of that name which the build has put beside the test bundle.
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
