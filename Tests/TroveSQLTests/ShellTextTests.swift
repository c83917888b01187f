// Statements in a text, and the words that complete them.

import Testing
import TroveSQL
import TroveTerminal

struct ShellTextTests {
    private func statements(_ text: String) -> [StatementReader.Statement] {
        var reader = StatementReader()
        let whole = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { reader.add(String($0)) }
        return whole + (reader.end().map { [$0] } ?? [])
    }

    @Test func aStatement_endsAtItsSemicolon() {
        #expect(statements("SELECT 1; SELECT 2;").map(\.text) == ["SELECT 1;", "SELECT 2;"])
        #expect(statements("SELECT\n 1\n;\n\nSELECT 2").map(\.line) == [1, 5])
        #expect(statements("SELECT ';', \";\", [;], `;`;").count == 1)
        #expect(statements("SELECT 'a''; b';SELECT 2;").map(\.text) == ["SELECT 'a''; b';", "SELECT 2;"])
        #expect(statements("SELECT 1 -- ; 'x\n;").map(\.text) == ["SELECT 1 -- ; 'x\n;"])
        #expect(
            statements("SELECT /* ; ' */ 1; /*;*/ SELECT 2;").map(\.text) == ["SELECT /* ; ' */ 1;", "/*;*/ SELECT 2;"])
        #expect(statements("SELECT 'a\nb;c';").map(\.text) == ["SELECT 'a\nb;c';"])
        #expect(statements("SELECT 3 - -1; SELECT 4/2*1;").count == 2)
        #expect(statements("CREATE TRIGGER t AFTER INSERT ON u BEGIN SELECT 1; SELECT 2; END; SELECT 3;").count == 2)
    }

    @Test func textWithoutAStatement_isNone() {
        #expect(statements("") == [] && statements(";;;\n -- x\n;") == [] && statements("/* a; */\n") == [])
        #expect(statements("/*/ ; */ SELECT 1;").map(\.text) == ["/*/ ; */ SELECT 1;"])
    }

    @Test func aReader_isIdleBetweenStatements() {
        var reader = StatementReader()
        #expect(reader.isIdle)
        _ = reader.add("SELECT")
        #expect(!reader.isIdle)
        #expect(reader.add("1;").count == 1)
        #expect(reader.isIdle && reader.lineCount == 2)
        _ = reader.add("SELECT '")
        reader.reset()
        #expect(reader.isIdle && reader.lineCount == 3)
        #expect(reader.add("SELECT 2;").map(\.line) == [4])
    }

    private let completion = SQLCompletion([
        SQLCompletion.Table(name: "User", columns: ["id", "name", "city", "group"]),
        SQLCompletion.Table(name: "Purchase", columns: ["id", "amount"]),
        SQLCompletion.Table(name: "Order", columns: ["total"]),
    ])

    private func candidates(_ text: String, after before: String = "") -> [String] {
        completion.completion(of: text, cursor: text.count, after: before).candidates
    }

    @Test func words_areThoseOfSQLAndOfTheStore() {
        #expect(candidates("sele") == ["select"])
        #expect(candidates("SELE") == ["SELECT"])
        #expect(candidates("SELECT * FROM us").first == "User")
        #expect(candidates("SELECT * FROM Ord") == ["\"Order\""])
        #expect(candidates("SELECT * FROM Purchase JOIN ") == ["\"Order\"", "Purchase", "User"])
        #expect(candidates("SELECT * FROM Purchase Ord") == ["\"Order\"", "ORDER"])
        #expect(candidates("SELECT * FROM \"Ord") == ["\"Order\""])
        #expect(candidates("SELECT na").contains("name"))
        #expect(candidates("SELECT * FROM Purchase WHERE na") == ["natural"])
        #expect(candidates("SELECT * FROM Purchase WHERE am") == ["amount"])
        #expect(candidates("WHERE am", after: "SELECT * FROM Purchase") == ["amount"])
        #expect(candidates("SELECT 'us") == [])
        #expect(candidates("SELECT 'a' FROM us").first == "User")
    }

    @Test func afterADot_columnsAreThoseOfTheTable() {
        #expect(candidates("SELECT User.") == ["city", "\"group\"", "id", "name"])
        #expect(candidates("SELECT user.n") == ["name"])
        #expect(candidates("SELECT \"User\".n") == ["name"])
        #expect(candidates("SELECT * FROM Purchase p WHERE p.a") == ["amount"])
        #expect(candidates("SELECT Order.t") == ["total"])
        let middle = completion.completion(of: "SELECT User.n FROM User", cursor: 13)
        #expect(middle.start == 12 && middle.candidates == ["name"])
    }
}
