// The raw mode of a terminal, and its size.

import Foundation

/// The mode of the terminal on standard input from before it was made raw.
struct RawMode {
    private let before: termios

    /// Sets the terminal to give each key at once, Ctrl-C among them; nil if standard input is not a terminal.
    init?() {
        var mode = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        before = mode
        mode.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
        mode.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    /// Sets the mode from before.
    func restore() {
        var mode = before
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }
}

/// The size of a terminal.
package struct TerminalSize: Hashable, Sendable {
    /// The number of characters in a row.
    package var columns: Int
    /// The number of rows.
    package var rows: Int

    /// Creates a size.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Reads the size of the terminal of a descriptor; nil if it has none.
    init?(of descriptor: Int32) {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        self.init(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}
