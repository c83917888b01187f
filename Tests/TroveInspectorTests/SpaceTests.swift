// The pages of the file, and its health.

#if Inspector
import Foundation
import HTTPTypes
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

    /// Returns a page after its walk has ended.
    private func page(_ path: String, of site: TestSite) async throws -> HTMLElement {
        while true {
            let response = try await site.send(.get, path)
            guard response.status == .ok else { throw HTMLError(description: "\(path): \(response.body)") }
            if response.headers[values: HTTPField.Name("Refresh")!].isEmpty { return try response.page() }
        }
    }

    @Test(.timeLimit(.minutes(60))) func allPagesAreInTheMap_andTablesHaveTheirNames() async throws {
        let directory = try TemporaryDirectory()
        let store = try store(in: directory)
        let site = TestSite(store)
        let page = try await page("/space", of: site)
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
        let verified = try await page("/health?verify=1", of: site)
        #expect(verified.all(class: "verdict").map(\.text) == ["The file is sound."])
        let checked = try await page("/health?check=1", of: site)
        #expect(checked.all(class: "verdict").map(\.text) == ["No differences were found."])
        #expect(checked.text.contains("index(age) of TroveInspectorTests.User"))
        let one = try await page(
            "/health?check=1&type=TroveInspectorTests.User&index=index(age)", of: site)
        #expect(one.all("tbody").flatMap { $0.all("tr") }.count == 1)
        #expect(one.element(id: "command")?.text.hasSuffix("TroveInspectorTests.User 'index(age)'") == true)
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
        let verified = try await page("/health?verify=1", of: site)
        #expect(verified.all(class: "verdict").map(\.text) == ["The file is damaged."])
        let link = try #require(verified.links.first { $0.hasPrefix("/record/TroveInspectorTests.User/0x") })
        let record = try await site.page(link)
        #expect(!record.all(class: "error").isEmpty)
        let checked = try await page("/health?check=1", of: site)
        #expect(checked.all(class: "verdict").map(\.text) != ["No differences were found."])
    }

    @Test(.timeLimit(.minutes(60))) func aFileThatCannotBeOpened_canBeVerified() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("no.trove")
        try Data("This is no store.".utf8).write(to: URL(fileURLWithPath: path))
        let site = TestSite(Result { try SampleStore.open(path, StoreOptions(isReadOnly: true)) }, path: path)
        let verified = try await page("/health?verify=1", of: site)
        #expect(!verified.all(class: "error").isEmpty)
        #expect(try await site.send(.get, "/health?check=1").body.contains("cannot be opened"))
    }
}
#endif
