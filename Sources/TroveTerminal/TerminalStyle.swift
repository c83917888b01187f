// Colors and weights of text on a terminal.

import Foundation

/// A style of text, as an escape sequence of a terminal.
package enum TerminalStyle: String, CaseIterable, Sendable {
    /// The header of a table.
    case heading = "1"
    /// An error, damage or loss.
    case bad = "1;31"
    /// A sound result.
    case good = "32"
    /// A result that asks for an action.
    case pending = "33"
    /// A found word.
    case found = "1;33"

    /// Returns the text in this style, if the stream shows styles.
    ///
    /// Control characters in the text are not escaped.
    package func applied(to text: String, on stream: TerminalStream) -> String {
        stream.showsStyles ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// An output stream of this process.
package struct TerminalStream: Sendable {
    /// Whether the stream shows styles.
    let showsStyles: Bool

    /// Standard output.
    package static let output = TerminalStream(isTerminal: isatty(STDOUT_FILENO) != 0)
    /// Standard error.
    package static let error = TerminalStream(isTerminal: isatty(STDERR_FILENO) != 0)

    /// Creates a stream.
    ///
    /// Only a terminal shows styles, unless it is `dumb`, or the user has set `NO_COLOR` (https://no-color.org).
    package init(
        isTerminal: Bool, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        showsStyles = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}
