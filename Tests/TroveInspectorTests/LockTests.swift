// The page of migrations compares the store with a schema lock.

#if Inspector
import Foundation
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

@Suite struct LockTests {
    private let directory: TemporaryDirectory
    private let lock: String

    init() throws {
        directory = try TemporaryDirectory()
        lock = directory.path("schema.json")
    }

    /// Returns the part of the page about the lock.
    private func section(_ store: Store) async throws -> HTMLElement {
        let page = try await TestSite(store, schemaLock: lock).page("/migrations")
        return try #require(page.element(id: "lock"))
    }

    /// Returns the lines of the differences.
    private func lines(_ store: Store) async throws -> [String] {
        try await section(store).all("ul").dropFirst().flatMap { $0.all("li") }.map(\.text)
    }

    /// Returns a store with records of a version of the readers.
    private func readers(_ reader: some IndexKeyRecord, after older: FirstReaders.Reader? = nil) throws -> Store {
        let path = directory.path("readers.trove")
        if let older { try Store(path: path).insert(older) }
        let store = try Store(path: path)
        try store.insert(reader)
        return store
    }

    private let first = FirstReaders.Reader(id: 1, name: "Ann", score: 1)
    private let second = SecondReaders.Reader(id: 2, score: 0.5, town: "Ulm")

    // MARK: Differences

    @Test func withoutALock_thePageHasNoSuchPart() async throws {
        #expect(try await TestSite(try SampleStore.full()).page("/migrations").element(id: "lock") == nil)
    }

    @Test func theCommand_printsTheSame() async throws {
        let page = try await TestSite(try SampleStore.empty(), schemaLock: lock).page("/migrations")
        #expect(page.element(id: "command")?.text == "trove migrations '/data/my store.trove' --lock \(lock)")
    }

    @Test func theLockOfTheProgram_hasNoDifference() async throws {
        try SchemaLock.write([User.self, Article.self, Person.self], at: lock)
        let part = try await section(try SampleStore.full())
        #expect(part.text.contains("The store has the layouts of the lock, of 5 types."), "\(part.text)")
        #expect(part.all("h2")[0].text == "Schema lock \(lock)")
    }

    @Test func aNewerLock_hasItsDifferences() async throws {
        try SchemaLock.write([SecondReaders.Reader.self], at: lock)
        let store = try readers(first)
        let lines = try await lines(store)
        #expect(lines.contains("was named TroveInspectorTests.FirstReaders.Reader"))
        #expect(lines.contains("its fieldsVersion was 1, is 2"))
        #expect(lines.contains { $0.hasPrefix("score was Int64, is Double") })
        #expect(lines.contains { $0.hasPrefix("town is new") } && lines.contains { $0.hasPrefix("name is removed") })
        #expect(try await section(store).all(class: "error").isEmpty)
        // The file is read for each page.
        try SchemaLock.write([FirstReaders.Reader.self], at: lock)
        #expect(try await section(store).text.contains("The store has the layouts of the lock, of 1 type."))
    }

    @Test func anOlderLock_isNamed() async throws {
        try SchemaLock.write([FirstReaders.Reader.self], at: lock)
        let lines = try await lines(try readers(second, after: first))
        #expect(lines == ["its fieldsVersion is 1, and the store has 2, a newer one"])
    }

    @Test func typesOfOneSideOnly_areNamed() async throws {
        try SchemaLock.write([User.self], at: lock)
        let lines = try await lines(try SampleStore.named(["Module.Note"]))
        #expect(
            lines == [
                "the store does not have the type", "the lock does not have the type; its records stay in the store",
            ])
    }

    @Test func aLayoutWithTheSameVersion_isAMistake() async throws {
        try SchemaLock.write([FirstReaders.Reader.self], at: lock)
        let text = try String(contentsOfFile: lock, encoding: .utf8)
        try text.replacing("{\"score\": \"Int64\"}", with: "{\"score\": \"String\"}")
            .write(toFile: lock, atomically: true, encoding: .utf8)
        let errors = try await section(try readers(first)).all(class: "error").map(\.text)
        #expect(errors.contains { $0.hasPrefix("MISTAKE: its layout has changed") })
        #expect(errors.contains { $0.hasPrefix("score was Int64, is String") })
    }

    @Test func relations_areCompared() async throws {
        try SchemaLock.write([Person.self], at: lock)
        let text = try String(contentsOfFile: lock, encoding: .utf8)
        try text.replacing("\"boss\": \"to one", with: "\"boss\": \"to many")
            .replacing("\"seen\": ", with: "\"read\": ").write(toFile: lock, atomically: true, encoding: .utf8)
        let lines = try await lines(try SampleStore.full())
        let mail = "TroveInspectorTests.Mail"
        let person = "TroveInspectorTests.Person"
        #expect(lines.contains("relation(boss) was to one \(person), is to many \(person)"))
        #expect(lines.contains("relation(read) is new: to many \(mail)"))
        #expect(lines.contains { $0.hasPrefix("relation(seen) is removed") })
    }

    // MARK: Hostile files

    @Test(arguments: ["", "{", "[]", "{\"format\": 9, \"types\": []}", "<script>", "{\"format\": 1, \"types\": [{}]}"])
    func aFileThatIsNoLock_isAnErrorOnThePage(_ text: String) async throws {
        try Data(text.utf8).write(to: URL(filePath: lock))
        let page = try await TestSite(try SampleStore.full(), schemaLock: lock).page("/migrations")
        #expect(page.all(class: "error").count == 1)
        #expect(page.text.contains("TroveInspectorTests.User"))
    }

    @Test func aMissingFile_isAnErrorOnThePage() async throws {
        #expect(try await section(try SampleStore.empty()).all(class: "error").count == 1)
    }

    @Test func aLockOfHostileNames_isBounded() async throws {
        let long = String(repeating: "<b>", count: 100_000)
        let types = (0..<3_000).map { number in
            """
            {"name": "M.\(number < 20 ? long : "<script>")\(number)", "keyPrefix": \(number + 1), "fieldsVersion": 1, \
            "key": [{"id": "Int64"}], "fields": []}
            """
        }
        let text = "{\"format\": 1, \"types\": [\(types.joined(separator: ","))]}"
        try Data(text.utf8).write(to: URL(filePath: lock))
        let response = try await TestSite(try SampleStore.empty(), schemaLock: lock).send(.get, "/migrations")
        #expect(response.status == .ok && response.body.utf8.count < Budget.size)
        let page = try response.page()
        #expect(page.text.contains("1,000 of 3,000 types are shown."))
        #expect(page.text.contains("M.<script>20"))
    }
}
#endif
