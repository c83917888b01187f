// Queries for the entities that a relation leads to.

import Testing
import Trove
import TroveSpellings

@Suite("Coming from SwiftletModel: related models")
struct RelatedModelTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Trek.self])
        try Trek.ridge.save(to: store)
    }

    @Test func relatedEntities_areQueriedDirectly() throws {
        try store.read { context in
            let entries: [Entry] =
                try Trek
                .query("ridge", in: context)
                .related(\.$entries)
                .resolve()
            #expect(entries.map(\.id) == ["1", "2"])
        }
    }

    @Test func aRelatedEntity_isTheFirst() throws {
        let trek = try Entry.query("2", in: store).related(\.$trek).first()
        #expect(trek?.id == "ridge")
    }

    @Test func relatedQueries_areFilteredAndChained() throws {
        let entries = Trek.query("ridge").related(\.$climbers).related(\.$treks).related(\.$entries)
        #expect(try entries.filter(\.id != "1").sorted(by: \.text).select(\.id).resolve(in: store) == ["2"])
        #expect(try entries.count(in: store) == 2)
    }
}
