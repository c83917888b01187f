// The progress of a load: a line on standard error, redrawn on a terminal and otherwise written once at the end.

import Foundation

/// The count of rows that were read from a file.
struct LoadProgress {
    private static let isTerminal = isatty(STDERR_FILENO) != 0

    let label: String
    private let start = ContinuousClock.now
    private var lastDrawn = ContinuousClock.now

    /// Creates a line. It is drawn from the first tenth of a second on.
    init(label: String) { self.label = label }

    /// Redraws the line, at most ten times per second.
    mutating func advance(to count: Int, of total: Int) {
        guard Self.isTerminal, ContinuousClock.now - lastDrawn > .milliseconds(100) else { return }
        lastDrawn = .now
        write("\r\(label): \(count.grouped) of about \(total.grouped) rows\u{1B}[K")
    }

    /// Writes the final line.
    func finish(at count: Int) {
        let start = Self.isTerminal ? "\r\u{1B}[K" : ""
        write("\(start)\(label): \(count.grouped) rows in \((ContinuousClock.now - self.start).short)\n")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
