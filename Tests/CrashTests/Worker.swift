// A process of TroveCrashWorker. Its output goes to a file, which outlives the process and never fills up as a pipe
// does.

import Foundation
import TroveTestSupport

final class Worker {
    private let identifier: pid_t
    private let output: String
    private var hasEnded = false

    private struct NotStarted: Error {
        var code: Int32
    }

    /// Starts the worker.
    ///
    /// - Parameters:
    ///   - arguments: The command and its arguments.
    ///   - environment: Variables in addition to the variables of this process.
    ///   - output: The file for its output, errors included.
    init(_ arguments: [String], environment: [String: String] = [:], output: String) throws {
        self.output = output
        let executable = try ChildProcess.locate("TroveCrashWorker").path
        let variables = ProcessInfo.processInfo.environment
            // The backtracer would take a second for each process that dies.
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { _, new in new }
            .merging(environment) { _, new in new }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // The worker must not inherit the files of other tests.
        for descriptor: Int32 in 3..<256 { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
        var started: pid_t = 0
        let code = unsafe Self.withStrings([executable] + arguments) { arguments in
            unsafe Self.withStrings(variables.map { "\($0)=\($1)" }) { variables in
                unsafe posix_spawn(&started, executable, &actions, nil, arguments, variables)
            }
        }
        guard code == 0 else { throw NotStarted(code: code) }
        identifier = started
    }

    deinit {
        if !hasEnded { kill() }
    }

    private static func withStrings<R>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }

    /// Waits for the end of the process. Returns the exit status, or the signal as a negative number.
    @discardableResult
    func wait() -> Int {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) != identifier {}
        hasEnded = true
        return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : -Int(status & 0x7F)
    }

    /// Kills the process, and waits until it has ended.
    func kill() {
        signal(SIGKILL)
        wait()
    }

    func signal(_ signal: Int32) { _ = Glibc.kill(identifier, signal) }

    /// Whether the process has ended by itself.
    private func hasEndedByItself() -> Bool {
        guard !hasEnded else { return true }
        var information = unsafe siginfo_t()
        // The process can still be waited for.
        let code = unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        return unsafe code == 0 && information.si_signo != 0
    }

    /// Waits until the process has written so many lines. Returns false if it ends first.
    func hasSaid(_ count: Int) throws -> Bool {
        while try lines().count < count {
            if hasEndedByItself() { return try lines().count >= count }
            sched_yield()
        }
        return true
    }

    /// Returns the complete lines of the output.
    func lines() throws -> [Substring] {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n")
    }
}
