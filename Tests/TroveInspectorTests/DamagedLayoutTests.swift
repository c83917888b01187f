// The layout of a type is damaged: the records of the others are shown.

#if Inspector
import LMDB
import Testing
import TroveTestSupport

@testable import Trove
@testable import TroveInspector

@Suite struct DamagedLayoutTests {
    /// SQL needs the layouts of all types, and the links to changes need SQL.
    @Test func theRecordsOfOtherTypes_areShown() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        try Self.create(path)
        let store = try SampleStore.open(path, StoreOptions())
        let record = "/record/TroveInspectorTests.User/0x8000000000000001"
        for allowsWrites in [false, true] {
            let page = try await TestSite(store, allowsWrites: allowsWrites).page(record)
            #expect(page.text.contains("The checksum is right."))
            let errors = page.all(class: "error").map(\.text)
            #expect(errors.contains { $0.contains("TroveInspectorTests.Tagged") } == allowsWrites, "\(errors)")
            #expect(!page.links.contains { $0.hasSuffix("/delete") })
        }
    }

    private static func create(_ path: String) throws {
        let store = try Store(path: path, records: [User.self, Tagged.self])
        try store.insert(User(id: 1))
        try store.insert(Tagged(id: 1, tags: []))
        try store.write { context in
            var type = try #require(try context.catalogStorage().type(Tagged.keyPrefix))
            type.layouts[Tagged.fieldsVersion]?.text = "(id:Int64){tags:}"
            try context.set(type, Tagged.keyPrefix)
        }
    }
}
#endif
