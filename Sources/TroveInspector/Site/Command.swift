// The command that prints what a page shows.

#if Inspector
import Trove

/// A call of `trove` that prints what a page shows, for a shell.
struct Command: Sendable {
    let text: String

    /// Creates a call of a subcommand. Each word is quoted if the shell would read it otherwise.
    init(_ words: String...) { text = (["trove"] + words).map(\.quotedForShell).joined(separator: " ") }

    private init(text: String) { self.text = text }

    /// Returns the call with a text that may begin with a hyphen, which would be an option otherwise.
    func with(text: String) -> Command { text.hasPrefix("-") ? with("--", text) : with(text) }

    /// Returns the call with further words.
    func with(_ words: String...) -> Command {
        Command(text: ([text] + words.map(\.quotedForShell)).joined(separator: " "))
    }
}

extension String {
    fileprivate var quotedForShell: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","):
                true
            default: false
            }
        }
        guard !isPlain || isEmpty else { return self }
        return "'" + replacingScalar("'", with: "'\\''") + "'"
    }
}
#endif
