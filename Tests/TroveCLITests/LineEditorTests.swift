// The editor of a line: bytes in, text and cursor out, without a terminal.

import Foundation
import Testing
import TroveTerminal

@Suite struct LineEditorTests {
    /// Types bytes, and returns the actions other than editing.
    private func type(_ bytes: String, into editor: inout LineEditor) -> [LineEditor.Action] {
        var parser = KeyParser()
        return bytes.utf8.compactMap { parser.key($0) }.map { editor.press($0) }.filter { $0 != .edited }
    }

    /// Returns the text with a mark at the cursor.
    private func edited(_ bytes: String, history: [String] = []) -> String {
        var editor = LineEditor(history: LineHistory(history))
        _ = type(bytes, into: &editor)
        let characters = Array(editor.text)
        return String(characters[..<editor.cursor]) + "|" + String(characters[editor.cursor...])
    }

    @Test(arguments: [
        ("", "|"), ("abc", "abc|"), ("abc\u{1B}[D", "ab|c"), ("abc\u{1B}[D\u{1B}[D\u{1B}[C", "ab|c"),
        ("abc\u{01}x", "x|abc"), ("abc\u{01}\u{05}x", "abcx|"), ("abc\u{1B}[Hx", "x|abc"),
        ("abc\u{1B}[Hx\u{1B}[Fy", "xabcy|"),
        ("abc\u{1B}OH1", "1|abc"), ("abc\u{1B}[1~1\u{1B}[4~2", "1abc2|"), ("abc\u{7F}", "ab|"), ("abc\u{08}", "ab|"),
        ("\u{7F}", "|"),
        ("abc\u{01}\u{1B}[3~", "|bc"), ("abc\u{1B}[3~", "abc|"), ("abc\u{01}\u{04}", "|bc"),
        ("ab cd\u{02}\u{0B}", "ab c|"), ("ab cd\u{15}", "|"), ("ab cd\u{02}\u{15}", "|d"),
        ("ab cd  \u{17}", "ab |"), ("ab cd\u{17}\u{17}", "|"), ("ab cd\u{17}\u{19}\u{19}", "ab cdcd|"),
        ("a.bc\u{1B}\u{7F}", "a.|"), ("ab cd\u{1B}b\u{1B}b\u{1B}f", "ab| cd"), ("ab cd\u{1B}[1;5D", "ab |cd"),
        ("ab cd\u{01}\u{1B}[1;5C", "ab| cd"), ("ab cd\u{01}\u{1B}d", "| cd"), ("abc\u{1B}[99~\u{1B}[Zd", "abcd|"),
        ("\u{1B}[1;2D\u{1B}[D\u{1B}[C", "|"), ("a\u{00}\u{1C}b", "ab|"), ("ab\u{02}\u{06}c", "abc|"),
    ])
    func keys_editTheLine(bytes: String, result: String) {
        #expect(edited(bytes) == result)
    }

    @Test func charactersOfSeveralBytes_areOneStep() {
        #expect(edited("aé日👩‍👩‍👧b\u{1B}[D\u{1B}[D\u{7F}") == "aé|👩‍👩‍👧b")
        // A combining mark joins the letter before.
        #expect(edited("e\u{301}x\u{1B}[D\u{7F}") == "|x")
        #expect(edited("xe\u{1B}[D\u{1B}[C\u{301}") == "xe\u{301}|")
    }

    @Test func bytesThatAreNoText_areLeftOut() {
        var parser = KeyParser()
        var editor = LineEditor()
        // A cut character, a byte that begins none, an overlong form, a control character of two bytes.
        for byte in [0x61, 0xC3, 0x62, 0xFF, 0xC0, 0x80, 0xC2, 0x9B, 0x63] as [UInt8] {
            if let key = parser.key(byte) { _ = editor.press(key) }
        }
        #expect(editor.text == "abc")
    }

