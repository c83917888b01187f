// Deletes that take along or reach many entities: TROVE_CASCADE_ENTITIES of them. A million at night.

import Foundation
import Testing

@testable import Trove

@EntityModel
private struct Bead {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.previous) var next: Bead?
    @Relationship(inverse: \.next) var previous: Bead?
}

@EntityModel
private struct Gallery {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.gallery) var pictures: [Picture]?
}

@EntityModel
private struct Picture {
    let id: Int
    @Relationship(inverse: \.pictures) var gallery: Gallery?
    @Relationship(deleteRule: .cascade, inverse: \.picture) var frame: PictureFrame?
}

@EntityModel
private struct PictureFrame {
    let id: Int
    @Relationship(inverse: \.frame) var picture: Picture?
}

@EntityModel
private struct Visitor {
    let id: Int
    @Relationship var goesTo: Gallery? = nil
}

@Suite("Sizes of cascades", .serialized) struct CascadeSizeTests {
    private let store: Store
    private static var count: Int {
        ProcessInfo.processInfo.environment["TROVE_CASCADE_ENTITIES"].flatMap(Int.init) ?? 20_000
    }

    init() throws { store = try Store.temporary(records: [Bead.self, Visitor.self]) }

    /// Stores an entity for each number.
    private func fill<Entity: EntityModelProtocol>(_ entity: (Int) -> Entity) throws {
        for start in stride(from: 0, to: Self.count, by: 50_000) {
            try store.write { context in
                for id in start..<min(start + 50_000, Self.count) { try entity(id).save(to: context) }
            }
        }
    }

    /// Returns the number of links of all relations.
    private func linkCount() throws -> Int {
        try store.read { try $0.storedTypes().filter { $0.links != nil }.reduce(0) { $0 + $1.count } }
    }

    @Test func aChain_isDeletedFromItsBeginning() throws {
        let last = Self.count - 1
        try fill { Bead(id: $0, next: $0 < last ? .id($0 + 1) : .none) }
        try Bead(id: -2, next: .relation(Bead(id: -1))).save(to: store)
        try Bead(id: Self.count / 2).delete(from: store)
        #expect(try Bead.query().count(in: store) == Self.count / 2 + 2)
        try Bead(id: 0).delete(from: store)
        #expect(try Bead.query().keys(in: store) == [-2, -1])
        #expect(try linkCount() == 1)
        try store.expectIntactLinks()
    }

    @Test func aRing_isDeletedFromAnywhere() throws {
        try fill { Bead(id: $0, next: .id(($0 + 1) % Self.count)) }
        #expect(try linkCount() == Self.count)
        try Bead(id: Self.count / 3).delete(from: store)
        #expect(try Bead.query().count(in: store) == 0)
        #expect(try linkCount() == 0)
        try store.expectIntactLinks()
    }

    @Test func aFan_isDeletedWithWhatItsEntitiesTakeAlong() throws {
        try Gallery(id: 1).save(to: store)
        try fill { Picture(id: $0, gallery: .id(1), frame: .relation(PictureFrame(id: $0))) }
        try Picture(id: -1, frame: .relation(PictureFrame(id: -1))).save(to: store)
        try Gallery(id: 1).delete(from: store)
        #expect(try Picture.query().keys(in: store) == [-1])
        #expect(try PictureFrame.query().keys(in: store) == [-1])
        #expect(try linkCount() == 1)
        try store.expectIntactLinks()
    }

    @Test func linksThatLeadToAnEntity_goWithIt() throws {
        try Gallery(id: 1).save(to: store)
        try fill { Visitor(id: $0, goesTo: .id($0 == 7 ? 2 : 1)) }
        try Gallery(id: 1).delete(from: store)
        #expect(try Visitor.query().count(in: store) == Self.count)
        #expect(try Visitor.ids("goesTo", of: 7, in: store) == [2])
        #expect(try linkCount() == 1)
        try store.expectIntactLinks()
    }
}
