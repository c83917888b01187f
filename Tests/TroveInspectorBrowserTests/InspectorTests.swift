// The inspector in a real browser: the command, its server and its pages as a user sees them.

#if Inspector
import Foundation
import Testing
import Trove
import TroveTestSupport

extension BrowserTests {
    @Suite struct InspectorTests {
        private let directory: TemporaryDirectory
        private let inspector: InspectorProcess
        private static let module = "TroveInspectorBrowserTests.Library"

        init() throws {
            directory = try TemporaryDirectory()
            let path = directory.path("library.trove")
            try Library.write(to: path)
            inspector = try InspectorProcess(path)
        }

        /// Opens the printed address in a new browser.
        private func open(width: Int = 1280) async throws -> BrowserPage {
            let page = try await Browser.start().newPage(width: width)
            try await page.open(inspector.address)
            return page
        }

        /// Returns the address of a page.
        private func address(_ path: String) throws -> String {
            let url = try #require(URL(string: inspector.address))
            return "http://127.0.0.1:\(try #require(url.port))" + path
        }

        /// Expects that a page has made requests to this machine only, and that neither its scripts nor the browser
        /// have reported anything.
        private func expectQuiet(_ page: BrowserPage) async {
            let hosts = await Set(page.requests.compactMap { $0.host() })
            #expect(hosts == ["127.0.0.1"])
            #expect(await page.messages == [])
        }

        @Test func theAddress_showsTheTypes_andHidesItsToken() async throws {
            let page = try await open()
            #expect(try await page.text(of: "h1") == "Types")
            #expect(try await page.address.query() == nil)
            let types = try await page.texts(of: "tbody th a")
            #expect(types.contains("\(Self.module).Book") && types.contains("\(Self.module).Shelf"))
            let row = try await page.evaluate(
                "[...document.querySelectorAll('tbody tr')].find(row => row.innerText.includes('.Book\\t'))?.innerText",
                as: String?.self)
            #expect(row?.contains("120") == true, "\(row ?? "no row")")
            await expectQuiet(page)
        }

        @Test func aRelation_isFollowedByClicks_andTheHistoryLeadsBack() async throws {
            let page = try await open()
            try await page.follow("\(Self.module).Shelf")
            #expect(try await page.text(of: "h1") == "\(Self.module).Shelf")
            try await page.load { try await page.click("tbody th a") }
            let shelf = try await page.text(of: "h1")
            #expect(try await page.texts(of: "h3").contains("books"))
            let books = try await page.texts(of: "section li a")
            #expect(books.count == 40)
            try await page.follow(books[0], in: "section li")
            #expect(try await page.text(of: "h1") == books[0])
            #expect(try await page.texts(of: "section li a").contains(shelf))
            try await page.back()
            #expect(try await page.text(of: "h1") == shelf)
            try await page.forward()
            #expect(try await page.text(of: "h1") == books[0])
            try await page.follow(shelf, in: "section li")
            #expect(try await page.text(of: "h1") == shelf)
            await expectQuiet(page)
        }

        @Test func records_arePaged_forthAndBack() async throws {
            let page = try await open()
            try await page.follow("\(Self.module).Book")
            let first = try await page.texts(of: "tbody th")
            try await page.follow("Next")
            let second = try await page.texts(of: "tbody th")
            #expect(first.count == 50 && second.count == 50 && Set(first).isDisjoint(with: second))
            try await page.load { try await page.type("n") }
            #expect(try await page.texts(of: "tbody th").count == 20)
            try await page.follow("Before")
            #expect(try await page.texts(of: "tbody th") == second)
            try await page.load { try await page.type("p") }
            #expect(try await page.texts(of: "tbody th") == first)
            await expectQuiet(page)
        }

        @Test func aFilter_showsItsRowsAndItsPlan() async throws {
            let page = try await open()
            try await page.follow("\(Self.module).Book")
            try await page.fill("#filter", with: "year > 2015")
            try await page.load { try await page.press(.enter) }
            #expect(try await page.texts(of: "tbody th").count == 5)
            #expect(try await page.text(of: ".plan").contains("year"))
            try await page.fill("#filter", with: "comets")
            try await page.load { try await page.press(.enter) }
            #expect(try await page.texts(of: "tbody th").count >= 10)
            await expectQuiet(page)
        }

