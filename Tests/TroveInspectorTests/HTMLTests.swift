// Markup escapes what it is given, and the strict parser finds what is not escaped.

#if Inspector
import Testing
import TroveTestSupport

@testable import TroveInspector

struct HTMLTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\" onload=\"x", "' & ' &amp; &lt;", "</td></table>", "\u{0}\u{1}\u{7F}\u{85}",
        "\u{202E}abc", "👩‍👩‍👧", noncharacters, "a\r\nb\tc", "<!--", "]]>", "é\u{301}\u{301}",
    ]

    private static let noncharacters = String(
        String.UnicodeScalarView([0xFFFE, 0xFDD0, 0x1FFFF].compactMap { Unicode.Scalar(UInt32($0)) }))

    private func document(_ content: HTML) -> String {
        HTML.document(
            Tag.html(.language("en")) {
                Tag.head { Tag.title { "t" } }
                Tag.body {
                    Tag.main {
                        Tag.h1 { "h" }
                        content
                    }
                }
            })
    }

    @Test(arguments: hostile) func texts_areEscaped(_ text: String) throws {
        let page = document(
            html {
                Tag.p(.title(text), .id("p"), .data("x", text)) { text }
                Tag.a(.href(Address("type", text).with("q", text)), .id("a")) { "link" }
            })
        let root = try StrictHTML.parse(page)
        let shown = try #require(root.element(id: "p"))
        // Only characters that HTML does not have differ.
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t"
                || scalar.properties.generalCategory != .control && !scalar.properties.isNoncharacterCodePoint
        }
        if isPlain {
            #expect(shown.text == text)
            #expect(shown.attributes["title"] == text)
        }
        #expect(shown.text.unicodeScalars.count == text.unicodeScalars.count)
        let address = try #require(root.element(id: "a")?.attributes["href"])
        let target = RequestTarget(address)
        #expect(target.segments == ["type", text])
        #expect(target.query["q"] == text)
    }

    @Test func addresses_ofRandomTextsAreReadBack() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<500 {
            let scalars = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ -> Unicode.Scalar? in
                let bits = UInt32.random(in: 0...14, using: &random)
                return Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random) >> bits)
            }
            let text = String(String.UnicodeScalarView(scalars))
            guard !text.isEmpty else { continue }
            let target = RequestTarget(Address("record", text).with(text, text).text)
            #expect(target.segments == ["record", text], "seed \(seed)")
            #expect(target.query[text] == text, "seed \(seed)")
        }
    }

    @Test(arguments: [
        "<p>a", "<p><div></div></p>", "<p title=a></p>", "<p title=\"a\" title=\"b\"></p>", "<p>&nbsp;</p>",
        "<p>a & b</p>", "<p>a > b</p>", "<p>\"</p>", "<p style=\"\"></p>", "<p onclick=\"x\"></p>",
        "<script>x</script>", "<a href=\"https://example.org\">x</a>", "<a href=\"//example.org\">x</a>",
        "<a href=\"javascript:x\">x</a>", "<tr></tr>", "<ul>a</ul>", "<dl><p>a</p></dl>", "<li>a</li>",
        "<a href=\"/\"><a href=\"/\">x</a></a>", "<p id=\"a\"></p><p id=\"a\"></p>", "<input></input>", "</p>",
        "<p>\u{0}</p>", "<P>a</P>", "<style></style>", "<table><tr><td>a</td></tr></table>",
    ])
    func strictParser_refuses(_ fragment: String) throws {
        let page = document(html { "MARK" }).replacing("MARK", with: fragment)
        #expect(throws: HTMLError.self) { try StrictHTML.parse(page) }
    }

    @Test func strictParser_reads() throws {
        let root = try StrictHTML.parse(document(html { Tag.p(.class("a", "b")) { "x < y & \"z\"" } }))
        #expect(root.all(class: "b").map(\.text) == ["x < y & \"z\""])
    }

    @Test func commands_areQuoted() {
        #expect(Command("dump", "a.trove").text == "trove dump a.trove")
        #expect(Command("dump", "my store", "it's", "").text == "trove dump 'my store' 'it'\\''s' ''")
        #expect(Command("sql", "a").with("SELECT 1; $(x)").text == "trove sql a 'SELECT 1; $(x)'")
        #expect(Command("dump", "-rf").text == "trove dump -rf")
        // To a shell, a quote before a combining mark is a quote.
        #expect(Command("dump", "'\u{301}$(x)'").text == "trove dump ''\\''\u{301}$(x)'\\'''")
    }

    @Test func hexadecimal_isReadBack() {
        #expect(Hexadecimal.bytes("00ffA0") == [0, 255, 160])
        #expect(Hexadecimal.text([0, 255, 160]) == "00ffa0")
        #expect(Hexadecimal.bytes("") == [])
        #expect(Hexadecimal.bytes("0") == nil)
        #expect(Hexadecimal.bytes("zz") == nil)
        let lines = Hexadecimal.table(Array("0123456789abcdefX".utf8)).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasSuffix("  0123456789abcdef"))
        #expect(lines[1].hasPrefix("000010  58 "))
    }
}
#endif
