// A program with a terminal of its own, which a test types into.

#if CommandLine
import Foundation
import TroveTestSupport

/// A program whose standard streams are a terminal.
final class PseudoTerminal {
    struct Failure: Error {
        var description: String
    }

    private let keyboard: Int32
    private let process = Process()
    /// All that the program has written.
    private(set) var screen = ""
    private var searched = 0
    private static let patience: Int32 = 60_000

    /// Runs `trove`.
    init(_ arguments: [String], environment: [String: String]) throws {
        var (keyboard, device): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe openpty(&keyboard, &device, nil, nil, &size) == 0 else {
            throw Failure(description: "no terminal: \(errno)")
        }
        self.keyboard = keyboard
        let handle = FileHandle(fileDescriptor: device, closeOnDealloc: true)
        process.executableURL = try ChildProcess.locate("trove")
        process.arguments = arguments
        process.environment = environment
        process.standardInput = handle
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        close(keyboard)
    }

    /// Types a text.
    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe write(keyboard, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw Failure(description: "typed \(count) bytes: \(errno)") }
    }

    /// Reads until a text appears after the one that was expected before. Returns what is before it.
    @discardableResult
    func expect(_ text: String) throws -> String {
        while true {
            let rest = String(screen.utf8.dropFirst(searched)) ?? ""
            if let found = rest.range(of: text) {
                let before = String(rest[..<found.lowerBound])
                searched += before.utf8.count + text.utf8.count
                return before
            }
            // A program that waits for a key would never end.
            var event = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&event, 1, Self.patience) > 0 else {
                throw Failure(description: "waits before \(text.debugDescription): \(screen)")
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(keyboard, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(description: "ended before \(text.debugDescription): \(screen)") }
            screen += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    /// Sends the signal of Ctrl-C.
    func interrupt() { send(SIGINT) }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Gives the terminal another size.
    func resize(columns: UInt16, rows: UInt16) throws {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe ioctl(keyboard, UInt(TIOCSWINSZ), &size) == 0 else {
            throw Failure(description: "the size is not set: \(errno)")
        }
    }

    /// Returns whether the program gets each key at once, without an echo.
    func isRaw() throws -> Bool {
        var mode = termios()
        guard unsafe tcgetattr(keyboard, &mode) == 0 else { throw Failure(description: "no mode: \(errno)") }
        return mode.c_lflag & tcflag_t(ECHO | ICANON) == 0
    }

    /// Waits for the end, and returns the exit code.
    func wait() -> Int {
        process.waitUntilExit()
        return Int(process.terminationStatus)
    }
}
#endif
