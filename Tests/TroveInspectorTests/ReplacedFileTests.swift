// Another file takes the name of a store that the inspector shows.

#if Inspector
import Foundation
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

@Suite struct ReplacedFileTests {
    private static let paths = [
        "/", "/type/TroveInspectorTests.User", "/type/TroveInspectorTests.User/layout",
        "/record/TroveInspectorTests.User/7", "/search?q=stores", "/indexes",
        "/indexes/TroveInspectorTests.User/index(age)", "/migrations", "/sql?q=SELECT%20name%20FROM%20User", "/live",
        "/health", "/health?check=700",
    ]
    private static let sentence = "The file of this store was moved, removed or replaced."

    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("a.trove")
        try SampleStore.create(path, (0..<500).map { User(id: $0, name: "User \($0)") })
    }

    /// Creates another store, and renames it over the store.
    private func replace() throws {
        let other = directory.path("b.trove")
        let store = try SampleStore.named(["Module.Other"])
        try store.copy(to: other)
        try #require(unsafe rename(other, path) == 0)
    }

    @Test(.timeLimit(.minutes(60))) func eachPage_isOfTheOldStore_andSaysSo() async throws {
        let store = try SampleStore.open(path, StoreOptions(isReadOnly: true))
        let site = TestSite(.success(store), path: path)
        for path in Self.paths { #expect(try await !site.finishedPage(path).text.contains(Self.sentence), "\(path)") }
        try replace()
        for path in Self.paths {
            let page = try await site.finishedPage(path)
            #expect(page.text.contains(Self.sentence), "\(path)")
            #expect(!page.text.contains("Module.Other"), "\(path)")
        }
        let users = try await site.page("/type/TroveInspectorTests.User")
        #expect(users.text.contains("500 records") && users.text.contains("User 7"))
        #expect(try await site.page("/").text.contains("not counted: the name of the file leads to another file"))
        // The pages that read the file by its name have a sentence only.
        for path in ["/space?run=700", "/health?verify=700"] {
            let page = try await site.finishedPage(path)
            #expect(page.all(class: "error").contains { $0.text.contains("was moved, removed or replaced while") })
            #expect(page.all("tbody").isEmpty && page.all(class: "verdict").isEmpty)
            #expect(!page.text.contains("Module.Other"))
        }
    }

    @Test func aRemovedFile_isNamed() async throws {
        let store = try SampleStore.open(path, StoreOptions(isReadOnly: true))
        let site = TestSite(.success(store), path: path)
        try FileManager.default.removeItem(atPath: path)
        let page = try await site.page("/")
        #expect(page.text.contains(Self.sentence) && page.text.contains("TroveInspectorTests.User"))
        #expect(try await site.page("/record/TroveInspectorTests.User/7").text.contains("User 7"))
    }

    /// The name leads to another file while a walk reads it.
    @Test func aWalkOverTwoFiles_isAnError() async throws {
        let store = try SampleStore.open(path, StoreOptions(isReadOnly: true))
        #expect(!store.isFileReplaced)
        #expect(throws: StoreError.self) { try store.readingNamedFile { try replace() } }
        #expect(store.isFileReplaced)
        await #expect(throws: StoreError.self) { try await store.readingNamedFile { () async in } }
        #expect(throws: StoreError.self) { try store.freePageCount() }
        #expect(throws: StoreError.self) { try store.read { _ = try $0.pageUsage() } }
    }
}
#endif