        @Test(.timeLimit(.minutes(60))) func thePlan_isShownWhileTheFilterIsTyped() async throws {
            let page = try await open()
            try await page.follow("\(Self.module).Book")
            #expect(try await page.evaluate("document.querySelector('#typed-plan').hidden"))
            try await page.fill("#filter", with: "year > 2015")
            try await page.wait(until: "document.querySelector('#typed-plan').innerText.includes('year>?')")
            #expect(try await page.texts(of: "tbody th").count == 50)
            try await page.type("x")
            try await page.wait(until: "document.querySelector('#typed-plan .error')")
            try await page.fill("#filter", with: "<b>comets</b>")
            try await page.wait(until: "document.querySelector('#typed-plan').innerText.includes('Full text')")
            #expect(try await page.text(of: "#typed-plan").contains("<b>comets</b>"))
            #expect(try await page.evaluate("document.querySelectorAll('#typed-plan b').length") == 0)
            // What was typed is run as before.
            try await page.fill("#filter", with: "year > 2015")
            try await page.load { try await page.press(.enter) }
            #expect(try await page.texts(of: "tbody th").count == 5)
            await expectQuiet(page)
        }

        @Test func anIndex_isCheckedByItsButton() async throws {
            let page = try await open()
            try await page.open(address("/indexes"))
            try await page.follow("Check", in: "tbody")
            #expect(try await page.text(of: "h1").hasPrefix("Check of "))
            await expectQuiet(page)
        }

        @Test func words_areSearchedInAllIndexes() async throws {
            let page = try await open()
            try await page.follow("Search", in: "nav")
            try await page.fill("#words", with: "comets")
            try await page.load { try await page.press(.enter) }
            let marks = try await page.texts(of: ".snippet mark")
            #expect(marks.count >= 5 && Set(marks) == ["comets"])
            #expect(try await page.texts(of: ".words code") == ["comets"])
            try await page.click(".hit summary")
            #expect(try await page.text(of: ".hit tbody tr").contains("summary"))
            try await page.follow("More in this index")
            #expect(try await page.texts(of: ".hit").count > 5)
            try await page.load { try await page.click(".hit a") }
            #expect(try await page.text(of: "main").contains("comets"))
            await expectQuiet(page)
        }

        @Test func aMisspelledWord_isASuggestion() async throws {
            let page = try await open()
            try await page.open(address("/search?q=orchrads"))
            #expect(try await page.texts(of: ".hit").isEmpty)
            try await page.follow("orchards", in: ".suggestions")
            #expect(try await page.texts(of: ".hit").count == 5)
            await expectQuiet(page)
        }

        @Test func aStatement_isRun() async throws {
            let page = try await open()
            try await page.follow("SQL", in: "nav")
            try await page.fill("#statement", with: "SELECT id, title FROM Book WHERE year = 2000")
            try await page.follow("Run")
            #expect(try await page.texts(of: "tbody tr").contains { $0.contains("100") && $0.contains("Book 100 of") })
            try await page.fill("#statement", with: "SELECT nothing FROM Book")
            try await page.follow("Run")
            #expect(try await page.text(of: ".error").contains("nothing"))
            #expect(try await page.evaluate("document.querySelector('#statement').value.includes('nothing')"))
            await expectQuiet(page)
        }

        @Test func keys_leadToPages() async throws {
            let page = try await open()
            try await page.load { try await page.type("gs") }
            #expect(try await page.text(of: "h1") == "SQL")
            try await page.type("/")
            #expect(try await page.evaluate("document.activeElement.id") == "statement")
            // In a field, keys are text.
            try await page.type("gt?")
            #expect(try await page.evaluate("document.querySelector('#statement').value.trim()") == "gt?")
            try await page.press(.escape)
            try await page.type("?")
            #expect(try await page.evaluate("document.querySelector('#help').checkVisibility()"))
            try await page.press(.escape)
            #expect(try await page.evaluate("!document.querySelector('#help').checkVisibility()"))
            for (key, title) in [
                ("t", "Types"), ("i", "Indexes"), ("m", "Migrations"), ("h", "History"), ("f", "Search"),
            ] {
                try await page.load { try await page.type("g" + key) }
                #expect(try await page.text(of: "h1") == title)
            }
            await expectQuiet(page)
        }

        /// The tab key leads through the page in the order of its parts, and the place is visible.
        @Test func theTabKey_leadsToTheContentFirst() async throws {
            let page = try await open()
            try await page.press(.tab)
            #expect(try await page.evaluate("document.activeElement.innerText") == "Skip to the content")
            #expect(try await page.evaluate("document.activeElement.getBoundingClientRect().left >= 0"))
            try await page.press(.enter)
            #expect(try await page.evaluate("document.activeElement.id") == "content")
            try await page.press(.tab)
            #expect(try await page.evaluate("document.activeElement.closest('main') !== null"))
        }

