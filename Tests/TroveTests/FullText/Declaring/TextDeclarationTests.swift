// Full-text indexes with a wrong number of properties, by hand and in a catalog.

import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Wide {
    let id: Int
    var text: String
}

extension Wide {
    static let indexes: [RecordIndex<Self>] = [
        .fullText((1...16).map { number in TextProperty("text\(number)", \.text) { $0.text } })
    ]
}

@IndexKeyRecord("id")
private struct Bare {
    let id: Int
    var text: String
}

extension Bare {
    static let indexes: [RecordIndex<Self>] = [.fullText([])]
}

@IndexKeyRecord("id")
private struct Leaflet {
    #FullTextIndex<Leaflet>(\.text)

    let id: Int
    var text: String
}

struct TextDeclarationTests {
    @Test func aWrongNumberOfProperties_isRefused_whenTheTypeIsFirstUsed() throws {
        let name = Wide.schema.indexes[0].text
        let wide = StoreError.schema(.wrongNumberOfTexts(type: "Wide", index: name, limit: 15))
        #expect(storeError { try Store.temporary(records: [Wide.self]) } == wide)
        let store = try Store.temporary()
        #expect(storeError { try store.insert(Wide(id: 1, text: "")) } == wide)
        #expect(
            storeError { try store.insert(Bare(id: 1, text: "")) }
                == .schema(.wrongNumberOfTexts(type: "Bare", index: "fullText()", limit: 15)))
    }

    @Test(arguments: [0, 16]) func aWrongNumberInACatalog_isDamage(_ count: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("leaflets.trove")
        do {
            let store = try Store(path: path, records: [Leaflet.self])
            try store.insert(Leaflet(id: 1, text: "word"))
            try store.write { context in
                let catalog = try context.catalogStorage()
                var index = try #require(try catalog.type(Leaflet.keyPrefix)?.indexes[1])
                index.properties = (0..<count).map { "text\($0)" }
                try catalog.setIndex(Leaflet.keyPrefix, 1, index)
                context.noteChange()
            }
            try store.close()
        }
        #expect(storeError { try Store(path: path, records: [Leaflet.self]).read { try $0.storedTypes() } } != nil)
        #expect(try !Store.verify(path: path).findings.isEmpty)
    }
}
