// Statements of the page of SQL that write: with the option alone, after a confirmation, once each.

#if Inspector
import Foundation
import HTTPTypes
import Testing
import Trove
import TroveSQL
import TroveTestSupport

@testable import TroveInspector

@Suite struct StatementWriteTests {
    private let directory: TemporaryDirectory
    private let path: String
    /// A store that does not know its types, as that of the command.
    private let store: Store
    private let site: TestSite

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("a.trove")
        let program = try Store(
            path: directory.path("program.trove"), records: [Visitor.self, Member.self, Person.self])
        try program.insert(contentsOf: (1...3).map { Visitor(id: $0) })
        try program.insert(
            Member(id: 1, email: "m", age: 20, note: "x", isActive: true, code: Data(), score: 0))
        try Person(id: 1, name: "Ann", groups: .ids(["a"])).save(to: program)
        try program.copy(to: path)
        store = try SampleStore.open(path, StoreOptions())
        site = TestSite(.success(store), path: path, allowsWrites: true)
    }

    private func ages() async throws -> [Int] {
        try await store.sql("SELECT age FROM Visitor ORDER BY id", as: Int.self)
    }

    /// Shows a statement, and returns the fields of its confirmation.
    private func confirmation(_ statement: String) async throws -> [String: String] {
        try await site.page(SQLPage.address(statement).text).sentFields()
    }

    /// Shows a statement, confirms it, and returns the answer.
    private func run(_ statement: String) async throws -> TestResponse {
        try await site.send(form: confirmation(statement), to: "/sql")
    }

    private func hasForm(_ page: HTMLElement) -> Bool {
        page.all("form").contains { $0.attributes["method"] == "post" }
    }

    // MARK: Changes

    @Test func aStatement_runsAfterItsConfirmation() async throws {
        let statement = "UPDATE Visitor SET age = age + 10 WHERE id < 3"
        let page = try await site.page(SQLPage.address(statement).text)
        #expect(page.element(id: "confirmation")?.text.contains("Visitor") == true)
        #expect(try #require(page.all(class: "plan").first).text.contains("Visitor"))
        #expect(page.all("pre").contains { $0.text == statement })
        #expect(page.element(id: "command")?.text.hasSuffix(" --write '\(statement)'") == true)
        #expect(try await ages() == [21, 22, 23])
        let answer = try await site.send(form: page.sentFields(), to: "/sql")
        #expect(answer.status == .ok)
        let result = try answer.page()
        #expect(result.all(class: "verdict").first?.text.hasPrefix("2 rows changed") == true)
        #expect(result.all("textarea")[0].text.contains(statement) && !hasForm(result))
        #expect(try await ages() == [31, 32, 23])
        let differences = try await store.read { context in
            try context.storedTypes().flatMap { try context.checkStoredIndexes(of: $0).differences }
        }
        #expect(differences.isEmpty)
        #expect(try await run("DELETE FROM Visitor WHERE id = 3").page().text.contains("1 row changed"))
        #expect(try await run("DELETE FROM Visitor WHERE id = 3").page().text.contains("0 rows changed"))
        #expect(try await ages() == [31, 32])
    }

    @Test func aFormThatIsSentAgain_changesNothing() async throws {
        let form = try await confirmation("UPDATE Visitor SET age = age + 1")
        #expect(try await site.send(form: form, to: "/sql").status == .ok)
        let again = try await site.send(form: form, to: "/sql")
        #expect(again.status == .conflict)
        #expect(try again.page().all(class: "error").first?.text.contains("sent before") == true)
        #expect(try await ages() == [22, 23, 24])
        // The page shows the statement again, to be confirmed again.
        #expect(try await site.send(form: again.page().sentFields(), to: "/sql").status == .ok)
        #expect(try await ages() == [23, 24, 25])
    }

    @Test func twoTabs_runTheirOwnStatements() async throws {
        let first = try await confirmation("UPDATE Visitor SET age = age + 1")
        let second = try await confirmation("UPDATE Visitor SET age = age * 2")
        // A form runs what its page has shown.
        for text in ["DELETE FROM Visitor", ""] {
            let mixed = first.merging(["q": text]) { $1 }
            #expect(try await site.send(form: mixed, to: "/sql").status == .conflict)
        }
        for mark in ["", "0", "x", "-1", "99999999999999999999", try #require(second["shown"])] {
            let mixed = first.merging(["shown": mark]) { $1 }
            #expect(try await site.send(form: mixed, to: "/sql").status == .conflict)
        }
        #expect(try await ages() == [21, 22, 23])
        #expect(try await site.send(form: second, to: "/sql").status == .ok)
        #expect(try await site.send(form: first, to: "/sql").status == .ok)
        #expect(try await ages() == [43, 45, 47])
    }

    @Test func oldStatements_areForgotten() {
        let shown = ShownStatements()
        let marks = (0...ShownStatements.limit).map { shown.add("\($0)") }
        #expect(!shown.take(marks[0], "0"))
        #expect(shown.take(marks[1], "1") && !shown.take(marks[1], "1"))
        #expect(!shown.take(marks[2], "3") && shown.take(marks[2], "2"))
        // The characters are equal, and the bytes that SQLite would read are not.
        let accent = shown.add("'\u{E9}'")
        #expect(!shown.take(accent, "'e\u{301}'") && shown.take(accent, "'\u{E9}'"))
    }

    @Test func rowsOfReturning_areBounded() async throws {
        let statement = """
            INSERT INTO Visitor(id, email, age, note, isActive, code, score)
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1599)
            SELECT i, 'r' || i, i, '<b>' || hex(zeroblob(5000)), 1, x'00', 0 FROM n RETURNING id, note
            """
        let answer = try await run(statement)
        #expect(answer.status == .ok && answer.body.utf8.count < PageFrame.sizeLimit)
        let page = try answer.page()
        #expect(page.text.contains("1,500 rows changed"))
        #expect(page.text.contains("1,000 of 1,500 rows are shown."))
        let rows = page.all("tbody")[0].all("tr")
        #expect(rows.count == 1_000)
        #expect(rows[0].all("td").map(\.text)[0] == "100" && rows[0].text.contains("<b>00"))
        #expect(rows[0].text.utf8.count < 1_000)
        #expect(page.all("thead")[0].all("th").map(\.text) == ["id", "note"])
        #expect(try await ages().count == 1_503)
    }

    // MARK: Refusals

    @Test(arguments: [
        ("DELETE FROM Person", "relations"), ("UPDATE Member SET age = 1", "only its program can maintain"),
        ("DELETE FROM trove_types", "cannot be written"), ("ATTACH '/etc/passwd' AS p", "opens no files"),
        ("DETACH main", "opens no files"), ("PRAGMA journal_mode = WAL", "not available"),
        ("PRAGMA writable_schema = 1", "not available"),
        ("DELETE FROM Visitor; DELETE FROM Visitor", "Only one statement"), ("DROP TABLE Visitor", ""),
        ("CREATE TABLE x(y)", ""), ("UPDATE Visitor SET \"<b>\" = 1", "<b>"), ("VACUUM INTO '/tmp/x'", ""),
        ("BEGIN", "transaction"), ("EXPLAIN DELETE FROM Visitor", ""), ("DELETE FROM <script>", "<"),
        ("INSERT INTO Visitor SELECT * FROM \"TroveInspectorTests.Visitor\"", "own rows"),
        ("UPDATE Visitor SET age = ?", "argument"), ("", ""),
    ])
    func aStatementThatCannotRun_isAnError(_ statement: String, _ words: String) async throws {
        let page = try await site.page(SQLPage.address(statement).text)
        #expect(!hasForm(page))
        let errors = page.all(class: "error").map(\.text)
        #expect(errors.count == (statement.isEmpty ? 0 : 1), "\(errors)")
        #expect(errors.allSatisfy { words.isEmpty || $0.contains(words) }, "\(errors)")
        // A form that no page has shown is refused, too.
        let answer = try await site.send(form: ["q": statement, "shown": "1"], to: "/sql")
        #expect(answer.status == .conflict)
        #expect(try answer.page().all(class: "error").count == 1)
        #expect(try await ages() == [21, 22, 23])
    }

    @Test func aViolatedConstraint_undoesTheStatement_whichStaysOnThePage() async throws {
        for (statement, words) in [
            ("UPDATE Visitor SET email = 'same' || age / 30", "unique"),
            ("INSERT INTO Visitor(id, email, age, isActive, code, score) VALUES (1, 'n', 1, 1, x'', 0)", "exists"),
            ("UPDATE Visitor SET age = 'old'", "expected an integer"),
        ] {
            let answer = try await run(statement)
            #expect(answer.status == .conflict)
            let page = try answer.page()
            let error = try #require(page.all(class: "error").first?.text)
            #expect(error.lowercased().contains(words), "\(error)")
            #expect(page.all("textarea")[0].text.contains(statement))
            #expect(page.element(id: "command")?.text.contains(" --write ") == true)
        }
        #expect(try await ages() == [21, 22, 23])
    }

    @Test func withoutTheOption_noRouteWrites_andThePageSaysHow() async throws {
        let reading = TestSite(.success(store), path: path)
        let statement = "UPDATE Visitor SET note = '<b>it''s</b>'"
        let page = try await reading.page(SQLPage.address(statement).text + "&shown=1&form=\(site.site.formToken.text)")
        #expect(!hasForm(page) && page.all(class: "error").count == 1)
        #expect(
            page.text.contains("only reads") && page.text.contains("This statement writes TroveInspectorTests.Visitor"))
        let command = try #require(page.element(id: "command")?.text)
        #expect(command.contains(" --write '") && command.contains("<b>it"))
        #expect(try await reading.send(form: ["q": statement, "shown": "1"], to: "/sql").status == .notFound)
        // Why a type cannot be written is said there, too.
        let refused = try await reading.page(SQLPage.address("DELETE FROM Person").text)
        #expect(refused.all(class: "error").first?.text.contains("relations") == true)
        #expect(try await store.sql("SELECT count(*) FROM Visitor WHERE note IS NULL", as: Int.self) == [3])
    }

    @Test func aFormOfAnotherPage_isRefused() async throws {
        let form = try await confirmation("DELETE FROM Visitor")
        let body = [String(form.reduce(Address("x")) { $0.with($1.key, $1.value) }.text.dropFirst("/x?".count))]
        let origin: HTTPFields = [.origin: TestSite.origin]
        for response in [
            try await site.send(.post, "/sql", body: body),
            try await site.send(.post, "/sql", headers: [.origin: "http://evil.example"], body: body),
            try await site.send(.post, "/sql", cookie: "", headers: origin, body: body),
            try await site.send(form: form.filter { $0.key != "form" }, to: "/sql", token: site.site.token.text),
        ] { #expect(response.status == .forbidden) }
        // A read never writes, whatever its query.
        #expect(try await site.send(.get, "/sql?confirmed=1&" + body[0]).status == .ok)
        #expect(try await ages() == [21, 22, 23])
        #expect(try await site.send(.post, "/sql", headers: origin, body: body).status == .ok)
        #expect(try await ages().isEmpty)
    }

    @Test func aStatementThatReads_isNotRunByAForm() async throws {
        let answer = try await site.send(form: ["q": "SELECT 1", "shown": "1"], to: "/sql")
        #expect(answer.status == .seeOther && answer.headers[.location] == "/sql?q=SELECT%201")
    }

    /// The statement ends by its timer, and the next one can write.
    @Test(.timeLimit(.minutes(60))) func aStatementWithoutAnEnd_isUndone() async throws {
        let site = TestSite(
            .success(store), path: path, allowsWrites: true, maximumWriteAge: .milliseconds(50))
        let statement = """
            UPDATE Visitor SET age = CASE id WHEN 1 THEN 99 ELSE
                (WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n) END
            """
        let form = try await site.page(SQLPage.address(statement).text).sentFields()
        let answer = try await site.send(form: form, to: "/sql")
        #expect(answer.status == .conflict)
        #expect(try answer.page().all(class: "error").first?.text.contains("nothing is changed") == true)
        #expect(try await ages() == [21, 22, 23])
        #expect(try await run("DELETE FROM Visitor WHERE id = 1").status == .ok)
    }

    /// A server that ends does not wait for a statement without an end.
    @Test(.timeLimit(.minutes(60))) func aCancelledRequest_endsItsStatement() async throws {
        let statement = """
            UPDATE Visitor SET age = (WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
                SELECT count(*) FROM n)
            """
        let site = site.site
        let written = try #require(try await site.snapshot { try WrittenStatement(statement, in: site, $0) })
        let running = Task { try await written.run(on: site) }
        // The statement runs by then, or is cancelled before it begins, which is no failure.
        try await Task.sleep(for: .milliseconds(200))
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try await ages() == [21, 22, 23])
    }

    // MARK: Hostile texts

    @Test func markupAndLines_areWrittenAsTheyAre() async throws {
        let note = "<script>alert(1)</script>\"&\u{202E}txet 🐋"
        // A browser sends the end of a line as two characters.
        let form = try await confirmation("UPDATE Visitor\r\nSET note = '\(note)'\r\nWHERE id = 1")
        #expect(form["q"] == "UPDATE Visitor\nSET note = '\(note)'\nWHERE id = 1")
        let sent = form.mapValues { $0.replacing("\n", with: "\r\n") }
        #expect(try await site.send(form: sent, to: "/sql").status == .ok)
        #expect(try await store.sql("SELECT note FROM Visitor WHERE id = 1", as: String.self) == [note])
        // A character that a page cannot show is not written by what the page shows in its place.
        for control in ["\u{1}", "\u{1B}[31m", "\u{7F}", "\u{FFFE}"] {
            let hidden = "UPDATE Visitor SET note = '\(control)' WHERE id = 1"
            let page = try await site.page(SQLPage.address(hidden).text)
            #expect(!hasForm(page))
            #expect(page.all(class: "error").first?.text.contains("a character that a page cannot show") == true)
        }
        #expect(try await store.sql("SELECT note FROM Visitor WHERE id = 1", as: String.self) == [note])
    }

    /// HTML and forms have one end of a line. A statement with another could not be confirmed.
    @Test func theEndOfALineOfOldSystems_isALineFeed() async throws {
        let form = try await confirmation("UPDATE Visitor\rSET age = 1\r\nWHERE id = 1")
        #expect(form["q"] == "UPDATE Visitor\nSET age = 1\nWHERE id = 1")
        #expect(try await site.send(form: form, to: "/sql").status == .ok)
        #expect(try await ages() == [1, 22, 23])
    }

    /// A form sends six bytes for the end of a line.
    @Test func aStatementOfManyLines_fitsIntoItsForm() async throws {
        let statement = "DELETE FROM Visitor"
        let rest = (WrittenStatement.limit - statement.utf8.count) / 2
        let page = try await site.page(
            SQLPage.address(statement + String(repeating: "\n", count: rest + 1)).text)
        #expect(!hasForm(page))
        #expect(page.all(class: "error").first?.text.contains("two for the end of a line") == true)
        let form = try await confirmation(statement + String(repeating: "\n", count: rest))
        let sent = form.mapValues { $0.replacing("\n", with: "\r\n") }
        #expect(try await site.send(form: sent, to: "/sql").status == .ok)
        #expect(try await ages().isEmpty)
    }

    @Test(.timeLimit(.minutes(60))) func aLongStatement_hasNoForm() async throws {
        func statement(_ size: Int) -> String { "UPDATE Visitor SET note = '\(String(repeating: "<", count: size))'" }
        let page = try await site.page(SQLPage.address(statement(WrittenStatement.limit)).text)
        #expect(!hasForm(page))
        #expect(page.all(class: "error").first?.text.contains("20,000 bytes") == true)
        // What fits into a page fits into a form.
        let rest = WrittenStatement.limit - statement(0).utf8.count
        let longest = try await confirmation(statement(rest))
        #expect(try await site.send(form: longest, to: "/sql").status == .ok)
        #expect(try await store.sql("SELECT max(length(note)) FROM Visitor", as: Int.self) == [rest])
        let response = try await site.send(.get, SQLPage.address(statement(10 << 20)).text)
        #expect(response.status == .ok && response.body.utf8.count < PageFrame.sizeLimit)
        #expect(
            try await site.send(form: ["q": statement(10 << 20), "shown": "1"], to: "/sql").status == .contentTooLarge)
    }

    @Test func aStoreThatIsReplacedMeanwhile_isNotWritten() async throws {
        let form = try await confirmation("DELETE FROM Visitor")
        let record = "/record/TroveInspectorTests.Visitor/0x8000000000000001/delete"
        let deletion = try await site.page(record).sentFields()
        let other = directory.path("b.trove")
        try await SampleStore.named(["Module.Visitor"]).copy(to: other)
        try #require(unsafe rename(other, path) == 0)
        let answer = try await site.send(form: form, to: "/sql")
        #expect(answer.status == .conflict && answer.body.contains("has lost its name"))
        #expect(answer.body.contains("was moved, removed or replaced"))
        #expect(try await site.send(form: deletion, to: record).status == .conflict)
        #expect(try await ages() == [21, 22, 23])
    }

    // MARK: Records

    /// The statement of the second type would change a record of the first.
    @Test func typesThatDifferInCapitalsOnly_areNotMistaken() async throws {
        let store = try SampleStore.named(["Module.Note", "Module.note"])
        let site = TestSite(store, allowsWrites: true)
        let record = "/record/Module.note/0x8000000000000000"
        let page = try await site.page(record)
        #expect(!page.links.contains { $0.hasSuffix("/delete") || $0.contains("/set?") })
        let form = ["field": "text", "value": "x", "confirmed": "1", "seen": "0"]
        for address in [record + "/delete", record + "/set"] {
            #expect(try await site.send(form: form, to: address).status == .conflict)
        }
        #expect(try await site.page("/type/Module.Note").text.contains("1 record"))
    }

    /// The page of a record asks before the attempt what the statement would ask.
    @Test func aTypeThatCannotBeWritten_saysSoOnItsRecords() async throws {
        for (type, words) in [("Person", "rules of its relations"), ("Member", "only its program can maintain")] {
            let record = "/record/TroveInspectorTests.\(type)/0x8000000000000001"
            let page = try await site.page(record)
            #expect(page.element(id: "changes") != nil)
            #expect(page.all(class: "hint").contains { $0.text.contains(words) })
            #expect(!page.links.contains { $0.hasSuffix("/delete") || $0.contains("/set?") })
            for address in [record + "/delete", record + "/set?field=age"] {
                let refused = try await site.page(address, status: .conflict)
                #expect(refused.all(class: "error").first?.text.contains(words) == true)
                let form = ["field": "age", "value": "1", "confirmed": "1", "seen": "0"]
                #expect(try await site.send(form: form, to: address).status == .conflict)
            }
        }
        let visitor = try await site.page("/record/TroveInspectorTests.Visitor/0x8000000000000001")
        #expect(visitor.links.contains { $0.hasSuffix("/delete") })
        // The links of a relation are records, too.
        let links = try #require(
            try await store.read { try $0.storedTypes() }.first { $0.links != nil && $0.count > 0 })
        let records = try await site.page(TypePage.address(links.name).text)
        let link = try #require(records.all("tbody")[0].links.first { $0.hasPrefix("/record/") })
        let page = try await site.page(link)
        #expect(page.all(class: "hint").contains { $0.text.contains("Only its program writes the links") })
        #expect(!page.links.contains { $0.hasSuffix("/delete") })
    }
}
#endif