    /// A model of bytes of any kind: the editor never leaves its text.
    @Test func anyBytes_keepTheCursorInTheText() {
        for seed in 0..<200 as Range<UInt64> {
            var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
            func next() -> UInt8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            var parser = KeyParser()
            var editor = LineEditor(history: LineHistory(["one", "two words", "é"]))
            for _ in 0..<300 {
                // Half of the bytes are keys of the editor.
                let byte =
                    next() % 2 == 0
                    ? next()
                    : Array("\u{1B}[ABCDHF3~\u{01}\u{05}\u{0B}\u{17}\u{19}ab \u{7F}\t\r\u{12}\u{07}".utf8)[
                        Int(next() % 23)]
                guard let key = parser.key(byte) else { continue }
                if editor.press(key) == .completes {
                    _ = editor.complete(LineCompletion(start: 0, candidates: ["one", "only"]))
                }
                let count = editor.text.count
                #expect((0...count).contains(editor.cursor), "seed \(seed)")
                let view = LineView(editor.text, cursor: editor.cursor, columns: Int(next() % 20))
                #expect(view.cursorColumn >= 0, "seed \(seed)")
            }
        }
    }

    @Test func keysOfTheLine_endIt() {
        var editor = LineEditor()
        #expect(type("SELECT 1;\r", into: &editor) == [.accepted("SELECT 1;")])
        #expect(editor.text == "" && editor.history.lines == ["SELECT 1;"])
        #expect(type("a\u{03}", into: &editor) == [.interrupted])
        editor.begin()
        #expect(type("\u{04}", into: &editor) == [.ended])
        #expect(type("\t\u{0C}\u{1A}", into: &editor) == [.completes, .clears, .suspends])
    }

    @Test func arrows_moveInTheHistory() {
        let lines = ["one", "two"]
        #expect(edited("\u{1B}[A", history: lines) == "two|")
        #expect(edited("\u{1B}[A\u{1B}[A\u{1B}[A", history: lines) == "one|")
        #expect(edited("\u{1B}[A\u{1B}[A\u{1B}[B", history: lines) == "two|")
        // The new line is kept, and so is a changed line.
        #expect(edited("new\u{1B}[A\u{1B}[B", history: lines) == "new|")
        #expect(edited("\u{1B}[Ax\u{1B}[A\u{1B}[B", history: lines) == "twox|")
        #expect(edited("\u{10}\u{0E}", history: lines) == "|")
        var editor = LineEditor(history: LineHistory(lines))
        #expect(type("\u{1B}[A\u{1B}[A!\r", into: &editor) == [.accepted("one!")])
        #expect(editor.history.lines == ["one", "two", "one!"])
    }

    @Test func controlR_searchesTheHistory() {
        let lines = ["SELECT one", "UPDATE two", "SELECT three", "SELECT three"]
        // The latest line, in either letter case, with the cursor at the match.
        #expect(edited("\u{12}select", history: lines) == "|SELECT three")
        #expect(edited("\u{12}e t", history: lines) == "UPDAT|E two")
        #expect(edited("\u{12}three", history: lines) == "SELECT |three")
        // Ctrl-R again: an older line, and not the same text.
        #expect(edited("\u{12}select\u{12}", history: lines) == "|SELECT one")
        #expect(edited("\u{12}select\u{12}\u{12}", history: lines) == "|SELECT one")
        // Backspace widens the search again.
        #expect(edited("\u{12}ox\u{7F}", history: lines) == "UPDATE tw|o")
        #expect(edited("\u{12}two\u{7F}\u{7F}\u{7F}", history: lines) == "SELEC|T three")
        // Ctrl-G: the line before, with its cursor.
        #expect(edited("new\u{02}\u{12}one\u{07}", history: lines) == "ne|w")
        #expect(edited("\u{12}", history: lines) == "|")
        #expect(edited("\u{12}x", history: []) == "|")
        // Other keys edit the found line.
        #expect(edited("\u{12}two\u{05}!", history: lines) == "UPDATE two!|")
        #expect(edited("\u{12}two\u{1B}[A", history: lines) == "SELECT one|")
        var editor = LineEditor(history: LineHistory(lines))
        #expect(type("\u{12}two\r", into: &editor) == [.accepted("UPDATE two")])
        #expect(editor.searchPrompt == nil && editor.text == "")
        #expect(type("\u{12}zz", into: &editor) == [] && editor.searchPrompt == "not found “zz”: ")
        #expect(type("\u{7F}\u{7F}two", into: &editor) == [] && editor.searchPrompt == "search “two”: ")
        #expect(type("\u{03}", into: &editor) == [.interrupted] && editor.searchPrompt == nil)
    }

