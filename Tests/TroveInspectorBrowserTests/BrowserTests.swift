// The client of the browser itself, on pages of its own.

import Foundation
import Testing
import TroveTestSupport

/// The suite of all tests with a browser: one browser at a time.
@Suite(
    .serialized, .timeLimit(.minutes(60)),
    .enabled(if: Browser.isExpected, "Chromium is not installed: run scripts/setup --browser"))
enum BrowserTests {}

extension BrowserTests {
    @Suite struct ClientTests {
        private let directory: TemporaryDirectory

        init() throws { directory = try TemporaryDirectory() }

        /// Writes a page. Returns its address.
        private func page(_ body: String, name: String = "page.html") throws -> String {
            try "<!DOCTYPE html><meta charset=utf-8><title>\(name)</title>\(body)"
                .write(toFile: directory.path(name), atomically: true, encoding: .utf8)
            return "file://" + directory.path(name)
        }

        @Test func aClick_followsALink_andTheHistoryLeadsBack() async throws {
            let browser = try Browser.start()
            let page = try await browser.newPage()
            try await page.open(self.page("<h1>First</h1><a href=second.html>  Next\n</a>"))
            _ = try self.page("<h1>Second</h1>", name: "second.html")
            #expect(try await page.text(of: "h1") == "First")
            try await page.follow("Next")
            #expect(try await page.text(of: "h1") == "Second")
            #expect(try await page.address.lastPathComponent == "second.html")
            try await page.back()
            #expect(try await page.text(of: "h1") == "First")
            try await page.forward()
            #expect(try await page.text(of: "h1") == "Second")
            try await page.reload()
            #expect(try await page.text(of: "h1") == "Second")
            let names = await page.requests.map(\.lastPathComponent)
            #expect(names.filter { $0 == "page.html" }.count >= 1 && names.contains("second.html"))
            #expect(await page.messages.isEmpty)
        }

        @Test func whatCannotBeClicked_isAnError() async throws {
            let browser = try Browser.start()
            let page = try await browser.newPage()
            try await page.open(
                self.page(
                    "<button>Covered</button><div style='position: fixed; inset: 0'></div><p hidden><a href=x>Hidden</a>"
                ))
            await #expect(throws: BrowserError.self) { try await page.click("button") }
            await #expect(throws: BrowserError.self) { try await page.follow("Hidden") }
            await #expect(throws: BrowserError.self) { try await page.click("#none") }
            await #expect(throws: BrowserError.self) { try await page.open("http://trove.invalid/") }
        }

        @Test func keys_areTyped_whereTheFocusIs() async throws {
            let browser = try Browser.start()
            let page = try await browser.newPage()
            try await page.open(
                self.page(
                    """
                    <form action=page.html><input name=words value=old><input name=more><button>Go</button></form><p id=keys></p>
                    <script>addEventListener("keydown", event => keys.append(event.key + " "))</script>
                    """))
            try await page.fill("input[name=words]", with: "größer & <b>")
            try await page.press(.tab)
            try await page.type("Ab?")
            #expect(try await page.text(of: "#keys") == "Tab A b ?")
            #expect(try await page.evaluate("document.activeElement.value") == "Ab?")
            try await page.load { try await page.press(.enter) }
            let query = try await page.evaluate("[...new URLSearchParams(location.search)]", as: [[String]].self)
            #expect(query == [["words", "größer & <b>"], ["more", "Ab?"]])
        }

        @Test func messages_requestsAndExceptions_areRecorded() async throws {
            let browser = try Browser.start()
            let page = try await browser.newPage()
            try await page.open(
                self.page(
                    """
                    <script>console.log("a", 1); null.x</script><img src=none.png><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
                    """))
            let messages = await page.messages
            #expect(messages.contains { $0.hasPrefix("console.log") })
            #expect(messages.contains { $0.contains("TypeError") })
            #expect(messages.contains { $0.contains("none.png") })
            #expect(await page.requests.map(\.lastPathComponent) == ["page.html", "none.png"])
            await #expect(throws: BrowserError.self) { try await page.evaluate("no.such", as: Int.self) }
            #expect(try await page.evaluate("Promise.resolve([1, 2])") == [1, 2])
        }

        @Test func aCondition_isWaitedFor() async throws {
            let browser = try Browser.start()
            let page = try await browser.newPage()
            try await page.open(
                self.page("<p>old</p><script>setTimeout(() => document.querySelector('p').append('er'), 50)</script>"))
            try await page.wait(until: "document.querySelector('p').innerText === 'older'")
            #expect(try await page.texts(of: "p") == ["older"])
        }

        @Test func pages_haveASize_aSchemeAndContrast() async throws {
            let browser = try Browser.start()
            let page = try await browser.newPage(width: 400, height: 300)
            try await page.open(
                self.page(
                    """
                    <style>
                        :root { color-scheme: light dark } body { background: white; color: black }
                        @media (prefers-color-scheme: dark) { body { background: black; color: white } }
                        .faint { color: #777 } .clear { color: #767676 } .half { opacity: 0.4 }
                    </style>
                    <p>good <span class=faint>faint</span> <span class=clear>clear</span> <span class=half>half</span>
                    <i hidden class=faint>hidden</i><div style="width: 500px">wide</div>
                    """))
            #expect(try await page.excessWidth() > 100)
            let light = try await page.faintTexts()
            #expect(light.map { $0.prefix { $0 != " " } } == ["span.faint", "span.half"], "\(light)")
            try await page.prefer(.dark)
            let dark = try await page.faintTexts()
            #expect(dark.map { $0.prefix { $0 != " " } } == ["span.half"], "\(dark)")
            try await page.resize(width: 600, height: 300)
            #expect(try await page.excessWidth() == 0)
            let picture = try await page.picture()
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            // The header has the width and the height, in big-endian order.
            #expect(Array(picture[16..<24]) == [0, 0, 2, 88, 0, 0, 1, 44])
        }

        @Test func aBrowserThatEnds_failsWhatWaits() async throws {
            let browser = try Browser.start()
            let page = try await browser.newPage()
            try await page.open(self.page("<p>text"))
            let waiting = Task { try await page.evaluate("new Promise(() => {})", as: Int.self) }
            _ = try await page.evaluate("1", as: Int.self)
            await browser.close()
            await #expect(throws: BrowserError.self) { try await waiting.value }
            await #expect(throws: (any Error).self) { try await page.text() }
        }
    }
}
