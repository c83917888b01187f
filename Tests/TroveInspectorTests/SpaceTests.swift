// The pages of the file, and its health.

#if Inspector
import Foundation
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

@Suite struct SpaceTests {
    /// A store with a file.
    private func store(in directory: TemporaryDirectory) throws -> Store {
        let path = directory.path("a.trove")
        try SampleStore.create(path, (0..<500).map { User(id: $0, name: "User \($0)") })
        return try SampleStore.open(path, StoreOptions(isReadOnly: true))
    }

    @Test(.timeLimit(.minutes(60))) func allPagesAreInTheMap_andTablesHaveTheirNames() async throws {
        let directory = try TemporaryDirectory()
        let store = try store(in: directory)
        let site = TestSite(store)
        let page = try await site.finishedPage("/space")
        let usage = try await store.read { try $0.pageUsage() }
        #expect(page.text.contains("\(usage.usage.pages) pages"))
        let map = try #require(page.all(class: "map").first)
        // Each run of cells is 8 wide for a cell, with a gap of 1.
        let cells = map.all("rect").reduce(0) { $0 + ((Int($1.attributes["width"] ?? "") ?? 0) + 1) / 8 }
        #expect(cells == usage.usage.cellCount)
        let names = page.all("th").map(\.text)
        #expect(names.contains("records of TroveInspectorTests.User"))
        #expect(names.contains("catalog"))
        #expect(page.links.contains("/space?run=1"))
        #expect(!page.all(class: "histogram").isEmpty)
        #expect(!page.all(class: "treemap").isEmpty)
    }

    @Test(.timeLimit(.minutes(60))) func aSoundStoreIsVerified_andChecked() async throws {
        let directory = try TemporaryDirectory()
        let store = try store(in: directory)
        let site = TestSite(.success(store), path: store.path)
        let start = try await site.page("/health")
        #expect(start.links.contains { $0.hasPrefix("/health?verify=") })
        let verified = try await site.finishedPage("/health?verify=1")
        #expect(verified.all(class: "verdict").map(\.text) == ["The file is sound."])
        let checked = try await site.finishedPage("/health?check=1")
        #expect(checked.all(class: "verdict").map(\.text) == ["No differences were found."])
        #expect(checked.text.contains("index(age) of TroveInspectorTests.User"))
        let one = try await site.finishedPage("/health?check=1&type=TroveInspectorTests.User&index=index(age)")
        #expect(one.all("tbody").flatMap { $0.all("tr") }.count == 1)
        #expect(one.element(id: "command")?.text.hasSuffix("TroveInspectorTests.User 'index(age)'") == true)
    }

    @Test(.timeLimit(.minutes(60))) func eachWalk_isANewOne() async throws {
        let directory = try TemporaryDirectory()
        let store = try store(in: directory)
        let site = TestSite(.success(store), path: store.path)
        func again(_ path: String) async throws -> String {
            let page = try await site.finishedPage(path)
            return try #require(page.all("a").first { $0.attributes["rel"] == "nofollow" }?.attributes["href"])
        }
        // The same page offers another walk each time, and no other page offers it.
        var offered: [String] = []
        for path in ["/space", "/space", "/health?verify=800", "/health?check=800", "/health?verify=800"] {
            offered.append(try await again(path))
        }
        let numbers = offered.compactMap { $0.split(separator: "=").last }
        #expect(Set(numbers).count == offered.count)
    }

    @Test(.timeLimit(.minutes(60))) func theCheckOfAnIndex_beginsWithItsButton() async throws {
        let directory = try TemporaryDirectory()
        let store = try store(in: directory)
        let site = TestSite(.success(store), path: store.path)
        for path in ["/indexes", "/indexes/TroveInspectorTests.User/index(age)"] {
            let page = try await site.page(path)
            let form = try #require(page.all("form").first { $0.attributes["action"] == "/health" })
            #expect(form.attributes["method"] == "post")
            let fields = Dictionary(
                form.all("input").map { ($0.attributes["name"] ?? "", $0.attributes["value"] ?? "") },
                uniquingKeysWith: { first, _ in first })
            #expect(fields["type"] == "TroveInspectorTests.User" && fields["index"] == "index(age)")
            #expect(fields["form"] == site.site.formToken.text)
            let started = try await site.send(form: fields, to: "/health")
            #expect(started.status == .seeOther)
            let check = try await site.finishedPage(try #require(started.headers[.location]))
            #expect(check.all(class: "verdict").map(\.text) == ["No differences were found."])
            #expect(check.all("tbody").flatMap { $0.all("tr") }.count == 1)
        }
    }

    @Test func aFormWithoutTheToken_isRefused() async throws {
        let site = TestSite(try SampleStore.empty())
        let fields = ["type": "T", "index": "index(age)"]
        for token in ["", "0", SecretToken().text, site.site.token.text] {
            let response = try await site.send(form: fields, to: "/health", token: token)
            #expect(response.status == .forbidden)
            #expect(response.headers[.location] == nil)
        }
        #expect(try await site.send(form: [:], to: "/health").status == .notFound)
        // The guard is in front of forms, too.
        let body = ["form=\(site.site.formToken.text)&type=T&index=I"]
        #expect(try await site.send(.post, "/health", body: body).status == .forbidden)
        #expect(
            try await site.send(
                .post, "/health", cookie: "", headers: [.origin: TestSite.origin], body: body
            ).status == .forbidden)
    }

    @Test(.timeLimit(.minutes(60))) func damageIsListed_withALinkToTheRecord() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        let marker = "SECRETMARK"
        try SampleStore.create(path, (0..<5).map { User(id: $0, name: $0 == 2 ? marker : "User \($0)") })
        var file = try RawFile(path)
        for offset in file.bytes.indices.dropLast(marker.utf8.count)
        where file.bytes[offset...].starts(with: marker.utf8) {
            file.bytes[offset] = UInt8(ascii: "?")
        }
        try file.write(to: path)
        let site = TestSite(
            .success(try SampleStore.open(path, StoreOptions(isReadOnly: true, verifiesChecksums: true))), path: path)
        let verified = try await site.finishedPage("/health?verify=1")
        #expect(verified.all(class: "verdict").map(\.text) == ["The file is damaged."])
        let link = try #require(verified.links.first { $0.hasPrefix("/record/TroveInspectorTests.User/0x") })
        let record = try await site.page(link)
        #expect(!record.all(class: "error").isEmpty)
        let checked = try await site.finishedPage("/health?check=1")
        #expect(checked.all(class: "verdict").map(\.text) != ["No differences were found."])
    }

    @Test(.timeLimit(.minutes(60))) func aFileThatCannotBeOpened_canBeVerified() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("no.trove")
        try Data("This is no store.".utf8).write(to: URL(fileURLWithPath: path))
        let site = TestSite(Result { try SampleStore.open(path, StoreOptions(isReadOnly: true)) }, path: path)
        let verified = try await site.finishedPage("/health?verify=1")
        #expect(!verified.all(class: "error").isEmpty)
        #expect(try await site.send(.get, "/health?check=1").body.contains("cannot be opened"))
    }
}
#endif
