// Columns are aligned, whatever their contents.

import Testing
import TroveTerminal

@Suite struct TextTableTests {
    private func cells(_ row: [(String, String, Bool)]) -> [TextTable.Cell] {
        row.map { TextTable.Cell(column: $0, text: $1, isNumber: $2) }
    }

    private func lines(_ rows: [[(String, String, Bool)]], widthLimit: Int = 40) -> [String] {
        var table = TextTable(widthLimit: widthLimit)
        for row in rows { table.measure(cells(row)) }
        return table.header + rows.map { table.line(cells($0)) }
    }

    @Test func columns_areAsWideAsTheirWidestText() {
        #expect(
            lines([
                [("id", "7", true), ("name", "Zoe", false)], [("id", "1234", true), ("name", "Korben", false)],
            ]) == [
                "  id  name",
                "────  ──────",
                "   7  Zoe",
                "1234  Korben",
            ])
    }

    @Test func rowsOfOtherColumns_leaveTheirsEmpty() {
        #expect(
            lines([
                [("id", "1", true), ("old", "a", false)],
                [("id", "2", true), ("new", "b", false), ("more", "c", false)],
            ]) == [
                "id  old  new  more",
                "──  ───  ───  ────",
                " 1  a",
                " 2       b    c",
            ])
    }

    @Test func longTexts_areCut() {
        #expect(
            lines([[("text", "abcdefgh", false), ("longer name", "12345678", true)]], widthLimit: 6) == [
                "text    longe…",
                "──────  ──────",
                "abcde…  12345…",
            ])
    }

    @Test func wideCharacters_takeTwoColumns() {
        #expect(
            lines([[("a", "日本語", false), ("b", "x", false)], [("a", "e\u{301}", false), ("b", "👍", false)]]) == [
                "a       b",
                "──────  ──",
                "日本語  x",
                "e\u{301}       👍",
            ])
        #expect(lines([[("a", "日本語", false)]], widthLimit: 4) == ["a", "────", "日…"])
    }

    @Test func noRows_areNoTable() {
        #expect(lines([]).isEmpty)
    }
}
