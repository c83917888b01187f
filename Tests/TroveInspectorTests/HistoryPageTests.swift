// The pages of the history: its commits, a commit with its changes, and the commits of a record.

#if Inspector
import Foundation
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

@IndexKeyRecord("id")
struct Pebble: Hashable, Sendable {
    let id: Int
    var weight: Int
}

@IndexKeyRecord("name")
struct Boulder: Hashable, Sendable {
    let name: String
}

@Suite struct HistoryPageTests {
    private let store: Store
    private let site: TestSite
    private static let (user, article) = ("TroveInspectorTests.User", "TroveInspectorTests.Article")

    /// A store with four commits, of which the first begins the history.
    init() throws {
        let rules = HistoryPolicy.keep().excluding(Tagged.self).keepingDeleted(User.self, \.name)
        store = try Store.temporary(
            records: [User.self, Article.self, Tagged.self, Pebble.self, Boulder.self],
            options: StoreOptions(history: rules))
        site = TestSite(store)
        try store.insert(contentsOf: (0..<3).map { User(id: $0, name: "User \($0)") })
        try store.write(author: "sync <b>&") { context in
            try context.insert(User(id: 1, name: "Bob"), onConflict: .replace)
            try context.insert(User(id: 7))
            try context.insert(Article(language: "<i>", number: 1, title: "title", body: "body"))
        }
        try store.delete(User.self, key: 2)
    }

    /// Returns the commits, the newest first.
    private func commits(_ store: Store? = nil) async throws -> [HistoryCommit] {
        try await (store ?? self.store).read { try $0.history() }.reversed()
    }

    private func cells(_ row: HTMLElement) -> [String] {
        row.all.filter { ["th", "td"].contains($0.name) }.map(\.text)
    }

    /// Returns the rows in the body of a page's first table.
    private func elements(_ page: HTMLElement) -> [HTMLElement] { page.all("tbody").first?.all("tr") ?? [] }

    private func rows(_ page: HTMLElement) -> [[String]] { elements(page).map(cells) }

    /// Returns the items of the lists in a row.
    private func items(_ page: HTMLElement, row: Int) -> Set<String> {
        Set(elements(page).dropFirst(row).first?.all("li").map(\.text) ?? [])
    }

    private func next(_ page: HTMLElement) -> String? {
        page.all("a").first { $0.attributes["rel"] == "next" }?.attributes["href"]
    }

    private func command(_ page: HTMLElement) -> String? { page.element(id: "command")?.text }

    /// Returns the rows of the commits on the page of a record.
    private func recordRows(_ page: HTMLElement) -> [[String]] {
        let table = page.all("table").first { $0.all("th").map(\.text).starts(with: ["Commit", "Time"]) }
        return (table?.all("tbody").first?.all("tr") ?? []).map(cells)
    }

    // MARK: The history

    @Test func commits_areListed_theNewestFirst() async throws {
        let page = try await site.page("/history")
        let commits = try await commits()
        let rows = rows(page)
        #expect(page.all("h1")[0].text == "History")
        #expect(commits.count == 4)
        #expect(rows.map { $0[0] } == commits.map { "\($0.sequence)" })
        for (row, commit) in zip(rows, commits) {
            let age = commit.date.timeIntervalSince(try Date(row[1], strategy: .iso8601))
            #expect(age >= 0 && age < 1, "\(row[1])")
            #expect(page.links.contains(CommitPage.address(commit.token).text))
        }
        #expect(rows.map { $0[2] } == ["nil", "sync <b>&", "nil", "nil"])
        #expect(items(page, row: 0) == ["\(Self.user): 1 deleted"])
        #expect(items(page, row: 1) == ["\(Self.user): 1 inserted, 1 updated", "\(Self.article): 1 inserted"])
        #expect(items(page, row: 2) == ["\(Self.user): 3 inserted"])
        #expect(rows[3][3] == "none")
        #expect(page.links.contains("/type/\(Self.user)"))
        #expect(page.all("nav")[0].links.contains("/history"))
        #expect(command(page) == "trove history '/data/my store.trove'")
    }

