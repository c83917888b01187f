// Changes of a relation's form: its links stay, in their order, or an entity with too many links stops the change.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Changed forms of relations") struct RelationFormTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("filing.trove")
    }

    private func expect(
        _ model: FilingModel, in store: Store, by program: FilingProgram, _ comment: Comment
    ) throws {
        let (found, expected) = (try program.read(store), model.asRead(by: program))
        #expect(found.folders == expected.folders, comment)
        #expect(found.papers == expected.papers, comment)
        #expect(try store.check() == [], comment)
    }

    /// Adds random links, of stored entities and of others.
    private func link(
        _ count: Int, _ model: inout FilingModel, by program: FilingProgram, _ store: Store,
        _ random: inout SeededGenerator
    ) throws {
        let pairs = (0..<count).map { _ in
            (
                paper: Int.random(in: 0..<FilingModel.size, using: &random),
                Int.random(in: 0..<FilingModel.size, using: &random)
            )
        }
        try store.write { try program.link(pairs.map { ($0.paper, $0.1) }, in: $0) }
        for (paper, folder) in pairs { model.link(paper, folder, by: program) }
    }

    private func storeEntities(_ program: FilingProgram) throws {
        let store = try FilingProgram.unrelated.open(path)
        try store.insert(contentsOf: (0..<4).map { UnrelatedFiling.Paper(id: $0, title: "p\($0)") })
        try store.insert(contentsOf: (0..<4).map { UnrelatedFiling.Folder(id: $0, label: "f\($0)") })
    }

    @Test(arguments: FilingProgram.forms, FilingProgram.forms)
    func everyChange_keepsTheLinks_orIsRefused(_ old: FilingProgram, _ new: FilingProgram) throws {
        let seed = SeededGenerator.fromEnvironment().seed
        var random = SeededGenerator(seed: seed)
        let comment: Comment = "\(old.name) → \(new.name), TROVE_TEST_SEED=\(seed)"
        try storeEntities(old)
        var model = FilingModel()
        do {
            let store = try old.open(path)
            try link(3, &model, by: old, store, &random)
            try expect(model, in: store, by: old, comment)
        }
        // A relation of one end only has no name in common with a relation of the other end only.
        let isOther = (old.paper == nil && new.folder == nil) || (old.folder == nil && new.paper == nil)
        guard !isOther else {
            let store = try new.open(path)
            #expect(try new.read(store).folders.isEmpty && new.read(store).papers.isEmpty, comment)
            let owner = new.types[old.paper == nil ? 1 : 0].schema
            let error = storeError { try store.write { _ = try $0.tableForWriting(owner) } }
            guard case .schema(.schemaNewer(_, _, _, _, let names)) = error else {
                Issue.record("\(String(describing: error)), \(comment)")
                return
            }
            #expect(names == [old.paper == nil ? "relation(papers)" : "relation(folder)"], comment)
            return
        }
        guard let migrated = model.migrated(from: old, to: new) else {
            let error = storeError { try new.open(path) }
            guard case .schema(.relationNotUnique) = error else {
                Issue.record("\(String(describing: error)), \(comment)")
                return
            }
            try expect(model, in: old.open(path), by: old, comment)
            return
        }
        model = migrated
        do {
            let store = try new.open(path)
            try expect(model, in: store, by: new, comment)
            try link(6, &model, by: new, store, &random)
            try expect(model, in: store, by: new, comment)
        }
        #expect(try Store.verify(path: path).findings.isEmpty, comment)
        try expect(model, in: new.open(path), by: new, comment)
    }

    @Test func anySequenceOfChanges_keepsTheLinks() throws {
        for round in 0..<12 {
            let seed = SeededGenerator.fromEnvironment().seed &+ UInt64(round)
            var random = SeededGenerator(seed: seed)
            let file = directory.path("sequence-\(round).trove")
            var program = FilingProgram.manyToMany
            var model = FilingModel()
            for step in 0..<12 {
                let comment: Comment = "TROVE_TEST_SEED=\(seed) step \(step) \(program.name)"
                let store = try program.open(file)
                try expect(model, in: store, by: program, comment)
                try link(Int.random(in: 0...2, using: &random), &model, by: program, store, &random)
                try expect(model, in: store, by: program, comment)
                try store.close()
                let next = try #require(FilingProgram.neighbors(of: program).randomElement(using: &random))
                if let migrated = model.migrated(from: program, to: next) {
                    (model, program) = (migrated, next)
                } else {
                    let error = storeError { try next.open(file) }
                    guard case .schema(.relationNotUnique) = error else {
                        Issue.record("\(String(describing: error)), \(comment)")
                        return
                    }
                }
            }
        }
    }

    @Test func twoNames_oneAfterTheOther_areTheSameRelation() throws {
        var model = FilingModel()
        do {
            let store = try FilingProgram.manyToMany.open(path)
            try store.write { try FilingProgram.manyToMany.link([(1, 2), (0, 2), (1, 0)], in: $0) }
            for (paper, folder) in [(1, 2), (0, 2), (1, 0)] { model.link(paper, folder, by: .manyToMany) }
        }
        for (program, former) in [(FilingProgram.renamed, "folder"), (.renamedBack, "binders"), (.renamed, "folder")] {
            let store = try program.open(path)
            try expect(model, in: store, by: program, "\(program.name)")
            let links = try #require(try store.read { try $0.storedTypes() }.compactMap(\.links).first)
            #expect([links.first, links.second].first { $0.keyPrefix == 4_300_001 }?.formerNames == [former])
            #expect(links.name.hasSuffix(program.name == "Renamed" ? ".binders" : ".folder"), "\(links)")
        }
        // The program with the older names reads and writes the links under the newer names.
        let older = try FilingProgram.manyToMany.open(path)
        try expect(model, in: older, by: .manyToMany, "older")
        try older.write { try FilingProgram.manyToMany.link([(3, 3)], in: $0) }
        model.link(3, 3, by: .manyToMany)
        try older.close()
        try expect(model, in: FilingProgram.renamed.open(path), by: .renamed, "newer")
    }

    @Test func aProgramThatWasOpenBefore_writesWhatItDeclares_orNothing() throws {
        let program = FilingProgram.paperToOne
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.write { try program.link([(1, 1)], in: $0) }
        // Nothing is rewritten: the relation becomes mutual with the first write.
        try store.write { try FilingProgram.paperToOne.link([(2, 2)], in: $0) }
        #expect(try FilingProgram.manyToOne.read(store).papers == [1: [1], 2: [2]])
        let error = storeError { try store.write { try FilingProgram.manyToOne.link([(3, 3)], in: $0) } }
        guard case .schema(.relationChanged(path, let relation, let stored, let declared)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(relation.hasSuffix("Paper.folder"))
        #expect(stored.hasSuffix("one-way") && declared.contains("inverse"))
        #expect(try store.check() == [])
        _ = try FilingProgram.manyToOne.open(path)
        try store.write { try FilingProgram.manyToOne.link([(3, 3)], in: $0) }
        #expect(try FilingProgram.manyToOne.read(store).papers == [1: [1], 2: [2], 3: [3]])
    }

    @Test func refusedMigrations_changeNothing() throws {
        do {
            let store = try FilingProgram.paperToOne.open(path)
            try store.write { try FilingProgram.paperToOne.link([(1, 1), (2, 1)], in: $0) }
        }
        let error = storeError { try FilingProgram.manyToOne.open(path, .refuse) }
        guard case .schema(.migrationRefused(_, let plan)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(plan.contains("relation(folder) was one-way, has the inverse"))
        #expect(plan.contains("2 links rewritten"))
        // The names of the same form are a matter of the catalog.
        _ = try FilingProgram.paperToOne.open(path, .refuse)
        _ = try FilingProgram.manyToOne.open(path, .lazily)
        let store = try FilingProgram.manyToOne.open(path, .refuse)
        #expect(try FilingProgram.manyToOne.read(store).papers == [1: [1, 2]])
    }

    @Test func anOlderForm_needsPermission() throws {
        do {
            let store = try FilingProgram.paperToOne.open(path, .onOpen)
            try store.write { try FilingProgram.paperToOne.link([(1, 1)], in: $0) }
        }
        _ = try FilingProgram.manyToMany.open(path, .onOpen)
        guard case .schema(.schemaNewer)? = storeError({ try FilingProgram.paperToOne.open(path, .onOpen) }) else {
            Issue.record("an older program has changed the form")
            return
        }
        let store = try FilingProgram.paperToOne.open(path, .allowOlderLayout)
        #expect(try FilingProgram.paperToOne.read(store).folders == [1: [1]])
    }

    @Test(arguments: [false, true])
    func aRewriteStoppedAfterAnyBatch_goesOn(isDisturbed: Bool) throws {
        let seed = SeededGenerator.fromEnvironment().seed
        var random = SeededGenerator(seed: seed)
        let (old, new) = (FilingProgram.oneToMany, FilingProgram.manyToMany)
        var model = FilingModel()
        do {
            let store = try old.open(path)
            try link(60, &model, by: old, store, &random)
            try store.close()
        }
        let size = TypeMigration.BatchSize(bytes: 1, records: 1, time: .seconds(1), rests: false)
        var batches = 0
        while true {
            let comment: Comment = "TROVE_TEST_SEED=\(seed) batch \(batches)"
            let store = try Store(path: path, options: StoreOptions(durability: .noSync))
            guard let migration = try store.read({ try $0.relationMigrations(of: new.types) }).first else { break }
            var calls = 0
            func storeOnce() throws -> Store {
                calls += 1
                if calls > 1 { throw CancellationError() }
                return store
            }
            do { try migration.carryOut(in: try storeOnce(), size) { _ in } } catch is CancellationError {}
            batches += 1
            if try store.read({ try $0.relationMigrations(of: new.types) }).isEmpty { break }
            try expect(model, in: store, by: old, comment)
            #expect(try Store.verify(path: path).findings.isEmpty, comment)
            // Written links end the rewrite, which begins again.
            if isDisturbed, batches == 4 { try link(2, &model, by: old, store, &random) }
            try store.close()
        }
        #expect(batches > 5)
        model = try #require(model.migrated(from: old, to: new))
        try expect(model, in: new.open(path), by: new, "TROVE_TEST_SEED=\(seed)")
    }
}
