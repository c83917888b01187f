// Times of saves, and deleted entities.

import Foundation
import Testing
import Trove

@EntityModel(keepsMetadata: true, keepsDeleted: true)
private struct Waypoint: Equatable {
    let id: String
    var name: String
    @Relationship(inverse: \.previous) var next: Waypoint?
    @Relationship(inverse: \.next) var previous: Waypoint?
}

@Suite("Times and deleted entities") struct KeptTests {
    @Test func updatedAt_isTheTimeOfTheLastSave() throws {
        var context = Context()
        let waypoint = Waypoint(id: "1", name: "Hut", next: .relation(Waypoint(id: "2", name: "Pass")))
        #expect(try waypoint.updatedAt(in: context) == nil)
        try waypoint.save(to: &context)
        let first = try #require(try waypoint.updatedAt(in: context))
        try Waypoint(id: "2", name: "Col").save(to: &context)
        #expect(try waypoint.updatedAt(in: context) == first)
        #expect(try #require(try waypoint.updatedAt(in: context, withNested: true)) > first)
    }

    @Test func aDeletedEntity_isFoundAndRestored() throws {
        var context = Context()
        try Waypoint(id: "1", name: "Hut", next: .relation(Waypoint(id: "2", name: "Pass"))).save(to: &context)
        try Waypoint.delete(id: "1", from: &context)
        #expect(try Waypoint.query("1", in: context).resolve() == nil)
        let deleted = try #require(try Deleted<Waypoint>.query("1", in: context).resolve())
        #expect(deleted.entity == Waypoint(id: "1", name: "Hut", next: .id("2")))
        try deleted.restore(in: &context)
        #expect(try Waypoint.query("1", in: context).resolve()?.name == "Hut")
        #expect(try Deleted<Waypoint>.query("1", in: context).resolve() == nil)
    }

    @Test func savingADeletedEntity_deletesTheEntity() throws {
        var context = Context()
        let waypoint = Waypoint(id: "1", name: "Hut")
        try waypoint.save(to: &context)
        try Deleted(waypoint).save(to: &context)
        #expect(try Waypoint.query("1", in: context).resolve() == nil)
        #expect(try Deleted<Waypoint>.filter(\.deletedAt < .distantFuture).delete(in: &context) == 1)
    }
}