        @Test func pages_workWithoutTheScript() async throws {
            let page = try await Browser.start().newPage()
            try await page.useScripts(false)
            try await page.open(inspector.address)
            try await page.follow("\(Self.module).Book")
            try await page.fill("#filter", with: "year > 2015")
            try await page.follow("Show")
            #expect(try await page.texts(of: "tbody th").count == 5)
            try await page.follow("Search", in: "nav")
            try await page.fill("#words", with: "whales")
            try await page.follow("Search", in: "form")
            #expect(try await page.texts(of: ".hit").count == 5)
            await expectQuiet(page)
        }

        @Test func hostileTexts_areTexts() async throws {
            let page = try await open()
            let paths = [
                "/type/\(Self.module).Book", "/record/\(Self.module).Book/id%3A%207", "/search?q=brash",
                "/sql?q=SELECT%20title%20FROM%20Book%20WHERE%20id%20%3D%207",
            ]
            for path in paths {
                try await page.open(address(path))
                #expect(try await page.text(of: "main").contains("<script>alert(1)</script>"), "\(path)")
                #expect(try await page.evaluate("document.querySelectorAll('main script, main b').length") == 0)
            }
            await expectQuiet(page)
        }

        // MARK: Changes

        @Test func aRecord_isChangedAndDeleted() async throws {
            let writing = try InspectorProcess(directory.path("library.trove"), "--write")
            let page = try await Browser.start().newPage()
            try await page.open(writing.address)
            try await page.follow("\(Self.module).Note")
            try await page.load { try await page.click("tbody th a") }
            try await page.follow("Set text")
            #expect(try await page.evaluate("document.querySelector('#value').value") == "Note 1")
            try await page.fill("#value", with: "It's <b>new</b>")
            try await page.follow("Show the statement")
            #expect(try await page.text(of: "pre").contains("SET \"text\" = 'It''s <b>new</b>'"))
            try await page.follow("Save the record")
            #expect(try await page.text(of: ".fields").contains("It's <b>new</b>"))
            try await page.follow("Set rank")
            try await page.fill("#value", with: "first")
            try await page.follow("Show the statement")
            try await page.follow("Save the record")
            #expect(try await page.text(of: ".error").contains("expected an integer"))
            try await page.follow("Back to the record")
            try await page.follow("Delete the record")
            #expect(try await page.text(of: "pre").hasPrefix("DELETE FROM"))
            try await page.follow("Delete the record")
            #expect(try await page.texts(of: "tbody th") == ["id: 2", "id: 3"])
            // The browser reports the status of the refused value.
            #expect(await page.messages.allSatisfy { $0.contains("409") })
        }

        @Test func aStatementThatWrites_isConfirmed() async throws {
            let writing = try InspectorProcess(directory.path("library.trove"), "--write")
            let page = try await Browser.start().newPage()
            try await page.open(writing.address)
            try await page.follow("SQL", in: "nav")
            try await page.fill("#statement", with: "UPDATE Note\nSET text = '<b>It''s</b>'\nWHERE id < 3")
            try await page.follow("Run")
            #expect(try await page.text(of: "#confirmation") == "This statement writes \(Self.module).Note")
            #expect(try await page.text(of: "#command").contains("--write"))
            try await page.follow("Run the statement")
            #expect(try await page.text(of: ".verdict").hasPrefix("2 rows changed"))
            // The statement is still there, and runs as it was typed.
            try await page.follow("Run")
            try await page.follow("Run the statement")
            #expect(try await page.text(of: ".verdict").hasPrefix("2 rows changed"))
            try await page.fill("#statement", with: "SELECT text FROM Note WHERE id = 1")
            try await page.follow("Run")
            #expect(try await page.texts(of: "tbody td") == ["<b>It's</b>"])
            // A type that only its program can write has no such links.
            try await page.follow("Types", in: "nav")
            try await page.follow("\(Self.module).Shelf")
            try await page.load { try await page.click("tbody th a") }
            #expect(try await page.text(of: "#changes + p").contains("rules of its relations"))
            #expect(try await !page.texts(of: "main a").contains("Delete the record"))
            await expectQuiet(page)
        }

        @Test func withoutTheOption_theCommandWrites() async throws {
            let page = try await open()
            try await page.open(address("/sql?q=DELETE%20FROM%20Note"))
            #expect(try await page.text(of: ".error").contains("only reads"))
            #expect(try await page.text(of: "#command").hasSuffix("--write 'DELETE FROM Note'"))
            #expect(try await page.evaluate("document.querySelectorAll('form[method=post]').length") == 0)
            await expectQuiet(page)
        }

        // MARK: Commits

        /// Writes a reader, as another process than the server.
        private func write(_ reader: Library.Reader) async throws {
            let store = try await Store(path: directory.path("library.trove"), records: [Library.Reader.self])
            try await store.write { context in try context.insert(reader, onConflict: .replace) }
            try await store.close()
        }