    @Test func aPastedText_hasNoKeys() {
        var editor = LineEditor()
        let actions = type("\u{1B}[200~SELECT\t1\u{01};\u{1B}[201~\t", into: &editor)
        #expect(editor.text == "SELECT 1;" && actions == [.completes])
        editor.begin()
        // Each line is accepted.
        #expect(type("\u{1B}[200~a\rb\n\u{1B}[201~", into: &editor) == [.accepted("a"), .accepted("b")])
    }

    @Test func aHistory_hasNoEqualNeighbors() {
        var history = LineHistory(["a", "\u{1B}[2J", "b"])
        history.add("b")
        history.add("  ")
        history.add("a")
        #expect(history.lines == ["a", "b", "a"])
        for number in 0..<1100 { history.add("\(number)") }
        #expect(history.lines.count == LineHistory.limit && history.lines.last == "1099")
    }

    @Test func completion_insertsWhatIsCommon() {
        func complete(_ text: String, _ completion: LineCompletion) -> (String, [String]) {
            var editor = LineEditor()
            _ = type(text, into: &editor)
            let shown = editor.complete(completion)
            return (editor.text, shown)
        }
        #expect(complete("sel", LineCompletion(start: 0, candidates: ["select"])) == ("select ", []))
        #expect(complete("a us", LineCompletion(start: 2, candidates: ["User", "UserName"])) == ("a User", []))
        #expect(
            complete("a user", LineCompletion(start: 2, candidates: ["User", "UserName"])) == (
                "a user", ["User", "UserName"]
            ))
        #expect(complete("x", LineCompletion(start: 0, candidates: [])) == ("x", []))
        #expect(complete("x", LineCompletion(start: 5, candidates: ["y"])) == ("x", []))
    }

    @Test func aView_hasTheCursor() {
        let text = "0123456789"
        #expect(LineView(text, cursor: 10, columns: 20).visible == text)
        let end = LineView(text, cursor: 10, columns: 6)
        #expect(end.visible == "56789" && end.cursorColumn == 5)
        let start = LineView(text, cursor: 0, columns: 6)
        #expect(start.visible == "01234" && start.cursorColumn == 0)
        let wide = LineView("日本語", cursor: 3, columns: 5)
        #expect(wide.visible == "本語" && wide.cursorColumn == 4)
        #expect(LineView("abc", cursor: 2, columns: 0).cursorColumn == 1)
    }
}

@Suite struct HistoryFileTests {
    @Test func thePath_isThatOfTheStateDirectory() {
        #expect(HistoryFile.path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/trove/history")
        #expect(HistoryFile.path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/trove/history")
        #expect(HistoryFile.path(["HOME": "/h"]) == "/h/.local/state/trove/history")
        #expect(HistoryFile.path([:]) == nil)
    }

    @Test func lines_areKeptForTheOwner() throws {
        let root = NSTemporaryDirectory() + "trove-history-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let path = root + "/deep/history"
        var file = HistoryFile(path: path)
        #expect(try file.load().lines == [])
        for line in ["one", "one", " ", "two é"] { try file.add(line) }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        var other = HistoryFile(path: path)
        #expect(try other.load().lines == ["one", "two é"])
        // Too long a file is cut.
        try Data((0..<2500).map { "\($0)\n" }.joined().utf8).write(to: URL(filePath: path))
        #expect(try other.load().lines.count == LineHistory.limit)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("1500\n"))
    }
}
