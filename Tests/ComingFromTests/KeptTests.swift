// Times of saves, and deleted entities.

import Foundation
import Testing
import Trove
import TroveSpellings

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

    @Test func queries_filterAndSortByTheTimes() throws {
        let store = try Store.temporary(records: [Waypoint.self])
        let names = ["Hut", "Pass", "Lake"]
        for (id, name) in names.enumerated() { try Waypoint(id: "\(id)", name: name).save(to: store) }
        let start = try #require(try Waypoint.updatedAt(of: "2", in: store))
        try Waypoint(id: "0", name: "Old hut", next: .relation(Waypoint(id: "1", name: "Pass"))).save(to: store)
        let range = start...Date()
        try store.read { context in
            let recent = try Waypoint.filter(.updated(within: range), in: context).sorted(by: .updatedAt).resolve()
            #expect(recent.map(\.id) == ["2", "1", "0"])
            let latest = try Waypoint.query(in: context).sorted(by: .updatedAt.desc).limit(2, offset: 1).resolve()
            #expect(latest.map(\.id) == ["1", "2"])
            #expect(try Waypoint.query("0", in: context).filter(.updated(within: range)).resolve()?.name == "Old hut")
            let past = Date.distantPast...start.addingTimeInterval(-1)
            #expect(try Waypoint.query("0", in: context).filter(.updated(within: past)).resolve() == nil)
        }
    }

    @Test func bulkQueries_takeTheTimes() throws {
        var context = Context()
        try Waypoint(id: "1", name: "Hut", next: .relation(Waypoint(id: "2", name: "Pass"))).save(to: &context)
        let all = Date.distantPast...Date()
        let hut = try #require(
            try Waypoint.query("1", in: context).with(.schemaEntities(filter: .updated(within: all)), .ids).resolve())
        #expect(hut.next?.name == "Pass" && hut.next?.$previous.id == "1" && hut.$previous.isNone)
        let past = Date.distantPast...Date(timeIntervalSince1970: 0)
        let old = try #require(
            try Waypoint.queryAll(with: .entities(filter: .updated(within: past)), in: context).resolve().first)
        #expect(old.$next.isNone)
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