    @Test func commits_arePaged_withTheCommandOfEachPage() async throws {
        for id in 100..<220 { try await store.insert(Pebble(id: id, weight: 1)) }
        let commits = try await commits()
        var page = try await site.page("/history")
        var seen = rows(page).map { $0[0] }
        var commands = [command(page)]
        while let path = next(page) {
            page = try await site.page(path)
            seen += rows(page).map { $0[0] }
            commands.append(command(page))
        }
        #expect(seen == commits.map { "\($0.sequence)" })
        let call = "trove history '/data/my store.trove'"
        #expect(
            commands == [
                "\(call) --after \(commits[50].token) --limit 50", "\(call) --after \(commits[100].token) --limit 50",
                "\(call) --limit 24",
            ])
        #expect(page.links.contains("/history"))
    }

    @Test func aStoreWithoutAHistory_hasAPageThatSaysHowToKeepOne() async throws {
        let site = TestSite(try SampleStore.full(users: 2))
        let page = try await site.page("/history")
        #expect(page.text.contains("This store keeps no history of its commits."))
        #expect(page.all("pre")[0].text.contains("StoreOptions(history: .keep(days: 30))"))
        #expect(!page.all("nav")[0].links.contains("/history"))
        #expect(try await site.page("/live").text.contains("Earlier ones are not stored."))
        #expect(try await site.page("/record/\(Self.user)/1").element(id: "record-commits") == nil)
        let token = try await store.read { try $0.historyToken }
        let wrong = try await site.page(CommitPage.address(token).text, status: .notFound)
        #expect(wrong.text.contains("keeps no history. Open it with StoreOptions(history: .keep(days: 30))."))
    }

    @Test func otherPages_leadToTheHistory() async throws {
        for path in ["/", "/live"] {
            let page = try await site.page(path)
            #expect(page.all("main")[0].links.contains("/history"), "\(path)")
            #expect(!page.text.contains("not stored") && !page.text.contains("does not keep"), "\(path)")
        }
    }

    // MARK: A commit

    @Test func aCommit_hasItsChanges_withLinksToStoredRecords() async throws {
        let commits = try await commits()
        let page = try await site.page(CommitPage.address(commits[1].token).text)
        #expect(page.all("h1")[0].text == "Commit \(commits[1].sequence)")
        #expect(
            Set(rows(page)) == [
                ["id: 1", "updated", Self.user, ""], ["id: 7", "inserted", Self.user, ""],
                ["(language: \"<i>\", number: 1)", "inserted", Self.article, ""],
            ])
        for row in elements(page) {
            let record = try #require(row.all("th")[0].links.first)
            #expect(try await site.page(record).all("h1")[0].text == row.all("th")[0].text)
        }
        let facts = page.all("dd").map(\.text)
        #expect(facts[1] == "sync <b>&")
        #expect(facts[2] == commits[1].token.rawValue)
        #expect(page.links.contains(CommitPage.address(commits[2].token).text))
        let call = "trove history '/data/my store.trove'"
        #expect(command(page) == "\(call) --after \(commits[2].token) --limit 1")
        let first = try await site.page(CommitPage.address(commits[3].token).text)
        #expect(first.text.contains("The history begins with this commit."))
        #expect(command(first) == "\(call) --limit 1")
    }

    @Test func aDeletedRecord_hasItsTombstone() async throws {
        let commits = try await commits()
        let address = CommitPage.address(commits[0].token).text
        var page = try await site.page(address)
        #expect(rows(page) == [["id: 2not stored", "deleted", Self.user, "{\"name\":\"User 2\"}"]])
        #expect(elements(page).first?.all("th").first?.links == [])
        #expect(
            rows(try await site.page(CommitPage.address(commits[2].token).text)).map { $0[0] }
                == ["id: 0", "id: 1", "id: 2not stored"])
        // The record of a tombstone can be stored again.
        try await store.insert(User(id: 2))
        page = try await site.page(address)
        #expect(rows(page).map { $0[0] } == ["id: 2"])
        #expect(elements(page).first?.all("th").first?.links == ["/record/\(Self.user)/0x8000000000000002"])
    }

    @Test(.timeLimit(.minutes(60))) func aCommitOfManyChanges_isPaged() async throws {
        try await store.insert(contentsOf: (0..<100_000).map { Pebble(id: $0, weight: $0) })
        let token = try await store.read { try $0.historyToken }
        let list = try await site.page("/history")
        #expect(items(list, row: 0) == ["TroveInspectorTests.Pebble: 100,000 inserted"])
        let address = CommitPage.address(token)
        let response = try await site.send(.get, address.text)
        #expect(response.body.utf8.count < PageFrame.sizeLimit)
        let page = try response.page()
        #expect(rows(page).map { $0[0] } == (0..<1_000).map { "id: \($0)" })
        #expect(page.text.contains("1,000 of 100,000 changes are shown."))
        #expect(!page.text.contains("further changes"))
        let second = try await site.page(try #require(next(page)))
        #expect(rows(second).map { $0[0] } == (1_000..<2_000).map { "id: \($0)" })
        let last = try await site.page(address.with("skip", "99500").text)
        #expect(rows(last).map { $0[0] } == (99_500..<100_000).map { "id: \($0)" })
        #expect(next(last) == nil)
        for skip in ["100000", "999999999"] {
            #expect(try await site.page(address.with("skip", skip).text).text.contains("No further changes."))
        }
        #expect(rows(try await site.page(address.with("skip", "-1").text)).first?[0] == "id: 0")
    }

    @Test(.timeLimit(.minutes(60))) func aCommitOfManyBytes_isCut() async throws {
        // The keys of the history share their first bytes only.
        let names = (0..<8_000).map { "\(10_000 + $0)" + String(repeating: "x", count: 400) }
        try await store.insert(contentsOf: names.map { Boulder(name: $0) })
        let commits = try await commits()
        let list = try await site.page("/history")
        #expect(rows(list).map { $0[0] } == ["\(commits[0].sequence)"])
        #expect(rows(list)[0][3].contains("and further changes, which are not counted"))
        let older = try await site.page(try #require(next(list)))
        #expect(rows(older).map { $0[0] } == commits.dropFirst().map { "\($0.sequence)" })
        let page = try await site.page(CommitPage.address(commits[0].token).text)
        #expect(rows(page).count == CommitPage.limit)
        #expect(page.text.contains("The commit has further changes: a page reads a few megabytes of them."))
        // The search on the page of a record ends with it, too.
        let record = try await site.page("/record/\(Self.user)/1")
        #expect(record.text.contains("The newest 1 commit was read, 1 of them in part."))
        #expect(recordRows(record).isEmpty)
    }

    // MARK: A record

    @Test func aRecord_hasTheCommitsThatHaveChangedIt() async throws {
        let commits = try await commits()
        let page = try await site.page("/record/\(Self.user)/1")
        let rows = recordRows(page)
        #expect(rows.map { $0[0] } == [commits[1], commits[2]].map { "\($0.sequence)" })
        #expect(rows.map { $0[2] } == ["sync <b>&", "nil"])
        #expect(rows.map { $0[3] } == ["updated", "inserted"])
        #expect(page.links.contains(CommitPage.address(commits[1].token).text))
        #expect(page.text.contains("The history has 4 commits, which were read. All commits"))
        #expect(recordRows(try await site.page("/record/\(Self.user)/7")).map { $0[3] } == ["inserted"])
    }

    @Test func aTypeThatIsLeftOut_hasASentence() async throws {
        try await store.insert(Tagged(id: 1, tags: []))
        let page = try await site.page("/record/TroveInspectorTests.Tagged/1")
        #expect(page.text.contains("The history leaves out the changes of this type."))
        #expect(recordRows(page).isEmpty)
    }

    @Test func theSearchForARecord_isBounded() async throws {
        for weight in 0..<1_005 { try await store.insert(Pebble(id: 1, weight: weight), onConflict: .replace) }
        let pebble = try await site.page("/record/TroveInspectorTests.Pebble/1")
        let commits = try await commits()
        #expect(recordRows(pebble).count == RecordCommitsView.limit)
        #expect(recordRows(pebble).allSatisfy { $0[3] == "updated" })
        #expect(pebble.links.contains(CommitPage.address(commits[0].token).text))
        #expect(pebble.text.contains("The newest 50 commits were read."))
        let user = try await site.page("/record/\(Self.user)/1")
        #expect(recordRows(user).isEmpty)
        #expect(user.text.contains("No change of this record was found."))
        #expect(user.text.contains("The newest 1,000 commits were read."))
    }

    /// A type that the history has left out until now can have had any changes.
    @Test func anyChange_isARowWithoutAKey() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        _ = try Self.create(path, .keep().excluding(Tagged.self)) { try $0.insert(Tagged(id: 1, tags: [])) }
        let store = try SampleStore.open(path, StoreOptions(history: .keep()))
        let site = TestSite(store)
        #expect(items(try await site.page("/history"), row: 0) == ["TroveInspectorTests.Tagged: any record"])
        let last = try #require(try await commits(store).first)
        let page = try await site.page(CommitPage.address(last.token).text)
        #expect(rows(page) == [["", "any record", "TroveInspectorTests.Tagged", ""]])
        let record = try await site.page("/record/TroveInspectorTests.Tagged/1")
        #expect(recordRows(record).map { $0[3] } == ["any record"])
    }

    // MARK: Hostile contents

    @Test func namesAndAuthors_areTexts() async throws {
        let names = [
            "Module.A<b>", "Module.\"quoted\"", "Module.a/b", "Module.<script>alert(1)</script>",
            "Module.\u{202E}txet", "Module.👩‍👩‍👧",
        ]
        let authors = [
            "<script>alert(1)</script>", "</td></tr></table>", "\" onmouseover=\"alert(1)", "\u{202E}sdrawkcab", "a\nb",
            "👩‍👩‍👧‍👦🏳️‍🌈", "",
        ]
        let store = try SampleStore.named(names, options: StoreOptions(history: .keep()))
        let loaded = try await commits(store).count
        for (id, author) in authors.enumerated() {
            try await store.write(author: author) { context in try context.insert(Pebble(id: id, weight: 1)) }
        }
        try await store.write(author: String(repeating: "<", count: 3_000_000)) { context in
            try context.insert(Boulder(name: "</a><b>"))
        }
        try await store.write(author: "\u{0}\u{1B}[31m") { context in try context.insert(Boulder(name: "x")) }
        let site = TestSite(store)
        let response = try await site.send(.get, "/history")
        #expect(response.body.utf8.count < 100_000)
        let page = try response.page()
        let shown = rows(page).map { $0[2] }
        #expect(shown.count == loaded + authors.count + 2)
        #expect(shown[0] == "\u{2400}\u{241B}[31m")
        #expect(shown[1].hasSuffix("… of 3,000,000 bytes"))
        #expect(Array(shown[2..<2 + authors.count]) == authors.reversed())
        for row in elements(page) { #expect(row.all("td")[1].all("bdi").count <= 1) }
        let items = Set(page.all("li").map(\.text))
        for name in names {
            #expect(items.contains("\(name): 1 inserted"), "\(name)")
            #expect(page.links.contains(TypePage.address(name).text), "\(name)")
        }
        let commits = try await commits(store)
        let commit = try await site.page(CommitPage.address(commits[1].token).text)
        #expect(rows(commit) == [["name: \"</a><b>\"", "inserted", "TroveInspectorTests.Boulder", ""]])
        for commit in commits { _ = try await site.page(CommitPage.address(commit.token).text) }
    }

    @Test func wrongTokens_areNotFound() async throws {
        let token = try await store.read { try $0.historyToken }
        let text = token.rawValue
        for wrong in ["x", "1.2.3", "<b>", text + "0.", text.lowercased(), "0x00", "\(token.sequence)"] {
            let page = try await site.page(Address("history", wrong).text, status: .notFound)
            #expect(page.all(class: "error").map(\.text) == ["“\(wrong)” is not the token of a commit."])
        }
        func message(_ token: String, _ site: TestSite) async throws -> String {
            let page = try await site.page(Address("history", token).text, status: .notFound)
            #expect(page.all("h1")[0].text == "Not found")
            return page.all(class: "error")[0].text
        }
        let identifier = text.split(separator: ".")[0]
        #expect(try await message("\(identifier).999.1", site).contains("is of another copy of"))
        let other = try await Store.temporary(
            records: [Pebble.self], options: StoreOptions(history: .keep(commits: 2)))
        #expect(try await message(text, TestSite(other)).contains("but of another store"))
        let first = try await other.read { try $0.historyToken }
        for id in 0..<20 { try await other.insert(Pebble(id: id, weight: 1)) }
        let expired = try await message(first.rawValue, TestSite(other))
        #expect(expired.contains("no longer has the commits after \(first.sequence)"))
    }

    @Test func numbers_areThoseOfCommits() async throws {
        for wrong in ["x", "-1", "1.5", "99999999999999999999", "<b>"] {
            let address = HistoryPage.address.with("before", wrong).text
            let page = try await site.page(address, status: .notFound)
            #expect(page.all(class: "error").map(\.text) == ["“\(wrong)” is not the number of a commit."])
        }
        #expect(try await site.page("/history?before=0").text.contains("No earlier commit is kept."))
        #expect(rows(try await site.page("/history?before=\(UInt64.max)")).count == 4)
        #expect(rows(try await site.page("/history?before=")).count == 4)
    }

    @Test func aDamagedCommit_isARowWithItsError() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        let marker = "SECRETMARK"
        let tokens = try Self.create(path, .keep()) { store in
            try store.insert(Pebble(id: 0, weight: 1))
            try store.write(author: marker) { try $0.insert(Pebble(id: 1, weight: 1)) }
            try store.insert(Pebble(id: 2, weight: 1))
        }
        var file = try RawFile(path)
        var damaged = 0
        for offset in file.bytes.indices.dropLast(marker.utf8.count)
        where file.bytes[offset...].starts(with: marker.utf8) {
            file.bytes[offset] = UInt8(ascii: "?")
            damaged += 1
        }
        #expect(damaged > 0)
        try file.write(to: path)
        let site = TestSite(.success(try SampleStore.open(path, StoreOptions(isReadOnly: true))), path: path)
        let page = try await site.page("/history")
        let list = elements(page)
        #expect(rows(page).map { $0[0] } == tokens.map { "\($0.sequence)" })
        #expect(list.map { $0.all(class: "error").count } == [0, 1, 0, 0])
        // The link to the commit, and the link to the type.
        #expect(list.map(\.links.count) == [2, 0, 2, 1])
        let commit = try await site.page(CommitPage.address(tokens[1]).text, status: .internalServerError)
        #expect(commit.text.contains("examines the file"))
        // The commit after it has a page, and so have the records.
        #expect(rows(try await site.page(CommitPage.address(tokens[0]).text)).map { $0[0] } == ["id: 2"])
        let record = try await site.page("/record/TroveInspectorTests.Pebble/0")
        #expect(record.all(class: "error").count == 1)
        #expect(recordRows(record).map { $0[0] } == [tokens[1], tokens[2]].map { "\($0.sequence)" })
    }

    /// Creates a store with a history, and returns the tokens of its commits, the newest first. Synchronous, so that
    /// the store is closed at the end.
    private static func create(
        _ path: String, _ rules: HistoryPolicy, _ body: (Store) throws -> Void
    ) throws -> [HistoryToken] {
        let store = try Store(
            path: path, records: [Pebble.self, Tagged.self], options: StoreOptions(history: rules))
        try body(store)
        return try store.read { try $0.history().map(\.token) }.reversed()
    }
}
#endif
