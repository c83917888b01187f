// The whole screen of a terminal: frames that are drawn in place, and keys that come one by one.

import Dispatch
import Foundation
import Synchronization

/// The whole screen of the terminal of this process.
///
/// While it is open, the terminal is in raw mode and shows its other screen, without a cursor. What was there before is
/// shown again by ``close()``. The signals that end a process end the wait for a key instead.
package final class FullScreen {
    /// An event.
    package enum Event: Hashable {
        case key(Key)
        /// The terminal has another size, or the process goes on after a pause.
        case redraws
        /// Nothing has happened in the time.
        case nothing
        /// The input has ended, or a signal ends the process.
        case ended
    }

    /// The size of the terminal.
    package private(set) var size: TerminalSize
    private var mode: RawMode?
    private var parser = KeyParser()
    /// Bytes that are not parsed yet.
    private var bytes: ArraySlice<UInt8> = []
    private let signals = EndSignals()
    private var isOpen = false

    private static let openingCodes = "\u{1B}[?1049h\u{1B}[?25l"
    private static let closingCodes = "\u{1B}[?25h\u{1B}[?1049l"
    /// The time between two looks at the size, in milliseconds.
    private static let pace: Int32 = 100

    /// Whether there is a screen: standard input and output are a terminal that moves its cursor.
    package static func isAvailable(_ environment: [String: String]) -> Bool {
        let kind = environment["TERM", default: ""]
        return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !kind.isEmpty && kind != "dumb"
    }

    /// Opens the screen.
    package init() throws {
        size = TerminalSize(of: STDOUT_FILENO) ?? TerminalSize(columns: 80, rows: 24)
        try enter()
    }

    deinit { close() }

    private func enter() throws {
        mode = RawMode()
        isOpen = true
        try write(Self.openingCodes)
    }

    /// Restores the terminal. A second call does nothing.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        mode?.restore()
        mode = nil
        // A terminal that is gone needs no restoring.
        do { try write(Self.closingCodes) } catch {}
    }

    /// Draws lines, each on a row, over the lines before. The lines are no wider and no more than the screen.
    package func draw(_ lines: [String]) throws {
        var text = ""
        // A row is cleared before its text: after a text as wide as the screen, the cursor is still on its last column.
        for (row, line) in lines.enumerated() { text += "\u{1B}[\(row + 1);1H\u{1B}[K" + line }
        if lines.count < size.rows { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
        try write(text)
    }

    /// Waits for the next event.
    ///
    /// - Parameter limit: The time to wait.
    package func event(within limit: Duration) throws -> Event {
        let end = ContinuousClock.now + limit
        repeat {
            while let byte = bytes.popFirst() {
                if let key = parser.key(byte) { return .key(key) }
            }
            if signals.isRaised { return .ended }
            let now = TerminalSize(of: STDOUT_FILENO) ?? size
            if now != size {
                size = now
                return .redraws
            }
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let left = (end - ContinuousClock.now).seconds * 1000
            let count = unsafe poll(&input, 1, min(Self.pace, Int32(clamping: Int(max(0, left)))))
            if count < 0, errno != EINTR { return .ended }
            if count > 0, !readInput() { return .ended }
        } while ContinuousClock.now < end || !bytes.isEmpty
        return .nothing
    }

    /// Pauses the process, as Ctrl-Z does, and opens the screen again afterwards.
    package func pause() throws {
        close()
        raise(SIGTSTP)
        try enter()
    }

    /// Reads bytes of the input. Returns false at its end.
    private func readInput() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe read(STDIN_FILENO, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
        bytes = buffer[..<count]
        return true
    }

    private func write(_ text: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

/// The signals that end a process, noted instead.
private final class EndSignals {
    private final class Flag: Sendable {
        let isRaised = Atomic(false)
    }

    private let flag = Flag()
    private var sources: [any DispatchSourceSignal] = []

    var isRaised: Bool { flag.isRaised.load(ordering: .relaxed) }

    init() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let flag = flag
            source.setEventHandler { flag.isRaised.store(true, ordering: .relaxed) }
            source.resume()
            sources.append(source)
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }
}
