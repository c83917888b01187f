// Migrations by the type's own code, run when a store opens.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Migrations by the type's own code") struct CustomMigrationTests {
    private func wrongFile() throws -> MigratedFile {
        try MigratedFile(of: (0..<6).map { Wrong.Old(id: $0, text: String(repeating: "x", count: $0)) })
    }

    /// Expects the refusal of a type, regardless of the migration method, and an unchanged file.
    private func expect(
        _ type: any IndexKeyRecord.Type, toFailWith error: StoreError, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = try wrongFile()
        let before = try file.bytes()
        #expect(storeError { try file.migrate(type) } == error, sourceLocation: sourceLocation)
        #expect(try file.bytes() == before, sourceLocation: sourceLocation)
    }

    private func key(_ id: Int, of type: String) -> StoredKey { StoredKey(KeyWriter.bytes(of: id), of: type) }

    @Test func eachStepBetweenVersions_isWrittenOnce() throws {
        let file = try MigratedFile(of: [1, 2].map { Employee.One(id: $0, name: "Ada Lovelace") })
        try file.write([Employee.Two(id: 2, first: "Alan", last: "Turing")])
        try file.write([Employee.Two(id: 3, first: "Grace", last: "Hopper")])
        let expected = [
            Employee.Three(id: 1, first: "Ada", last: "Lovelace", initials: "AL"),
            Employee.Three(id: 2, first: "Alan", last: "Turing", initials: "AT"),
            Employee.Three(id: 3, first: "Grace", last: "Hopper", initials: "GH"),
        ]
        #expect(try file.stored(Employee.One.keyPrefix).map(\.fieldsVersion) == [1, 2, 2])
        #expect(try file.read(Employee.Three.self) == expected)
        try file.migrate(Employee.Three.self)
        #expect(try file.stored(Employee.One.keyPrefix) == MigratedFile(of: expected).stored(Employee.One.keyPrefix))
        #expect(try file.type(Employee.One.keyPrefix).versions == [1, 2, 3])
        #expect(try file.type(Employee.One.keyPrefix).isMigrated)
    }

    /// The automatic rules convert the versions left to them by the type.
    @Test func aVersionInBetween_isMigratedToo() throws {
        let file = try MigratedFile(of: [Employee.Three(id: 1, first: "Ada", last: "Lovelace", initials: "AL")])
        try file.write([Employee.Two(id: 2, first: "a", last: "b")], migrations: .allowOlderLayout)
        #expect(try file.type(Employee.One.keyPrefix).versions == [3, 2])
        try file.migrate(Employee.Three.self, migrations: .allowOlderLayout)
        #expect(try file.read(Employee.Three.self).map(\.initials) == ["AL", "ab"])
    }

    @Test func anErrorOfItsOwn_inTheMiddle_isThrown_andNothingIsChanged() throws {
        let file = try wrongFile()
        let before = try file.bytes()
        #expect(throws: Wrong.Refusal(id: 3)) { try file.migrate(Wrong.Picky.self) }
        #expect(try file.bytes() == before)
        let plan = try file.open().migrationPlan(for: [Wrong.Picky.self], validating: true)
        #expect(!plan.isPossible)
        #expect("\(plan)".contains("Refusal(id: 3)"))
        #expect(try file.bytes() == before)
    }

    @Test func aFieldThatIsNotThere_isNamed_withTheRecord() throws {
        let reason = ConversionError(field: "size", reason: .missing)
        let error = StoreError.schema(
            .unconvertible(
                type: "Wrong.Asking", version: Wrong.Old.fieldsVersion, key: key(0, of: "Wrong.Asking"),
                reason: reason))
        try expect(Wrong.Asking.self, toFailWith: error)
    }

    @Test func anotherKey_isRefused() throws {
        let reason = ConversionError(field: "id", reason: .otherKey)
        let error = StoreError.schema(
            .unconvertible(
                type: "Wrong.Wandering", version: Wrong.Old.fieldsVersion, key: key(3, of: "Wrong.Wandering"),
                reason: reason))
        try expect(Wrong.Wandering.self, toFailWith: error)
        #expect(storeError { try wrongFile().read(Wrong.Wandering.self) } == error)
    }

    @Test func aVersionThatNothingHandles_isRefused() throws {
        let error = StoreError.schema(.unsupportedMigration(type: "Wrong.Wavering", version: Wrong.Old.fieldsVersion))
        try expect(Wrong.Wavering.self, toFailWith: error)
    }

    @Test func bytesThatAreNotWhatTheTypeReads_areAnErrorOfTheStore() throws {
        let file = try wrongFile()
        let before = try file.bytes()
        guard
            case .record(.corrupted("Wrong.Misreading", key(0, of: "Wrong.Misreading"), _))? = storeError({
                try file.migrate(Wrong.Misreading.self)
            })
        else {
            Issue.record("not an error of the store")
            return
        }
        #expect(try file.bytes() == before)
        let plan = try file.open().migrationPlan(for: [Wrong.Misreading.self])
        #expect(!plan.isPossible)
    }

    @Test func aRecordThatCannotBeWritten_isRefused_andNothingIsChanged() throws {
        let file = try wrongFile()
        let before = try file.bytes()
        guard
            case .schema(.unconvertible("Wrong.Unwritable", _, key(3, of: "Wrong.Unwritable"), _))? = storeError({
                try file.migrate(Wrong.Unwritable.self)
            })
        else {
            Issue.record("the record was written")
            return
        }
        #expect(try file.bytes() == before)
    }

    @Test func aLayoutThatOnlyItsTypeReads_isRefused_unlessItReadsIt() throws {
        let file = try MigratedFile(of: [SealedProgram.Box(id: 1, content: Sealed(value: 1))])
        let before = try file.bytes()
        let reason = ConversionError(field: "content", reason: .unknownLayout("Sealed"))
        #expect(
            storeError { try file.migrate(UnsealedProgram.Box.self) }
                == .schema(
                    .noConversion(
                        type: "UnsealedProgram.Box", version: SealedProgram.Box.fieldsVersion, reason: reason)))
        #expect(try file.bytes() == before)
    }

    /// The three methods, each for a version of its own, in the same table.
    @Test func severalWays_inOneTable() throws {
        let file = try MigratedFile(of: [1, 4].map { Ways.One(id: $0) })
        try file.write([2, 5].map { Ways.Two(id: $0, name: "two") })
        try file.write([3, 6].map { Ways.Three(id: $0, name: "three", size: -1) })
        let names = ["initializer", "function", "three", "initializer", "function", "three"]
        let expected = zip(1...6, zip(names, [7, 7, -1, 7, 7, -1])).map { Ways.Four(id: $0, name: $1.0, size: $1.1) }
        #expect(try file.read(Ways.Four.self) == expected)
        try file.migrate(Ways.Four.self)
        #expect(try file.stored(Ways.Four.keyPrefix) == MigratedFile(of: expected).stored(Ways.Four.keyPrefix))
    }
}
