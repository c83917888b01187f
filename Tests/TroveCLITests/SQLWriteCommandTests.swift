// Statements of SQL that write, by the command and in its shell.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Note: Hashable {
    #Index<Note>(\.title)
    #FullTextIndex<Note>(\.body)

    let id: Int
    var title: String
    var body: String?
}

@IndexKeyRecord("id")
private struct Task: Hashable {
    #Index<Task>(\.rank, where: { $0.rank > 0 })

    let id: Int
    var rank: Int
}

@EntityModel
private struct Crew {
    let id: Int
    @Relationship(inverse: \.crew) var mates: [Mate]?
}

@EntityModel
private struct Mate {
    let id: Int
    @Relationship(inverse: \.mates) var crew: Crew?
}

@Suite(.timeLimit(.minutes(60))) struct SQLWriteCommandTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let old: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("app.trove")
        old = directory.path("old.sqlite")
        let store = try open()
        try store.insert(Note(id: 1, title: "One", body: "first words"))
        try store.insert(contentsOf: [Task(id: 1, rank: 0), Task(id: 2, rank: 5)])
        try Crew(id: 1, mates: .relation([Mate(id: 5)])).save(to: store)
        try store.close()
        let other = try Store(path: directory.path("other.trove"), records: [Note.self])
        try other.insert(contentsOf: [
            Note(id: 7, title: "Seven", body: nil), Note(id: 8, title: "Eight", body: "words"),
        ])
        try other.close()
        _ = try trove("sql", directory.path("other.trove"), "--export", old)
    }

    private func open() throws -> Store {
        try Store(
            path: path, records: [Note.self, Task.self, Crew.self], options: StoreOptions(durability: .noSync))
    }

    /// Returns the notes. Checks that the indexes agree with the records.
    private func notes() throws -> [Note] {
        #expect(try trove("check", path).code == 0)
        let store = try open()
        defer { #expect(throws: Never.self) { try store.close() } }
        #expect(try store.check().isEmpty)
        return try Note.query().resolve(in: store)
    }

    @Test func recordsOfAnAttachedFile_areInserted() throws {
        let statement = "INSERT INTO Note SELECT id, title, body FROM old.Note"
        let run = try shell("trove sql '\(path)' --write --attach old='\(old)' '\(statement)'")
        #expect(run == (0, "", "2 rows changed\n"))
        #expect(try notes().map(\.id) == [1, 7, 8])
        let search = "SELECT id FROM Note WHERE Note MATCH 'words' ORDER BY id"
        #expect(try trove("sql", path, search).lines == [#"{"id":1}"#, #"{"id":8}"#])
        // The second time, the keys exist.
        let again = try shell("trove sql '\(path)' --write --attach old='\(old)' '\(statement)'")
        #expect(again.code == 2 && again.errors.contains("already exists. INSERT OR REPLACE replaces it."))
        #expect(try notes().count == 3)
    }

    @Test func withoutTheFlag_aStatementThatWritesIsRefused() throws {
        for statement in ["DELETE FROM Note", "UPDATE Note SET title = 1", "INSERT INTO Note VALUES (9, 9, 9)"] {
            let run = try shell("trove sql '\(path)' '\(statement)'")
            #expect(
                run.code == 2 && run.errors.contains("The statement writes Note: give --write to allow it."), "\(run)")
        }
        let imported = try shell("echo '.import x.csv Note' | trove sql '\(path)'")
        #expect(imported.code == 2 && imported.errors.contains("start the shell with --write"))
        #expect(try trove("sql", path, "SELECT 1", "--empty-indexes").code == 64)
        #expect(try trove("sql", path, "--export", directory.path("x"), "--write").code == 64)
        #expect(try notes().map(\.title) == ["One"])
    }

    @Test func theReport_isJSON() throws {
        let statement = "INSERT INTO Note VALUES (2, 'Two', NULL) RETURNING id"
        let (code, lines) = try trove("sql", path, "--write", "--json", statement)
        #expect(code == 0)
        #expect(lines == [#"{"id":2}"#, #"{"changes":1,"emptiedIndexes":[],"verdict":"written"}"#])
        #expect(try trove("sql", path, "--write", "--quiet", "DELETE FROM Note").lines == [])
        #expect(try trove("sql", path, "--write", "--explain", "DELETE FROM Note WHERE id = 3").lines.count == 1)
        #expect(try notes().isEmpty)
    }

    @Test func theReason_isNamed() throws {
        let crew = try shell("trove sql '\(path)' --write 'DELETE FROM Crew'")
        #expect(crew.code == 2 && crew.errors.contains("only its program knows the rules of its relations"))
        let task = try shell("trove sql '\(path)' --write 'DELETE FROM Task WHERE id = 1'")
        #expect(task.code == 2 && task.errors.contains("trove sql --write --empty-indexes empties them"))
        let emptied = try shell("trove sql '\(path)' --write --empty-indexes 'DELETE FROM Task WHERE id = 1'")
        #expect(emptied.code == 0 && emptied.errors.contains("emptied; its program rebuilds it"))
        #expect(emptied.errors.hasSuffix("1 row changed\n"))
        let store = try open()
        #expect(try store.check().isEmpty)
        #expect(try Task.query().filter { $0.rank > 0 }.resolve(in: store).map(\.id) == [2])
        try store.close()
        let value = try shell("trove sql '\(path)' --write \"UPDATE Note SET id = 'x'\"")
        #expect(value.code == 2 && value.errors.contains("Note.id cannot have 'x'"))
        let begin = try shell("trove sql '\(path)' --write BEGIN")
        #expect(begin.code == 2 && begin.errors.contains("Each statement of trove sql is a transaction of its own."))
    }

    @Test func aScript_writesAndReads() throws {
        let csv = directory.path("notes.csv")
        try Data("id,title,body\n3,Three,\n4,\"Four, or so\",text\n".utf8).write(to: URL(filePath: csv))
        let script = directory.path("script.sql")
        try Data(
            """
            UPDATE Note SET title = 'First';
            .import '\(csv)' Note
            SELECT count(*) AS n FROM Note;
            INSERT INTO Note VALUES (3, '', '');
            DELETE FROM Note;
            """.utf8
        ).write(to: URL(filePath: script))
        let run = try shell("trove sql '\(path)' --write < '\(script)'")
        #expect(run.code == 2)
        #expect(run.output == "TroveCLITests.Note: 2 records loaded\n{\"n\":3}\n")
        #expect(run.errors.hasPrefix("1 row changed\ntrove: line 4: "))
        #expect(try notes().map(\.title) == ["First", "Three", "Four, or so"])
        let wrong = try shell("echo \".import '\(csv)' Nte\" | trove sql '\(path)' --write")
        #expect(wrong.code == 2 && wrong.errors.contains("Did you mean “Note”?"))
    }

    @Test func theShell_asksOnce() throws {
        var environment = ["TERM": "dumb", "NO_COLOR": "1", "XDG_STATE_HOME": directory.path("state")]
        for name in ["PATH", "LD_LIBRARY_PATH"] { environment[name] = ProcessInfo.processInfo.environment[name] }
        let refused = try PseudoTerminal(["sql", path, "--write"], environment: environment)
        try refused.expect("statements can change and delete records")
        try refused.expect("to write: Note\r\n")
        try refused.expect("only to read: Task, since only its program can maintain index(rank")
        try refused.expect("Write? [y/N] ")
        try refused.type("\n")
        try refused.expect("only for reading.")
        try refused.type("DELETE FROM Note;\n")
        try refused.expect("give --write to allow it")
        try refused.type(".quit\n")
        #expect(refused.wait() == 0)
        #expect(try notes().count == 1)
        let terminal = try PseudoTerminal(["sql", path, "--write"], environment: environment)
        try terminal.expect("Write? [y/N] ")
        try terminal.type("y\n")
        try terminal.expect("for reading and writing.")
        try terminal.type("DELETE FROM Note;\n")
        try terminal.expect("1 row changed")
        try terminal.type(".quit\n")
        #expect(terminal.wait() == 0)
        #expect(try notes().isEmpty)
    }
}
#endif
