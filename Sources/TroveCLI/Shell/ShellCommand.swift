// The commands of the shell of SQL: lines that begin with a dot.

#if CommandLine
import TroveTerminal

/// A command of the shell.
enum ShellCommand: Equatable {
    case tables(pattern: String?)
    case schema(type: String?)
    case indexes(type: String?)
    case plan(String)
    case count(type: String)
    case timer(Bool)
    /// Nil shows the form.
    case mode(RowForm?)
    case read(file: String)
    /// Nil is standard output.
    case output(file: String?)
    case export(file: String, types: [String])
    case `import`(file: String, table: String)
    case help
    case quit

    /// The usage of each command, and what it does.
    static let usages: [(usage: String, text: String)] = [
        (".tables [PATTERN]", "list the tables whose names are LIKE a pattern"),
        (".schema [TYPE]", "print the columns of tables, with the types of properties"),
        (".indexes [TYPE]", "list the indexes and unique constraints, with the number of their entries"),
        (".plan STATEMENT", "print which keys and indexes a statement uses"),
        (".count TYPE", "print the number of records"),
        (".timer on|off", "print the time of each statement"),
        (".mode json|csv|table|line", "choose the form of rows"),
        (".read FILE", "run the statements and commands of a file"),
        (".output [FILE]", "write into a file, or again to standard output"),
        (".export FILE [TYPE ...]", "write tables into a new file of SQLite"),
        (".import FILE TABLE", "load the rows of a CSV, as trove load does; only with --write"),
        (".help", "print this list"),
        (".quit", "end the shell, as Ctrl-D does"),
    ]

    /// The names of the commands.
    static var names: [String] { usages.map { String($0.usage.prefix { $0 != " " }) } }

    /// The error of a line that is no command.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Parses a line that begins with a dot.
    init(_ line: String) throws(Failure) {
        let line = line.drop { $0 == " " || $0 == "\t" }
        let name = String(line.prefix { !$0.isWhitespace && $0 != ";" })
        let rest = line.dropFirst(name.count)
        let words = try Self.words(rest)
        switch (name, words.count) {
        case (".tables", 0...1): self = .tables(pattern: words.first)
        case (".schema", 0...1): self = .schema(type: words.first)
        case (".indexes", 0...1), (".indices", 0...1): self = .indexes(type: words.first)
        case (".plan", 1...): self = .plan(String(rest))
        case (".count", 1): self = .count(type: words[0])
        case (".timer", 1) where words[0] == "on" || words[0] == "off": self = .timer(words[0] == "on")
        case (".mode", 0): self = .mode(nil)
        case (".mode", 1):
            guard let form = RowForm(rawValue: words[0]) else {
                throw Failure(
                    description: "\(words[0]) is no form: write .mode json, .mode csv, .mode table or .mode line.")
            }
            self = .mode(form)
        case (".read", 1): self = .read(file: words[0])
        case (".output", 0...1): self = .output(file: words.first)
        case (".export", 1...): self = .export(file: words[0], types: Array(words.dropFirst()))
        case (".import", 2): self = .import(file: words[0], table: words[1])
        case (".help", 0): self = .help
        case (".quit", 0), (".exit", 0): self = .quit
        default:
            if let usage = Self.usages.first(where: { $0.usage == name || $0.usage.hasPrefix(name + " ") }) {
                throw Failure(description: "\(name) is written \(usage.usage).")
            }
            throw Failure(
                description:
                    "\(name) is not a command of this shell.\(NearestName.question(for: name, among: Self.names)) .help lists all."
            )
        }
    }

    /// Returns the words of a text. A word with spaces is in quotes.
    private static func words(_ text: Substring) throws(Failure) -> [String] {
        var words: [String] = []
        var rest = text
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == ";" }
            guard let first = rest.first else { return words }
            guard first == "\"" || first == "'" else {
                let word = rest.prefix { !$0.isWhitespace }
                rest = rest.dropFirst(word.count)
                // A semicolon at the end is that of a statement.
                words.append(String(rest.isEmpty && word.last == ";" ? word.dropLast() : word))
                continue
            }
            rest = rest.dropFirst()
            let word = rest.prefix { $0 != first }
            rest = rest.dropFirst(word.count)
            guard !rest.isEmpty else { return words + [String(word)] }
            rest = rest.dropFirst()
            words.append(String(word))
        }
    }
}
#endif
