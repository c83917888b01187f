// Errors about key paths that name a relation as a stored property, and entities as text.

import Testing
import Trove
import TroveTestSupport

@EntityModel
private struct Rackling {
    let id: Int
    var title: String
    @Relationship(inverse: \.shelf) var books: [Tomelet]?
}

@EntityModel
private struct Tomelet {
    let id: Int
    var title: String
    var subtitle: String?
    @Relationship(inverse: \.books) var shelf: Rackling?
    @Relationship() var stand: Rackling?

    var shout: String { title.uppercased() }
}

@Suite("Names of relations in errors") struct RelationNameTests {
    private func error(_ filter: Filter<Tomelet>) throws -> StoreError? {
        let store = try Store.temporary()
        return storeError { try Tomelet.filter(filter).count(in: store) }
    }

    @Test func aRelationAsAProperty_isNamed() throws {
        #expect(
            try error(\.shelf == nil)
                == .query(.relationNotStored(type: "Tomelet", relation: "shelf", path: "\\.shelf")))
        #expect(
            try error(\.stand == nil)
                == .query(.relationNotStored(type: "Tomelet", relation: "stand", path: "\\.stand")))
    }

    @Test func aPartOfARelation_isNamed() throws {
        #expect(
            try error(\.shelf?.id == 3)
                == .query(.relationNotStored(type: "Tomelet", relation: "shelf", path: "\\.shelf?.id")))
        #expect(
            try error(.string(\.stand?.title, contains: "a"))
                == .query(.relationNotStored(type: "Tomelet", relation: "stand", path: "\\.stand?.title")))
    }

    @Test func aRelationWithoutAnID_isNamed() throws {
        #expect(
            try error(\.$shelf == .null)
                == .query(.relationNotStored(type: "Tomelet", relation: "shelf", path: "\\.$shelf")))
    }

    @Test func theError_saysHowToFilter() throws {
        let text = try #require(try error(\.shelf?.id == 3)).description
        for part in [
            "\\.shelf?.id of Tomelet", "\\.$shelf == .id(…)", ".linked(\\.$shelf, to: …)", ".hasNone(\\.$shelf)",
        ] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test func computedProperties_haveNoAddress() throws {
        let store = try Store.temporary()
        let shout = StoreError.query(.notStored(type: "Tomelet", property: "\\Tomelet.<computed String>"))
        #expect(try error(\.shout == "A") == shout)
        #expect(storeError { try Tomelet.query().sorted(by: \.shout).resolve(in: store) } == shout)
        #expect(
            try error(\.subtitle?.count == 3)
                == .query(.notStored(type: "Tomelet", property: "\\Tomelet.subtitle?.<computed Int>")))
    }

    @Test func anEntity_isPrintedAsItsCode() {
        let shelf = Rackling(id: 1, title: "A", books: .relation([Tomelet(id: 2, title: "B", shelf: .id(1))]))
        for text in ["\(shelf)", String(reflecting: shelf), "\([shelf])", "\(shelf.$books)"] {
            #expect(!text.contains("Trove.Relation") && !text.contains("Swift."), "\(text)")
            #expect(text.contains(".relation([") && text.contains(".id(1)") && text.contains(".none"), "\(text)")
            #expect(text.count < 250, "\(text)")
        }
    }
}
