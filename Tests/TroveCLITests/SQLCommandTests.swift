// Statements of SQL by the command.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveStemming
import TroveTestSupport

@IndexKeyRecord("id")
private struct Sailor {
    #Index<Sailor>(\.port)

    let id: Int
    var name: String
    var port: String?
    var height: Double
}

@IndexKeyRecord("id")
private struct Song {
    #FullTextIndex<Song>(\.text, analyzer: .english)

    let id: Int
    var text: String
}

@Suite struct SQLCommandTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("sailors.trove")
        let store = try Store(path: path, records: [Sailor.self], options: StoreOptions(durability: .noSync))
        try store.insert(
            contentsOf: [
                Sailor(id: 1, name: "Ann, of \"Oslo\"", port: "Oslo", height: 1.5),
                Sailor(id: 2, name: "", port: nil, height: 2),
                Sailor(id: 3, name: "a\u{1B}[31mb", port: "Oslo", height: 1.75),
            ])
        try store.close()
    }

    @Test func rows_areJSONLinesOutsideOfATerminal() throws {
        let (code, lines) = try trove("sql", path, "SELECT id, name, port FROM Sailor WHERE height < 2 ORDER BY id")
        #expect(code == 0)
        #expect(
            lines == [
                #"{"id":1,"name":"Ann, of \"Oslo\"","port":"Oslo"}"#,
                #"{"id":3,"name":"a\u001b[31mb","port":"Oslo"}"#,
            ])
    }

    @Test func csv_distinguishesNullFromAnEmptyText() throws {
        let (code, lines) = try trove("sql", path, "SELECT id, name, port FROM Sailor WHERE id < 3", "--csv")
        #expect(code == 0)
        #expect(lines.map { $0.filter { $0 != "\r" } } == ["id,name,port", #"1,"Ann, of ""Oslo""",Oslo"#, #"2,"","#])
    }

    @Test func aTable_hasAColumnForEachName() throws {
        let (code, lines) = try trove(
            "sql", path, "SELECT port, count(*) AS n FROM Sailor GROUP BY port ORDER BY n", "--table")
        #expect(code == 0)
        #expect(lines.count == 4)
        #expect(lines.first?.split(separator: " ") == ["port", "n"])
        #expect(lines.last?.split(separator: " ") == ["Oslo", "2"])
    }

    @Test func words_areFoundByTheAnalyzersOfLanguages() throws {
        let path = directory.path("songs.trove")
        let store = try Store(path: path, records: [Song.self], options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: [Song(id: 1, text: "A sailor sails"), Song(id: 2, text: "A ship")])
        try store.close()
        let (code, lines) = try trove("sql", path, "SELECT id FROM Song WHERE Song MATCH 'sailing' ORDER BY rank")
        #expect(code == 0)
        #expect(lines == [#"{"id":1}"#])
    }

    @Test func aPlan_namesTheKey() throws {
        let (code, lines) = try trove("sql", path, "SELECT * FROM Sailor WHERE id = 2", "--explain")
        #expect(code == 0)
        #expect(lines == ["SEARCH Sailor by key (id=?)"])
    }

    @Test func aWrongStatement_hasExitCode2() throws {
        let misspelled = try shell("trove sql '\(path)' 'SELECT nmae FROM Sailor'")
        #expect(misspelled.code == 2)
        #expect(misspelled.errors.contains("Did you mean “name”?"))
        #expect(try trove("sql", path, "DELETE FROM Sailor").code == 2)
        #expect(try trove("sql", path, "SELECT 1", "--csv", "--json").code == 64)
        #expect(try trove("sql", path, "SELECT count(*) AS n FROM Sailor").lines == [#"{"n":3}"#])
    }
}
#endif
