// Statements and commands of standard input, attached files, and exports.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Sailor {
    #Index<Sailor>(\.port)

    let id: Int
    var name: String
    var port: String?
}

@Suite struct SQLShellTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("sailors.trove")
        let store = try Store(path: path, records: [Sailor.self], options: StoreOptions(durability: .noSync))
        try store.insert(
            contentsOf: [Sailor(id: 1, name: "Ann", port: "Oslo"), Sailor(id: 2, name: "Bob", port: nil)])
        try store.close()
    }

    /// Runs the command with a text as standard input.
    private func run(_ text: String, _ options: String = "") throws -> (code: Int, output: String, errors: String) {
        let input = directory.path("input.sql")
        try Data(text.utf8).write(to: URL(filePath: input))
        return try shell("trove sql '\(path)' \(options) < '\(input)'")
    }

    @Test func statements_areRunInOrder() throws {
        let run = try run("SELECT name FROM Sailor\n  WHERE id = 1; SELECT 2 AS two;\n-- the end\nSELECT 3 AS three")
        #expect(run == (0, "{\"name\":\"Ann\"}\n{\"two\":2}\n{\"three\":3}\n", ""))
        #expect(try self.run("") == (0, "", ""))
        #expect(try self.run("SELECT 1 AS a;", "--csv").output == "a\r\n1\r\n")
        #expect(try self.run("SELECT 1;", "--quiet").output == "")
    }

    @Test func anError_endsTheTextAndNamesItsLine() throws {
        let run = try run("SELECT 1 AS a;\n\nSELECT nmae\nFROM Sailor;\nSELECT 2;")
        #expect(run.code == 2 && run.output == "{\"a\":1}\n")
        #expect(run.errors.hasPrefix("trove: line 3: no such column: nmae Did you mean “name”?"))
        let command = try self.run("SELECT 1 AS a;\n.tabels\n")
        #expect(
            command.code == 2
                && command.errors.contains("line 2: .tabels is not a command of this shell. Did you mean “.tables”?"))
        let json = try self.run("SELEC 1;", "--json")
        #expect(
            json.code == 2 && json.output.contains("\"error\":\"line 1: near")
                && json.output.contains("\"verdict\":\"failed\""))
        #expect(try self.run("DELETE FROM Sailor;").code == 2)
    }

    @Test func commands_describeTheStore() throws {
        #expect(try run(".tables").output == "Sailor\n")
        #expect(try run(".tables S%\n.tables x%\n").output == "Sailor\n")
        #expect(
            try run(".schema Sailor").output == """
                CREATE TABLE Sailor (
                  id INTEGER PRIMARY KEY,  -- Int64
                  name TEXT NOT NULL,  -- String
                  port TEXT  -- String?
                );
                CREATE INDEX Sailor_port ON Sailor (port);

                """)
        #expect(try run(".schema Sialor").errors.contains("Did you mean “Sailor”?"))
        #expect(try run(".indexes").output == "Sailor: index(port), 2 entries\n")
        #expect(try run(".plan SELECT * FROM Sailor WHERE id = 3").output == "SEARCH Sailor by key (id=?)\n")
        #expect(try run(".count sailor").output == "2\n")
        #expect(try run(".help").output.contains(".export FILE [TYPE ...]"))
        #expect(try run(".quit\nSELECT 1;").output == "")
        #expect(try run(".count").errors.contains(".count is written .count TYPE."))
    }

    @Test func forms_areChosen() throws {
        let text = "SELECT id, name, port FROM Sailor;\n"
        #expect(try run(".mode csv\n" + text).output == "id,name,port\r\n1,Ann,Oslo\r\n2,Bob,\r\n")
        #expect(
            try run(".mode line\n" + text).output
                == "  id = 1\nname = Ann\nport = Oslo\n\n  id = 2\nname = Bob\nport = \n")
        #expect(try run(".mode table\n" + text).output.split(separator: "\n").count == 4)
        #expect(try run(".mode\n.mode line\n.mode").output == "json\nline\n")
        #expect(try run(".mode xml").errors.contains("xml is no form"))
        let timed = try run(".timer on\nSELECT 1 AS a;\n.timer off\nSELECT 1 AS a;\n")
        #expect(timed.output == "{\"a\":1}\n{\"a\":1}\n")
        #expect(timed.errors.split(separator: "\n").count == 1 && timed.errors.hasSuffix(" seconds\n"))
    }

    @Test func filesAreRead_andWritten() throws {
        let (script, result) = (directory.path("a script.sql"), directory.path("result.txt"))
        try Data("SELECT id FROM Sailor ORDER BY id;\n.count Sailor\n".utf8).write(to: URL(filePath: script))
        let text = ".output \(result)\n.read \"\(script)\"\n.output\nSELECT 9 AS nine;"
        #expect(try run(text) == (0, "{\"nine\":9}\n", ""))
        #expect(try String(contentsOfFile: result, encoding: .utf8) == "{\"id\":1}\n{\"id\":2}\n2\n")
        // A file that reads itself, an error in a file, the store as output.
        try Data("SELECT 1 AS a;\n.read '\(script)'".utf8).write(to: URL(filePath: script))
        let recursion = try run(".read '\(script)'")
        #expect(recursion.code == 2 && recursion.errors.contains("16 files read each other"))
        try Data("\nSELECT x;".utf8).write(to: URL(filePath: script))
        #expect(try run(".read '\(script)'").errors.hasPrefix("trove: \(script), line 2: no such column: x"))
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(try run(".output \(path)\nSELECT 1;").errors.contains("is read by this shell"))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try run(".read \(directory.path("none"))").errors.contains("There is no file"))
    }

    @Test func aFile_isAttached() throws {
        let old = directory.path("old.sqlite")
        #expect(try trove("sql", path, "--export", old).code == 0)
        let before = try Data(contentsOf: URL(filePath: old))
        let statement = "SELECT o.name FROM Sailor s JOIN old.Sailor o ON o.id = s.id WHERE s.id = 2"
        #expect(try trove("sql", path, statement, "--attach", "old=\(old)").lines == [#"{"name":"Bob"}"#])
        #expect(try run(".plan SELECT * FROM old.Sailor\n\(statement);\n", "--attach old=\(old)").code == 0)
        #expect(try trove("sql", path, "DELETE FROM old.Sailor", "--attach", "old=\(old)").code == 2)
        #expect(try trove("sql", path, "ATTACH '\(directory.path("x"))' AS x", "--attach", "old=\(old)").code == 2)
        #expect(try Data(contentsOf: URL(filePath: old)) == before)
        #expect(try run(".output \(old)", "--attach old=\(old)").errors.contains("is read by this shell"))
        let missing = try run("SELECT 1;", "--attach old=\(directory.path("none"))")
        #expect(missing.code == 2 && missing.errors.contains("There is no file at \(directory.path("none"))."))
        #expect(!FileManager.default.fileExists(atPath: directory.path("none")))
        #expect(try trove("sql", path, "SELECT 1", "--attach", old).code == 64)
        #expect(try trove("sql", path, "SELECT 1", "--attach", "a=\(old)", "--attach", "A=\(old)").code == 64)
        #expect(try trove("sql", path, "SELECT 1", "--attach", "main=\(old)").code == 2)
    }

    @Test func anExport_isReported() throws {
        let out = directory.path("out.sqlite")
        let (code, lines) = try trove("sql", path, "--export", out)
        #expect(code == 0 && lines.first == "Sailor: 2 rows, 1 index")
        #expect(lines.last?.hasSuffix("out.sqlite: 2 rows exported") == true)
        let again = try shell("trove sql '\(path)' --export '\(out)'")
        #expect(again.code == 2 && again.errors.contains("out.sqlite"))
        let json = try jsonObject(trove("sql", path, "--export", directory.path("b.sqlite"), "sailor", "--json").lines)
        #expect(json["verdict"] as? String == "exported")
        #expect((json["tables"] as? [[String: Any]])?.first?["rows"] as? Int == 2)
        #expect(try trove("sql", path, "--export", directory.path("c.sqlite"), "Sialor").code == 2)
        #expect(!FileManager.default.fileExists(atPath: directory.path("c.sqlite")))
        #expect(try trove("sql", path, "--export", directory.path("c.sqlite"), "--csv").code == 64)
        #expect(try trove("sql", path, "SELECT 1", "SELECT 2").code == 64)
        #expect(try trove("sql", path, "--explain").code == 64)
        #expect(try run(".export \(directory.path("d.sqlite")) Sailor").output.hasPrefix("Sailor: 2 rows"))
        let program = "/usr/bin/sqlite3"
        guard FileManager.default.isExecutableFile(atPath: program) else { return }
        let check = try shell(
            "\(program) '\(out)' 'PRAGMA integrity_check; SELECT name FROM Sailor WHERE port = \"Oslo\"'")
        #expect(check.output == "ok\nAnn\n")
    }
}
#endif