        /// Writes until a page shows it: the stream of a page begins after the page.
        private func writeUntil(_ page: BrowserPage, shows expression: String) async throws {
            var score = 1.0
            while try await page.evaluate(expression, as: Bool.self) == false {
                try await write(Library.Reader(id: 2, name: "Reader 2", score: score, town: "Bern"))
                score += 1
                try await Task.sleep(for: .milliseconds(300))
            }
        }

        @Test(.timeLimit(.minutes(60))) func aCommitOfAnotherProcess_lightsUpItsRow() async throws {
            let page = try await open()
            try await page.open(address("/type/\(Self.module).Reader"))
            // The first write also converts the readers of the older layout.
            try await writeUntil(page, shows: "document.querySelector('main').innerText.includes('Bern')")
            let changed = "[...document.querySelectorAll('tr.changed')].map(row => row.innerText)"
            try await writeUntil(page, shows: "\(changed).length === 1 && \(changed)[0].includes('Bern')")
            await expectQuiet(page)
        }

        @Test(.timeLimit(.minutes(60))) func commitsOfAnotherProcess_areListed_andPaused() async throws {
            let page = try await open()
            try await page.open(address("/live"))
            try await writeUntil(page, shows: "document.querySelectorAll('#commits tr').length > 0")
            #expect(try await page.text(of: "#commits tr:first-child").contains("Reader 2"))
            try await page.click("#pause")
            let count = "document.querySelectorAll('#commits tr').length"
            let before = try await page.evaluate(count, as: Int.self)
            try await write(Library.Reader(id: 3, name: "Reader 3", score: 7, town: "Rome"))
            #expect(try await page.evaluate(count, as: Int.self) == before)
            try await page.click("#pause")
            try await writeUntil(page, shows: "document.querySelector('#commits').innerText.includes('Rome')")
            await expectQuiet(page)
        }

        @Test(.timeLimit(.minutes(60))) func theFirstPage_hasTheLastCommit() async throws {
            let page = try await open()
            try await writeUntil(page, loaded: "document.querySelector('#last-commit').innerText.includes('.Reader')")
            #expect(try await page.text(of: "#last-commit").contains("seen at"))
            await expectQuiet(page)
        }

        /// Writes until a page shows it when it is loaded again.
        private func writeUntil(_ page: BrowserPage, loaded expression: String) async throws {
            var score = 100.0
            while try await page.evaluate(expression, as: Bool.self) == false {
                try await write(Library.Reader(id: 2, name: "Reader 2", score: score, town: "Bern"))
                score += 1
                try await Task.sleep(for: .milliseconds(300))
                try await page.open(address("/"))
            }
        }

        /// All kinds of pages.
        private static let paths = [
            "/", "/type/\(module).Book", "/type/\(module).Book?filter=year%20%3E%201990", "/type/\(module).Shelf",
            "/type/\(module).Book?filter=whales", "/record/\(module).Book/id%3A%207?bytes=1",
            "/record/\(module).Shelf/id%3A%20%22sea%22", "/search", "/search?q=whales%20comets", "/search?q=whalse",
            "/indexes", "/indexes/\(module).Book/index(year)", "/indexes/\(module).Book/fullText(title%2Csummary)",
            "/type/\(module).Reader/layout", "/migrations", "/sql?q=SELECT%20*%20FROM%20Book", "/sql?q=SELEC",
            "/sql?q=DELETE%20FROM%20Note",
            "/type/None", "/record/\(module).Note/1", "/history", "/live", "/live?type=\(module).Book", "/space",
            "/health", "/health?verify=900",
            "/health?check=900",
        ]

        @Test func pages_areReadableInBothSchemes() async throws {
            let page = try await open()
            for path in Self.paths {
                try await page.open(address(path))
                for scheme in BrowserPage.Scheme.allCases {
                    try await page.prefer(scheme)
                    #expect(try await page.faintTexts() == [], "\(path), \(scheme)")
                }
            }
        }

        @Test func pages_fitNarrowWindows() async throws {
            let page = try await open(width: 400)
            for path in Self.paths {
                try await page.open(address(path))
                #expect(try await page.excessWidth() == 0, "\(path)")
            }
        }

        /// Each field has a label, and each image and button has a text.
        @Test func fields_haveLabels() async throws {
            let page = try await open()
            let unnamed = """
                [...document.querySelectorAll("input, textarea, select, button, a, summary")]
                    .filter(element => element.type !== "hidden" && element.checkVisibility())
                    .filter(element => !element.labels?.length && !element.innerText?.trim() && !element.ariaLabel)
                    .map(element => element.outerHTML)
                """
            for path in Self.paths {
                try await page.open(address(path))
                #expect(try await page.evaluate(unnamed, as: [String].self) == [], "\(path)")
            }
        }
    }
}
#endif
