// Rebuilding indexes, and dropping indexes declared only by another program.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Rebuilding and dropping indexes") struct RebuildTests {
    private let prefix = Crew.prefix

    private func filled<Record: IndexKeyRecord>(_ type: Record.Type) throws -> MigratedFile {
        let file = try MigratedFile(of: Crew.short(0..<200))
        try file.migrate(type)
        return file
    }

    // MARK: Rebuilding

    @Test func anIndex_isRebuilt_andTheOthersStay() throws {
        let file = try filled(Crew.Indexed.self)
        let store = try file.open()
        let steps = MigrationSteps()
        let indexes = try store.indexes(prefix)
        for index in indexes { try store.put(RawEntry(key: [0xFF], value: []), into: index) }
        try store.rebuild(Crew.Indexed.self, index: "index(name,age desc)", progress: steps.take)
        #expect(try store.check(Crew.Indexed.self).map(\.index) == [0, 2, 3].map { indexes[$0].name })
        #expect(steps.all.map(\.done) == [200])
        try store.rebuild(Crew.Indexed.self)
        #expect(try store.check(Crew.Indexed.self) == [])
    }

    @Test func allIndexes_areThoseOfTheDeclaredTypes() throws {
        let file = try filled(Crew.Indexed.self)
        let store = try Store(path: file.path, records: [IndexedUser.self, Crew.Indexed.self])
        try store.insert(IndexedUser(id: 1, name: "a", age: 3, email: nil))
        for prefix in [prefix, IndexedUser.keyPrefix] {
            for index in try store.indexes(prefix) {
                try store.put(RawEntry(key: [0xFF], value: []), into: index)
            }
        }
        #expect(Set(try store.check().map(\.type)) == ["IndexedUser", "Crew.Indexed"])
        #expect(try store.check().count == 7)
        try store.rebuild()
        #expect(try store.check() == [])
    }

    @Test func anIndexThatTheTypeDoesNotHave_isRefused() throws {
        let file = try filled(Crew.ByAge.self)
        let store = try file.open()
        let expected = StoreError.schema(
            .noSuchIndex(type: "Crew.ByAge", index: "index(size)", indexes: ["index(age)"]))
        #expect(storeError { try store.rebuild(Crew.ByAge.self, index: "index(size)") } == expected)
        #expect(expected.description == "Crew.ByAge does not declare index(size). Its indexes are: index(age).")
    }

    @Test func aTypeThatIsNotStored_hasNothingToRebuild() throws {
        let file = try MigratedFile()
        let store = try file.open(Crew.Indexed.self)
        let before = try store.commitSequence
        try store.rebuild()
        try store.rebuild(Crew.Indexed.self, index: "index(age)")
        #expect(try store.check() == [])
        #expect(try store.commitSequence == before)
    }

    @Test func aRebuildThatWasInterrupted_goesOnAtTheNextOpening() throws {
        let file = try filled(Crew.ByAge.self)
        do {
            let store = try file.open()
            try store.write { context in
                var stored = try #require(try context.catalogStorage().type(prefix))
                try context.empty(1, of: &stored, prefix)
                try context.set(stored, prefix)
            }
            #expect(try store.storedIndex(prefix, "index(age)").count == 0)
        }
        let store = try file.open(Crew.ByAge.self)
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.storedIndex(prefix, "index(age)").count == 200)
        #expect(try store.check() == [])
    }

    // MARK: Dropping

    private func undeclared(_ path: String, _ indexes: [String]) -> StoreError {
        let layout = Crew.ByAge.schema.layout
        return .schema(
            .schemaNewer(path: path, type: "Crew.ByAge", stored: layout, declared: layout, undeclaredIndexes: indexes))
    }

    @Test func undeclaredIndexes_preventWrites_untilTheyAreDropped() throws {
        let file = try filled(Crew.Indexed.self)
        let others = ["index(age where { $0.age >= 50 })", "index(name,age desc)", "unique(email)"]
        let error = undeclared(file.path, others)
        #expect(error.description.contains("unique(email)") && error.description.contains("dropUndeclaredIndexes()"))
        do {
            let store = try file.open(Crew.ByAge.self)
            let record = Crew.ByAge(id: 3, name: "other", age: 7, email: nil)
            #expect(storeError { try store.insert(record) } == error)
            #expect(storeError { try store.delete(Crew.ByAge.self, key: 3) } == error)
            #expect(storeError { try store.rebuild(Crew.ByAge.self) } == error)
            #expect(try store.get(Crew.ByAge.self, key: 3)?.name == Crew.short(3..<4)[0].name)
            #expect(try store.check() == [])
            #expect(
                try store.dropUndeclaredIndexes() == [
                    "Crew.ByAge, index(name,age desc)", "Crew.ByAge, index(age where { $0.age >= 50 })",
                    "Crew.ByAge, unique(email)",
                ])
            #expect(try store.dropUndeclaredIndexes() == [])
            #expect(try store.indexes(prefix).map(\.name) == ["index(age)"])
            try store.insert(record)
            #expect(try store.get(Crew.ByAge.self, key: 3) == record)
            #expect(try store.check() == [])
            #expect(try Store.verify(path: file.path).isSound)
        }
        // The newer program builds the indexes again.
        let newer = try file.open(Crew.Indexed.self)
        #expect(try newer.unreadyIndexes(prefix) == [])
        #expect(try newer.indexes(prefix).count == 4)
        #expect(try newer.check() == [])
    }

    @Test func pagesOfDroppedIndexes_areFree() throws {
        let file = try filled(Crew.Indexed.self)
        func pages() throws -> Int { Int(try Store.verify(path: file.path).file.usedPages) }
        let before = try pages()
        let size = try file.open().indexes(prefix).dropFirst().reduce(0) { $0 + $1.size }
        try file.open(Crew.ByAge.self).dropUndeclaredIndexes()
        // Some pages hold the freelist.
        #expect(try pages() <= before - size / 4096 + 2)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily])
    func withAnotherLayout_theStoreOpens_andMigratesWhenTheyAreDropped(_ policy: MigrationPolicy) throws {
        let file = try filled(Crew.Indexed.self)
        let store = try file.open(Crew.Relaid.self, migrations: policy)
        #expect(try store.get(Crew.Relaid.self, key: 4)?.age == Double(Crew.plain(4..<5)[0].age))
        guard case .schema(.schemaNewer)? = storeError({ try store.finishMigrations() }) else {
            Issue.record("the records were migrated")
            return
        }
        #expect(try store.dropUndeclaredIndexes().count == 3)
        try store.finishMigrations()
        #expect(try store.storedType(prefix).isMigrated)
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.check() == [])
        #expect(try store.indexes(prefix).map(\.name) == ["index(age)"])
    }

    @Test func withAnotherKey_itIsTheSame() throws {
        let file = try filled(Crew.Indexed.self)
        let store = try file.open(Crew.Rekeyed.self)
        guard case .schema(.schemaNewer)? = storeError({ try Query<Crew.Rekeyed>().resolve(in: store) }) else {
            Issue.record("the records were read")
            return
        }
        try store.dropUndeclaredIndexes()
        try store.finishMigrations()
        #expect(try Query<Crew.Rekeyed>().count(in: store) == 200)
        #expect(try store.check() == [])
    }

    @Test func anOlderProgram_doesNotDropTheIndexesOfANewerProgram() throws {
        let file = try filled(Crew.ByAge.self)
        let older = try file.open(Crew.Plain.self)
        // The change of a newer program meanwhile.
        try older.write { context in
            var stored = try #require(try context.catalogStorage().type(prefix))
            stored.layouts[1] = CatalogLayout(ordinal: stored.newestOrdinal + 1, text: Crew.Relaid.schema.layout)
            try context.set(stored, prefix)
        }
        guard case .schema(.schemaNewer)? = storeError({ try older.dropUndeclaredIndexes() }) else {
            Issue.record("the indexes were dropped")
            return
        }
        #expect(try older.indexes(prefix).map(\.name) == ["index(age)"])
    }
}
