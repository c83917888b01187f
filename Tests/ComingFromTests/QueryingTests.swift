// Nested queries: graphs by shape, in bulk, by ids, as fragments and as slices.

import Foundation
import Testing
import Trove
import TroveSpellings

@Suite("Coming from SwiftletModel: nested queries")
struct QueryingTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Trek.self])
        try Trek.ridge.save(to: store)
    }

    @Test func aGraph_isReadByItsShape() throws {
        try store.read { context in
            let climber =
                try Climber
                .query("ines", in: context)
                .with(\.$treks) { trek in
                    trek.with(\.$entries) { entry in
                        entry.with(\.$answers) { answer in
                            answer.with(\.$author)
                                .id(\.$answerTo)
                        }
                        .id(\.$author)
                        .id(\.$trek)
                    }
                    .with(\.$climbers)
                    .id(\.$leaders)
                }
                .resolve()
            let trek = try #require(climber?.treks?.first)
            #expect(trek.climbers == [.ines, .tomo])
            #expect(trek.$leaders.ids == ["ines"])
            let first = try #require(trek.entries?.first)
            #expect(first.$author.id == "ines" && first.author == nil && first.$trek.id == "ridge")
            #expect(first.answers?.first?.author == .tomo)
            #expect(first.answers?.first?.$answerTo.id == "1")
        }
    }

    @Test func bulkQueries_readAllRelations() throws {
        let climber = try #require(try Climber.query("ines", in: store).with(.entities).resolve())
        #expect(climber.treks == [Trek(id: "ridge")] && climber.leaderOf == [Trek(id: "ridge")])
        let deep = try #require(try Climber.query("ines", in: store).with(.entities, .fragments, .ids).resolve())
        let trek = try #require(deep.treks?.first)
        #expect(trek.$entries.isFragment && trek.entries?.first?.$author.isId == true)
        #expect(trek.entries?.last?.$photo.id == "hut")
    }

    @Test func bulkQueries_areAPartOfNestedQueries() throws {
        let climber = try #require(
            try Climber
                .query("ines", in: store)
                .with(\.$treks) { trek in
                    trek.with(.entities)
                }
                .resolve())
        #expect(climber.$leaderOf.isNone)
        #expect(climber.treks?.first?.climbers?.map(\.name) == ["Ines", "Tomo"])
        #expect(climber.treks?.first?.entries?.map(\.$author.isNone) == [true, true])
    }

    @Test func allEntities_areReadWithTheirRelations() throws {
        try Climber.ravi.save(to: store)
        let climbers = try Climber.queryAll(with: .entities, .ids, in: store).resolve()
        #expect(climbers.map(\.name) == ["Ines", "Ravi", "Tomo"])
        #expect(climbers.map { $0.treks?.first?.$climbers.ids } == [["ines", "tomo"], nil, ["ines", "tomo"]])
    }

    @Test func lists_areFilteredSortedAndCut() throws {
        let trek = try #require(
            try Trek.query("ridge", in: store)
                .with(\.$entries) { $0.filter(\.text != "").sorted(by: \.text.desc).limit(1) }
                .resolve())
        #expect(trek.entries?.map(\.id) == ["2"])
        #expect(trek.$entries.isSlice)
    }

    @Test func fragmentsAndSlices_areMarked() throws {
        let trek = try #require(
            try Trek.query("ridge", in: store)
                .fragment(\.$climbers).with(slice: \.$entries).id(slice: \.$leaders).resolve())
        #expect(trek.$climbers.isFragment && trek.$entries.isSlice && trek.$leaders.isSlice)
        let slices = try Trek.query("ridge", in: store).fragment(slice: \.$climbers).resolve()
        #expect(slices?.$climbers.isFragment == true && slices?.$climbers.isSlice == true)
    }

    @Test func relationsWithoutLinks_areEmpty() throws {
        let entry = try #require(
            try Entry.query("1", in: store).with(\.$readBy).with(\.$correctedBy).id(\.$photo).resolve())
        #expect(entry.readBy == [] && entry.correctedBy == nil)
        #expect(entry.$correctedBy.isNone && entry.$photo.isNone)
    }

    @Test func firstAndLast_areQueries() throws {
        try store.read { context in
            let first = try Climber.query().sorted(by: \.name).first.with(\.$treks).resolve(in: context)
            #expect(first?.name == "Ines" && first?.treks?.map(\.id) == ["ridge"])
            let last = try Climber.query().sorted(by: \.name).last.id(\.$treks).resolve(in: context)
            #expect(last?.name == "Tomo" && last?.$treks.ids == ["ridge"])
            #expect(try Climber.query(in: context).sorted(by: \.name).last() == .tomo)
        }
    }

    @Test func anEntity_isAQueryForItself() throws {
        let climber = try Climber.tomo.query(in: store).id(\.$treks).resolve()
        #expect(climber?.$treks.ids == ["ridge"])
        #expect(try Climber.ravi.query(in: store).resolve() == nil)
    }

    @Test func computedValues_areFilteredAndSorted() throws {
        try Climber.ravi.save(to: store)
        try store.read { context in
            let long = try Entry.query(in: context).filter { $0.text.count > 14 }.resolve()
            #expect(long.map(\.id) == ["2"])
            let byText = try Trek.query("ridge", in: context)
                .with(\.$entries) { $0.sorted { $0.text.count > $1.text.count } }
                .resolve()
            #expect(byText?.entries?.map(\.id) == ["2", "1"])
            #expect(try Climber.query(in: context).filter { $0.name.hasSuffix("i") }.first()?.name == "Ravi")
        }
    }

    @Test func entities_areFoundByTheirIDs() throws {
        #expect(try Climber.query(["tomo", "nobody", "ines"], in: store).resolve() == [.tomo, .ines])
        #expect(try Climber.query("nobody", in: store).with(.entities).resolve() == nil)
    }

    @Test func aResult_isSavedAndPrinted() throws {
        let trek = try #require(
            try Trek.query("ridge").with(\.$climbers) { $0.limit(1) }.id(\.$leaders).resolve(in: store))
        try trek.save(to: store)
        #expect(try Trek.query("ridge").id(\.$climbers).resolve(in: store)?.$climbers.ids == ["ines", "tomo"])
        let encoder = JSONEncoder.prettyPrinting
        encoder.relationEncodingStrategy = .explicitKeyedContainer
        let photo = try Photo.query("hut").with(\.$entry) { $0.with(\.$readBy) { $0.id(\.$treks) } }.resolve(in: store)
        #expect(
            try photo?.prettyDescription(with: encoder) == """
                {
                  "entry" : {
                    "object" : {
                      "answerTo" : null,
                      "answers" : null,
                      "author" : null,
                      "correctedBy" : null,
                      "id" : "2",
                      "photo" : null,
                      "readBy" : {
                        "objects" : [
                          {
                            "biography" : {
                              "summits" : [
                                "Olan"
                              ],
                              "text" : "Guide"
                            },
                            "id" : "ines",
                            "leaderOf" : null,
                            "name" : "Ines",
                            "treks" : {
                              "ids" : [
                                "ridge"
                              ]
                            }
                          }
                        ]
                      },
                      "text" : "The rope is at the hut",
                      "trek" : null
                    }
                  },
                  "file" : "hut.png",
                  "id" : "hut"
                }
                """)
    }

    @Test func aType_shapesBulkQueries() throws {
        let store = try Store.temporary(records: [Shelter.self])
        let beds = (1...5).map { Bed(id: $0, isFree: $0 % 2 == 1) }
        try Shelter(id: "hut", beds: .relation(beds), guests: .ids([1])).save(to: store)
        let shelter = try #require(try Shelter.query("hut", in: store).with(.entities, .ids).resolve())
        #expect(shelter.beds?.map(\.id) == [1, 3])
        #expect(shelter.beds?.map(\.$shelter.id) == ["hut", "hut"])
        #expect(shelter.$guests.isNone)
        // Also where the entity is a target.
        let bed = try #require(try Bed.query(2, in: store).with(.entities, .entities).resolve())
        #expect(bed.shelter?.beds?.map(\.id) == [1, 3])
        #expect(try Shelter.queryAll(with: .ids, in: store).resolve().first?.$guests.isNone == true)
    }
}

/// An entity that shapes its part of bulk queries.
@EntityModel
private struct Shelter: Equatable {
    let id: String
    @Relationship(inverse: \.shelter) var beds: [Bed]?
    @Relationship var guests: [Bed]? = nil

    static func nestedQueryModifier(_ query: Query<Shelter>, nested: [NestedRelations]) -> Query<Shelter> {
        let rest = Array(nested.dropFirst())
        return query.withAllRelations(nested).without(\.$guests)
            .with(\.$beds) { $0.filter(\.isFree == true).limit(2).with(rest) }
    }
}

@EntityModel
private struct Bed: Equatable {
    let id: Int
    var isFree: Bool
    @Relationship(inverse: \.beds) var shelter: Shelter?
}
