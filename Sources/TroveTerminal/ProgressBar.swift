// A progress line on standard error, redrawn on a terminal and otherwise written once at the end.

import Foundation

/// A progress bar with a count and a rate.
package struct ProgressBar {
    private let label: String
    private let unit: String
    private let delay: Duration
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?

    /// Whether standard error is a terminal, on which the line can be redrawn.
    package static let isTerminal = isatty(STDERR_FILENO) != 0

    /// Creates a bar. It is drawn at the first progress.
    ///
    /// - Parameters:
    ///   - label: The name of the work.
    ///   - unit: The counted unit, in the plural.
    ///   - delay: The time without a bar at the beginning: quick work has none.
    package init(label: String, unit: String, after delay: Duration = .zero) {
        self.label = label
        self.unit = unit
        self.delay = delay
    }

    /// Redraws the line, at most twenty times per second.
    package mutating func advance(to count: Int, of total: Int) {
        let now = ContinuousClock.now
        guard Self.isTerminal, now - start >= delay else { return }
        if let lastDrawn, now - lastDrawn < .milliseconds(50) { return }
        lastDrawn = now
        write("\r" + line(count, of: total) + "\u{1B}[K")
    }

    /// Writes the final line.
    package func finish(at count: Int, of total: Int) {
        write((Self.isTerminal ? "\r\u{1B}[K" : "") + line(count, of: total) + "\n")
    }

    /// Removes the line from a terminal.
    package func clear() {
        if Self.isTerminal, lastDrawn != nil { write("\r\u{1B}[K") }
    }

    private func line(_ count: Int, of total: Int) -> String {
        let width = 30
        let filled = total > 0 ? min(width, count * width / total) : width
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let seconds = (ContinuousClock.now - start).seconds
        let rate = seconds > 0 ? Int(Double(count) / seconds) : 0
        let name = label.padding(toLength: 10, withPad: " ", startingAt: 0)
        return "\(name)\(bar) \(count.grouped) \(unit), \(rate.grouped) a second"
    }

    private func write(_ text: String) {
        // A closed standard error must not end the work, of which the line is no part.
        do { try FileHandle.standardError.write(contentsOf: Data(text.utf8)) } catch {}
    }
}
