// The shell of SQL in a terminal.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Ship {
    let id: Int
    var name: String
}

@Suite(.timeLimit(.minutes(60))) struct InteractiveShellTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("ships.trove")
        let store = try Store(path: path, records: [Ship.self], options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: [Ship(id: 1, name: "Argo"), Ship(id: 2, name: "日本丸")])
        try store.close()
    }

    private func terminal(_ more: [String: String] = [:]) throws -> PseudoTerminal {
        var environment = ["TERM": "xterm", "NO_COLOR": "1", "XDG_STATE_HOME": directory.path("state")]
        for name in ["PATH", "LD_LIBRARY_PATH"] { environment[name] = ProcessInfo.processInfo.environment[name] }
        environment.merge(more) { $1 }
        let terminal = try PseudoTerminal(["sql", path], environment: environment)
        try terminal.expect("1 table, only for reading.")
        try terminal.expect("trove> ")
        return terminal
    }

    @Test func statements_areEditedAndRun() throws {
        let terminal = try terminal()
        // A forgotten letter, completion, and a statement on two lines.
        try terminal.type("SELECT nae\u{1B}[Dm\u{05}\r")
        try terminal.expect("   ...> ")
        try terminal.type("FROM Shi\t WHERE id = 2;\r")
        try terminal.expect("name\r\n──────\r\n日本丸\r\n")
        try terminal.expect("trove> ")
        // An error does not end the shell.
        try terminal.type("SELECT nmae FROM Ship;\r")
        try terminal.expect("Did you mean “name”?")
        try terminal.expect("trove> ")
        try terminal.type(".count Ship\r")
        try terminal.expect("\r\n2\r\n")
        try terminal.expect("trove> ")
        try terminal.type("\u{1B}[A\u{17}\u{15}.tables\r")
        try terminal.expect("\r\nShip\r\n")
        try terminal.expect("trove> ")
        try terminal.type("\u{04}")
        #expect(terminal.wait() == 0)
        #expect(!terminal.screen.contains("\u{1B}[1m"))
        let history = try String(contentsOfFile: directory.path("state/trove/history"), encoding: .utf8)
        #expect(history == "SELECT name\nFROM Ship  WHERE id = 2;\nSELECT nmae FROM Ship;\n.count Ship\n.tables\n")
        // The next shell has the lines, and finds them.
        let next = try self.terminal()
        try next.type("\u{12}count")
        try next.expect("search “count”: .count Ship")
        try next.type("\r")
        try next.expect("\r\n2\r\n")
        try next.expect("trove> ")
        try next.type("\u{1B}[A\r")
        try next.expect("\r\n2\r\n")
        try next.expect("trove> ")
        try next.type(".quit\r")
        #expect(next.wait() == 0)
    }

    @Test func controlC_givesUpTheLineOrTheStatement() throws {
        let terminal = try terminal()
        try terminal.type("SELECT 1\r")
        try terminal.expect("   ...> ")
        try terminal.type("WHERE\u{03}")
        try terminal.expect("^C")
        try terminal.expect("trove> ")
        try terminal.type("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT max(i) FROM n;\r")
        try terminal.expect("max(i) FROM n;")
        try terminal.expect("\r\n")
        // The signal comes as soon as the line is accepted, or later: it is sent until the statement ends.
        let sender = Thread { [terminal = Sender(terminal)] in terminal.send() }
        sender.start()
        try terminal.expect("interrupted")
        sender.cancel()
        try terminal.expect("trove> ")
        try terminal.type("SELECT 40 + 2 AS n;\r")
        try terminal.expect("42\r\n")
        try terminal.expect("trove> ")
        try terminal.type("\u{04}")
        #expect(terminal.wait() == 0)
    }

    /// Sends signals until its thread is cancelled.
    private struct Sender: @unchecked Sendable {
        let terminal: PseudoTerminal

        init(_ terminal: PseudoTerminal) { self.terminal = terminal }

        func send() {
            while !Thread.current.isCancelled {
                terminal.interrupt()
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    @Test func aDumbTerminal_hasPlainLines() throws {
        let terminal = try terminal(["TERM": "dumb"])
        try terminal.type("SELECT id FROM Ship WHERE\n")
        try terminal.expect("   ...> ")
        try terminal.type("name = 'Argo';\n")
        try terminal.expect("id\r\n──\r\n 1\r\n")
        try terminal.expect("trove> ")
        try terminal.type(".quit\n")
        #expect(terminal.wait() == 0)
        #expect(!terminal.screen.contains("\u{1B}"))
    }

    @Test func colors_areShownUnlessRefused() throws {
        let terminal = try terminal(["NO_COLOR": ""])
        try terminal.type(".quit\r")
        #expect(terminal.wait() == 0)
        #expect(terminal.screen.contains("\u{1B}[1mtrove> "))
    }
}
#endif
