// The spellings of Docs/ComingFrom.md whose words differ from those of SwiftletModel.

import Foundation
import Testing
import Trove
import TroveSpellings

/// An indexed type without an order: `@HashIndex` there.
@RecordValue
private struct Address: Codable, Hashable {
    var city: String
}

@EntityModel(keepsMetadata: true, keepsDeleted: true)
private struct Hut: Codable, Equatable {
    #Index<Self>(\.address)

    let id: String
    var name: String
    var beds: Int = 0
    var address: Address = Address(city: "Vallouise")
    @Relationship(inverse: \.huts) var keeper: Keeper?

    /// Keeps its deleted entities under another name.
    func asDeleted(in context: ReadContext) throws -> Deleted<Hut>? {
        Deleted(Hut(id: id, name: name + ", closed", beds: beds, address: address))
    }
}

@EntityModel
private struct Keeper: Codable, Equatable {
    let id: String
    @Relationship(inverse: \.keeper) var huts: [Hut]?
}

@Suite("Coming from SwiftletModel: other spellings") struct SpellingTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Hut.self])
        try [
            Hut(id: "1", name: "Glacier Blanc", beds: 130, keeper: .relation(Keeper(id: "ines"))),
            Hut(id: "2", name: "Ecrins", beds: 120), Hut(id: "3", name: "Selle", beds: 60),
        ].save(to: store)
    }

    @Test func patterns_areClosures() throws {
        let pattern = "^E.*s$"
        func keys(_ filter: Filter<Hut>) throws -> [String] { try Hut.filter(filter).keys(in: store) }
        #expect(try keys(.regex(\.name) { /^E/ }) == ["2"])
        #expect(try keys(.not(.regex(\.name) { /^E/ })) == ["1", "3"])
        let found = try Hut.filter { $0.name.range(of: pattern, options: .regularExpression) != nil }.keys(in: store)
        #expect(found == ["2"])
        #expect(try keys(.string(\.name, notHasPrefix: "e")) == ["1", "3"])
        #expect(try keys(.string(\.name, notHasSuffix: "e")) == ["1", "2"])
    }

    @Test func aToOneRelation_leadsToAListOfOne() throws {
        #expect(try Hut.query("1", in: store).related(\.$keeper).first() == Keeper(id: "ines"))
        #expect(try Hut.query("2", in: store).related(\.$keeper).first() == nil)
        #expect(try Hut.query("2", in: store).related(\.$keeper).resolve() == [])
    }

    @Test func anIndexOfATypeWithoutOrder_findsEqualValues() throws {
        try Hut(id: "4", name: "Chancel", address: Address(city: "La Grave")).save(to: store)
        let query = Hut.filter(\.address == Address(city: "La Grave"))
        #expect(try query.keys(in: store) == ["4"])
        #expect(try query.explain(in: store).contains("index(address)"))
    }

    @Test func anEntity_isQueriedByItsID_inAContext() throws {
        try store.write { context in
            let hut = try Hut.query("2", in: context).resolve()
            #expect(hut?.name == "Ecrins")
            #expect(try Hut.get(in: context, id: "2")?.name == "Ecrins")
            let query: RecordQuery<Hut> = Hut.query("2")
            let list: Query<Hut> = Hut.queryAll(with: .ids)
            #expect(try query.resolve(in: context) == list.resolve(in: context).first { $0.id == "2" }?.normalized())
            let forms: [NestedRelations] = [.entities, .ids]
            #expect(try Hut.query("1").with(forms).resolve(in: context)?.keeper?.$huts.ids == ["1"])
        }
    }

    @Test func asDeleted_takesAReadContext_andMayChangeWhatIsKept() throws {
        try Hut.delete(id: "3", from: store)
        #expect(try Deleted<Hut>.query("3").resolve(in: store)?.entity.name == "Selle, closed")
        let hut = try #require(try Hut.get(in: store, id: "2"))
        #expect(try store.reading { try hut.asDeleted(in: $0) }?.entity.name == "Ecrins, closed")
    }

    @Test func alternatives_areFilters() throws {
        let large: Filter<Hut> = \.beds > 125
        #expect(try Hut.filter(\.name == "Selle").or(large).keys(in: store) == ["1", "3"])
        #expect(try Hut.filter(\.name == "Selle").or(.filter(\.beds > 125)).keys(in: store) == ["1", "3"])
    }

    @Test func lastWriteWins_comparesAProperty() throws {
        let larger = MergeStrategy<Hut>.lastWriteWins(comparedBy: \.beds)
        try Hut(id: "2", name: "Old Ecrins", beds: 80).save(to: store, options: larger)
        #expect(try Hut.get(in: store, id: "2")?.name == "Ecrins")
    }
}
