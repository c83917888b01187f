// The text and counts of a migration plan. Planning does not change the store.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Migration plans") struct PlanTests {
    /// Expects the text of the plan for a type, and an unchanged store.
    private func expect(
        _ text: String, for types: any IndexKeyRecord.Type..., in file: MigratedFile, validating: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try file.bytes()
        let plan = try file.open(isReadOnly: true).migrationPlan(for: types, validating: validating)
        #expect(plan.description == text, sourceLocation: sourceLocation)
        #expect(try file.bytes() == before, sourceLocation: sourceLocation)
    }

    @Test func nothingToDo() throws {
        let file = try MigratedFile(of: Bulky.new(3))
        try expect("Nothing to migrate.", for: Bulky.New.self, Moved.New.self, in: file)
        #expect(try file.open().migrationPlan(for: []).isEmpty)
        let plan = try file.open().migrationPlan(for: [Bulky.New.self])
        #expect(plan.isEmpty && plan.isPossible && plan.types == [])
    }

    @Test func eachKindOfChange_isALine() throws {
        try expect(
            """
            TroveTests.AddedFields.New: 2 records
              2 of version \(AddedFields.Old.fieldsVersion):
                first is new: nil in old records
                nickname is new: nil in old records
                score is new: its default in old records
                tags is new: its default in old records
            """, for: AddedFields.New.self,
            in: MigratedFile(of: [1, 2].map { AddedFields.Old(id: $0, name: "a") }))
        try expect(
            """
            TroveTests.RenamedFields.New: 1 record
              1 of version \(RenamedFields.Old.fieldsVersion):
                fullName was named name
                length was named size
                length was Int8, is Int64?
                depth was named width
            """, for: RenamedFields.New.self,
            in: MigratedFile(of: [RenamedFields.Old(id: 1, name: "a", size: 1, width: 1, height: 1)]))
        try expect(
            """
            TroveTests.RemovedFields.New: 1 record
              1 of version \(RemovedFields.Old.fieldsVersion):
                first is removed: 1 record has a value
                middle is removed: 1 record has a value
                last is removed: 1 record has a value
            """, for: RemovedFields.New.self,
            in: MigratedFile(of: [RemovedFields.Old(id: 1, first: "", name: "", middle: [], size: 1, last: Data())]))
        try expect(
            """
            TroveTests.Narrowed.New: 1 record
              1 of version \(Narrowed.Old.fieldsVersion), each validated before any is rewritten:
                size was Int64, is Int8, where each value can be converted
            """, for: Narrowed.New.self, in: MigratedFile(of: [Narrowed.Old(id: 1, size: 1)]))
    }

    @Test func fieldsInAnotherOrder() throws {
        let file = try MigratedFile(of: [Plane1(code: "a", seats: 1, year: 2)])
        try expect(
            """
            TroveTests.PlaneReordered: 1 record
              1 of version \(Plane1.fieldsVersion): only the version or the order of the fields differs
            """, for: PlaneReordered.self, in: file)
    }

    @Test func migrationsByHand_andVersions_areCounted() throws {
        let file = try MigratedFile(of: (1...4).map { Ways.One(id: $0) })
        try file.write([3, 4, 5].map { Ways.Two(id: $0, name: "") })
        try file.write([5, 6].map { Ways.Three(id: $0, name: "", size: 1) })
        try file.write([7].map { Ways.Four(id: $0, name: "", size: 1) })
        try expect(
            """
            TroveTests.Ways.Four: 7 records
              2 of version 1: by the type's own migration
              2 of version 2: by the type's own migration
              2 of version 3:
                size was Int8, is Int64
            """, for: Ways.Four.self, in: file)
    }

    @Test func newKeys() throws {
        let file = try MigratedFile(of: Seat.all)
        try expect(
            """
            TroveTests.Seat.ByGuest: 4 records
              the key was (row:Int32,place:String), is (guest:String,row:Int32,place:String)
              4 of version \(Seat.Old.fieldsVersion), each validated before any is rewritten:
                guest, in the key, was a field
            """, for: Seat.ByGuest.self, in: file)
    }

    @Test func whatIsNotPossible_saysWhy() throws {
        let file = try MigratedFile(of: [Hopeless.Old(id: 1, name: "a", point: .init(x: 1))])
        let version = Hopeless.Old.fieldsVersion
        try expect(
            """
            TroveTests.Hopeless.WithoutDefault: 1 record
              1 of version \(version) cannot be migrated:
                A stored Hopeless.WithoutDefault has version \(version), which the automatic rules do \
            not convert: size is new, cannot be nil and has no default. Give it a default, make it optional, \
            mark it as @Renamed, or implement migrate(_:from:).
            """, for: Hopeless.WithoutDefault.self, in: file)
        let plan = try file.open().migrationPlan(for: [Hopeless.WithoutDefault.self])
        #expect(!plan.isPossible && !plan.isEmpty)
    }

    @Test func validating_findsTheFirstRecordThatDoesNotConvert() throws {
        let file = try MigratedFile(of: [1, 300, 400].enumerated().map { Narrowed.Old(id: $0, size: $1) })
        let possible = try file.open().migrationPlan(for: [Narrowed.New.self])
        #expect(possible.isPossible)
        let version = Narrowed.Old.fieldsVersion
        try expect(
            """
            TroveTests.Narrowed.New: 3 records
              3 of version \(version) cannot be migrated:
                The stored Narrowed.New with the key id: 1 has version \(version), and cannot be \
            converted: size: 300 cannot be converted to Int8. Implement migrate(_:from:) to convert it.
            """, for: Narrowed.New.self, in: file, validating: true)
        // The plan examines each of several types.
        try file.write(Seat.all)
        try file.write([Seat.Old(row: 5, place: "a", guest: "", price: 0)])
        let plan = try file.open().migrationPlan(for: [Narrowed.New.self, Seat.NoRow.self], validating: true)
        #expect(plan.types.map { $0.versions.map(\.records) } == [[3], [5]])
        for type in plan.types {
            guard case .impossible = type.versions[0].method else {
                Issue.record("\(type)")
                continue
            }
        }
        #expect("\(plan)".contains("would have the same key"))
    }

    @Test func ofAStoreThatIsHalfMigrated_theRest() throws {
        let file = try MigratedFile(of: Bulky.old(5))
        try file.write([Bulky.new(5)[2]])
        try expect(
            """
            TroveTests.Bulky.New: 5 records
              4 of version \(Bulky.Old.fieldsVersion):
                size was Int8, is Int64
                note is new: nil in old records
            """, for: Bulky.New.self, in: file)
    }

    @Test func severalTypes_inTheirOrder() throws {
        let file = try MigratedFile(of: Bulky.old(1))
        try file.write([Moved.Old(id: 1, name: "")])
        let plan = try file.open().migrationPlan(for: [Moved.New.self, Fejar.self, Bulky.New.self])
        #expect(plan.types.map(\.name) == ["TroveTests.Moved.New", "TroveTests.Bulky.New"])
        #expect(plan.types.map(\.records) == [1, 1])
        #expect(plan.types.map { $0.keyLayouts?.stored } == ["(id:Int64)", nil])
    }
}

@IndexKeyRecord(keyPrefix: 4_000_001, "code")
private struct PlaneReordered: Hashable {
    let code: String
    var year: Int
    var seats: Int
}
