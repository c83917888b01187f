// A progress line on standard error: redrawn on a terminal, written once at the end elsewhere.

import Foundation

/// Shows how many rows have been loaded, and how fast.
struct ProgressBar {
    private let label: String
    private let total: Int
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private let isTerminal = isatty(STDERR_FILENO) != 0

    init(label: String, total: Int) {
        self.label = label
        self.total = total
    }

    /// Redraws the line, at most twenty times a second.
    mutating func advance(to count: Int) {
        let now = ContinuousClock.now
        guard isTerminal else { return }
        if let lastDrawn, now - lastDrawn < .milliseconds(50) { return }
        lastDrawn = now
        write("\r" + line(count) + "\u{1B}[K")
    }

    /// Writes the final line.
    func finish(at count: Int) {
        write((isTerminal ? "\r\u{1B}[K" : "") + line(count) + "\n")
    }

    private func line(_ count: Int) -> String {
        let width = 30
        let filled = total > 0 ? min(width, count * width / total) : width
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let seconds = (ContinuousClock.now - start).seconds
        let rate = seconds > 0 ? Int(Double(count) / seconds) : 0
        let name = label.padding(toLength: 10, withPad: " ", startingAt: 0)
        return "\(name)\(bar) \(count.grouped) rows, \(rate.grouped) a second"
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
