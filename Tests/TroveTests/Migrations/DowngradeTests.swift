// The protection of records from older programs, and of types from each other.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Older programs, other types") struct DowngradeTests {
    private let a = [1, 2].map { Guarded.A(id: $0, name: "n\($0)", size: $0) }
    private let b = [1, 2].map { Guarded.B(id: $0, name: "n\($0)", size: $0, note: "kept") }

    private func newer(_ path: String, _ declared: any IndexKeyRecord.Type, stored: RecordSchema) -> StoreError {
        .schema(
            .schemaNewer(
                path: path, type: declared.schema.name, stored: stored.layout, declared: declared.schema.layout))
    }

    /// Returns a store filled by program A, then migrated and written to by program B.
    private func newerFile() throws -> MigratedFile {
        let file = try MigratedFile(of: a)
        try file.migrate(Guarded.B.self)
        try file.write(b)
        return file
    }

    // MARK: A layout that was once the newest

    @Test func anOlderProgram_isRefusedAtOpening_withBothLayouts() throws {
        let file = try newerFile()
        let before = try file.bytes()
        let expected = newer(file.path, Guarded.A.self, stored: Guarded.B.schema)
        for policy in [MigrationPolicy.onOpen, .background, .lazily, .refuse] {
            #expect(storeError { try file.migrate(Guarded.A.self, migrations: policy) } == expected)
        }
        #expect(storeError { try file.open(Guarded.A.self, isReadOnly: true) } == expected)
        #expect(expected.description.contains(Guarded.A.schema.layout))
        #expect(expected.description.contains(Guarded.B.schema.layout))
        #expect(try file.bytes() == before)
    }

    /// The refusal holds even when no record has the newer layout, because the next written record would have it.
    @Test func anOlderProgram_isRefused_whereThereAreNoRecords() throws {
        let file = try newerFile()
        _ = try Guarded.B.query().delete(in: file.open())
        let expected = newer(file.path, Guarded.A.self, stored: Guarded.B.schema)
        #expect(storeError { try file.migrate(Guarded.A.self) } == expected)
        #expect(storeError { try file.write(a) } == expected)
    }

    @Test func anOlderProgram_thatDeclaresNothing_readsByTheRules_andWritesNothing() throws {
        let file = try newerFile()
        let before = try file.bytes()
        let expected = newer(file.path, Guarded.A.self, stored: Guarded.B.schema)
        #expect(try file.read(Guarded.A.self) == a)
        do {
            let store = try file.open()
            #expect(try store.get(Guarded.A.self, key: 2) == a[1])
            try store.write { (context) throws in
                #expect(storeError { try context.insert(a[0]) } == expected)
                #expect(storeError { try context.insert(contentsOf: a) } == expected)
                #expect(storeError { try context.delete(Guarded.A.self, key: 1) } == expected)
                #expect(storeError { try Guarded.A.query().delete(in: context) } == expected)
                #expect(storeError { try Guarded.A.query(id: .greaterThan(1)).delete(in: context) } == expected)
                #expect(storeError { try Guarded.A.query().limit(1).delete(in: context) } == expected)
                // The transaction remains usable.
                #expect(try Guarded.A.query().resolve(in: context) == a)
            }
        }
        #expect(try file.bytes() == before)
    }

    @Test(arguments: [Guarded.C.self, Guarded.E.self] as [any IndexKeyRecord.Type])
    func whatTheRulesDoNotRead_isNewer(_ type: any IndexKeyRecord.Type) throws {
        let file = try MigratedFile(of: a)
        try file.migrate(type)
        let store = try file.open()
        let expected = newer(file.path, Guarded.A.self, stored: type.schema)
        #expect(storeError { try Guarded.A.query().resolve(in: store) } == expected)
        #expect(storeError { try store.get(Guarded.A.self, key: 1) } == expected)
        #expect(storeError { try store.insert(a[0]) } == expected)
        // Operations without fields work.
        #expect(try Guarded.A.query().keys(in: store) == [1, 2])
    }

    @Test func recordsUnderAnotherKey_areNewer() throws {
        let file = try MigratedFile(of: a)
        try file.migrate(Guarded.D.self)
        let store = try file.open()
        let expected = newer(file.path, Guarded.A.self, stored: Guarded.D.schema)
        #expect(storeError { try Guarded.A.query().resolve(in: store) } == expected)
        #expect(storeError { try store.get(Guarded.A.self, key: 1) } == expected)
        #expect(storeError { try store.insert(a[0]) } == expected)
        #expect(storeError { try store.delete(Guarded.A.self, key: 1) } == expected)
        #expect(storeError { try file.open(Guarded.A.self) } == expected)
    }

    // MARK: Going back

    @Test func withPermission_theOldLayoutBecomesTheNewest_andThePlanNamesTheLosses() throws {
        let file = try newerFile()
        let plan = try file.open().migrationPlan(for: [Guarded.A.self])
        #expect(
            plan.description == """
                TroveTests.Guarded.A: 2 records
                  a newer program has changed the layout; the older layout is restored
                  2 of version \(Guarded.B.fieldsVersion):
                    note is removed: 2 records have a value
                """)
        #expect(plan.types.map(\.isDowngrade) == [true])
        try file.migrate(Guarded.A.self, migrations: .allowOlderLayout)
        #expect(try file.read(Guarded.A.self) == a)
        #expect(try file.stored(Guarded.A.keyPrefix) == MigratedFile(of: a).stored(Guarded.A.keyPrefix))
        #expect(try file.type(Guarded.A.keyPrefix).versions == [Guarded.B.fieldsVersion, Guarded.A.fieldsVersion])
        // Now the other program is the older program.
        let expected = newer(file.path, Guarded.B.self, stored: Guarded.A.schema)
        #expect(storeError { try file.migrate(Guarded.B.self) } == expected)
        #expect(storeError { try file.write(b) } == expected)
        try file.migrate(Guarded.A.self)
        try file.write(a)
    }

    @Test func layouts_canGoBackAndForth() throws {
        let file = try newerFile()
        for _ in 0..<3 {
            try file.migrate(Guarded.A.self, migrations: .allowOlderLayout)
            #expect(try file.read(Guarded.A.self) == a)
            #expect(try file.type(Guarded.A.keyPrefix).isMigrated)
            try file.migrate(Guarded.B.self, migrations: .allowOlderLayout)
            #expect(try file.read(Guarded.B.self).map(\.note) == [nil, nil])
            try file.write(b)
        }
        try file.migrate(Guarded.D.self, migrations: .allowOlderLayout)
        try file.migrate(Guarded.B.self, migrations: .allowOlderLayout)
        #expect(try file.read(Guarded.B.self) == b)
        #expect(try file.damage() == [])
    }

    @Test func withPermission_eachWriteTakesTheOldLayoutUp_andTheRestIsReadRight() throws {
        let file = try newerFile()
        let store = try file.open(Guarded.A.self, migrations: .lazily.allowingOlderLayout)
        #expect(try file.type(Guarded.A.keyPrefix).versions.last == Guarded.B.fieldsVersion)
        try store.insert(a[1])
        let (old, new) = (Guarded.A.fieldsVersion, Guarded.B.fieldsVersion)
        #expect(try store.storedRecords(Guarded.A.keyPrefix).map(\.fieldsVersion) == [new, old])
        #expect(try store.storedType(Guarded.A.keyPrefix).possibleVersions == [new, old])
        #expect(try Guarded.A.query().resolve(in: store) == a)
        try store.finishMigrations()
        #expect(try store.storedRecords(Guarded.A.keyPrefix).map(\.fieldsVersion) == [old, old])
    }

    /// The error that the layout is newer would not help a program that allows the older layout.
    @Test func anImpossibleReturn_isReportedWithItsReason() throws {
        let file = try MigratedFile(of: a)
        try file.migrate(Guarded.C.self)
        let before = try file.bytes()
        let expected = StoreError.schema(
            .noConversion(
                type: "Guarded.A", version: Guarded.C.fieldsVersion,
                reason: ConversionError(field: "name", reason: .noDefault)))
        #expect(storeError { try file.migrate(Guarded.A.self, migrations: .allowOlderLayout) } == expected)
        let plan = try file.open().migrationPlan(for: [Guarded.A.self])
        #expect(plan.types[0].versions[0].method == .impossible("\(expected)"))
        #expect(try file.bytes() == before)
    }

    // MARK: Two types

    @Test func twoDeclaredTypes_ofOnePrefix_areRefused() throws {
        let file = try MigratedFile()
        let free = Guarded.A.keyPrefix + 1
        #expect(
            storeError { try file.migrate(Guarded.A.self, Guarded.B.self) }
                == .schema(
                    .prefixTaken(
                        path: file.path, prefix: Guarded.A.keyPrefix, type: "TroveTests.Guarded.B",
                        by: "TroveTests.Guarded.A", free: free, isDeclared: true)))
        guard case .schema(.prefixTaken)? = storeError({ try file.migrate(Fejar.self, Gistun.self) }) else {
            Issue.record("two types share an automatic prefix")
            return
        }
        // The same type may be declared twice.
        try file.migrate(Fejar.self, Fejar.self)
    }

    @Test func aDeclaredType_whoseAutomaticPrefixIsAnothers_isRefused() throws {
        let file = try MigratedFile(of: [Fejar(id: 1, text: "mine")])
        let before = try file.bytes()
        for policy in [MigrationPolicy.onOpen, .lazily, .allowOlderLayout] {
            guard
                case .schema(
                    .prefixTaken(
                        _, Fejar.keyPrefix, "TroveTests.Gistun", by: "TroveTests.Fejar", _, isDeclared: false,
                        isEntity: false))? =
                    storeError({ try file.migrate(Gistun.self, migrations: policy) })
            else {
                Issue.record("the type was taken for the other type")
                continue
            }
        }
        guard case .schema(.prefixTaken)? = storeError({ try file.open().migrationPlan(for: [Gistun.self]) }) else {
            Issue.record("the migration was planned for the other type")
            return
        }
        #expect(try file.bytes() == before)
    }

    /// Otherwise the rightful type could not be used until the last reference to the store is released.
    @Test func aTypeThatIsRefused_claimsNothing() throws {
        let file = try MigratedFile(of: [Fejar(id: 1, text: "mine")])
        let store = try file.open()
        for _ in 0..<2 {
            guard case .schema(.prefixTaken)? = storeError({ try file.open(Gistun.self) }) else {
                Issue.record("the type was taken for the other type")
                return
            }
            guard case .schema(.prefixTaken)? = storeError({ try Gistun.query().count(in: store) }) else {
                Issue.record("the type was taken for the other type")
                return
            }
        }
        try store.insert(Fejar(id: 2, text: "mine too"))
        #expect(try Fejar.query().count(in: file.open(Fejar.self)) == 2)
    }

    @Test func aTypeRenamedUnderItsPrefix_hasNothingToMigrate() throws {
        let file = try MigratedFile(of: [Claimed.Former(id: 1, name: "a")])
        let before = try file.bytes()
        try file.migrate(Claimed.Present.self)
        #expect(try file.bytes() == before)
        try file.write([Claimed.Present(id: 2, name: "b")])
        #expect(try file.type(Claimed.Present.keyPrefix).name == "TroveTests.Claimed.Present")
        #expect(try file.read(Claimed.Former.self).map(\.name) == ["a", "b"])
        let steps = MigrationSteps()
        _ = try file.open(Claimed.PresentAndChanged.self, progress: steps.take)
        #expect(steps.all.map(\.type) == ["TroveTests.Claimed.PresentAndChanged"])
        #expect(try file.type(Claimed.Present.keyPrefix).name == "TroveTests.Claimed.PresentAndChanged")
        #expect(try file.read(Claimed.PresentAndChanged.self).map(\.size) == [2, 2])
    }

    @Test func aVersionByHand_withAnotherLayout_isRefusedAtOpening() throws {
        let file = try MigratedFile(of: [Numbered1(code: "A", year: 1)])
        let before = try file.bytes()
        let expected = StoreError.schema(
            .layoutChanged(
                path: file.path, type: "Numbered2", version: 7, stored: Numbered1.schema.layout,
                declared: Numbered2.schema.layout))
        #expect(storeError { try file.migrate(Numbered2.self) } == expected)
        #expect(storeError { try file.open().migrationPlan(for: [Numbered2.self]) } == expected)
        #expect(try file.bytes() == before)
    }
}
