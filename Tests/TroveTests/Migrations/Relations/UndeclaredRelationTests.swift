// Relations that a program no longer declares: their links stay until they are dropped.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Undeclared relations") struct UndeclaredRelationTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let papers = "TroveTests.FilingManyToMany.Paper.folder"

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("filing.trove")
    }

    /// Stores papers in folders, and closes the store.
    private func fill() throws {
        let store = try FilingProgram.manyToMany.open(path)
        try store.write { context in
            for id in 0..<3 {
                try FilingManyToMany.Paper(id: id, title: "p\(id)", folder: .ids([0, 1])).save(to: context)
                try FilingManyToMany.Folder(id: id, label: "f\(id)").save(to: context)
            }
        }
        try store.close()
    }

    private func open(_ migrations: MigrationPolicy = .onOpen) throws -> Store {
        try FilingProgram.unrelated.open(path, migrations)
    }

    @Test func theTypesAreRead_andNotWritten_andNothingIsLost() throws {
        try fill()
        do {
            let store = try open()
            #expect(try store.get(UnrelatedFiling.Paper.self, key: 1)?.title == "p1")
            #expect(try Query<UnrelatedFiling.Folder>().count(in: store) == 3)
            let writes: [(String, (Store) throws -> Void)] = [
                ("relation(folder)", { try $0.insert(UnrelatedFiling.Paper(id: 1, title: "")) }),
                ("relation(folder)", { try UnrelatedFiling.Paper(id: 9, title: "").save(to: $0) }),
                ("relation(folder)", { _ = try UnrelatedFiling.Paper.delete(id: 1, from: $0) }),
                ("relation(folder)", { _ = try Query<UnrelatedFiling.Paper>().delete(in: $0) }),
                ("relation(papers)", { _ = try UnrelatedFiling.Folder.delete(id: 1, from: $0) }),
                ("relation(papers)", { try UnrelatedFiling.Folder(id: 1, label: "").save(to: $0) }),
            ]
            for (relation, write) in writes {
                let error = storeError { try write(store) }
                guard case .schema(.schemaNewer(_, let type, _, _, [relation])) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(type == (relation == "relation(folder)" ? "UnrelatedFiling.Paper" : "UnrelatedFiling.Folder"))
                #expect(
                    error?.description.hasSuffix("drop it with its links: store.dropUndeclaredRelations().") == true)
            }
            #expect(try store.check() == [])
            try store.close()
        }
        let store = try FilingProgram.manyToMany.open(path)
        #expect(try FilingProgram.manyToMany.read(store).folders == [0: [0, 1], 1: [0, 1], 2: [0, 1]])
    }

    @Test func thePlan_countsTheirLinks() throws {
        try fill()
        let plan = try open().migrationPlan(for: FilingProgram.unrelated.types)
        #expect(
            plan.description == """
                TroveTests.UnrelatedFiling.Paper: 3 records
                  relation(folder) is not declared, and is kept until dropUndeclaredRelations(): 6 links
                TroveTests.UnrelatedFiling.Folder: 3 records
                  relation(papers) is not declared, and is kept until dropUndeclaredRelations(): 6 links
                """)
        // They are no reason to refuse the store.
        _ = try open(.refuse)
    }

    @Test func dropped_theirLinksAreGone_andTheTypesAreWritten() throws {
        try fill()
        do {
            let store = try open()
            let dropped = try store.dropUndeclaredRelations()
            #expect(dropped == [papers])
            #expect(try store.dropUndeclaredRelations() == [])
            try UnrelatedFiling.Paper(id: 9, title: "new").save(to: store)
            #expect(try store.delete(UnrelatedFiling.Paper.self, key: 1))
            #expect(try store.check() == [])
            #expect(try store.migrationPlan(for: FilingProgram.unrelated.types).isEmpty)
            let types = try store.read { try $0.storedTypes() }
            #expect(types.allSatisfy { $0.links == nil })
            #expect(try Store.verify(path: path).findings.isEmpty)
            try store.close()
        }
        // A program that declares the relation again begins without links.
        do {
            let store = try FilingProgram.manyToMany.open(path)
            #expect(try FilingProgram.manyToMany.read(store).folders == [:])
            try FilingManyToMany.Folder(id: 0, label: "f", papers: .ids([2, 5])).save(to: store)
            #expect(try FilingProgram.manyToMany.read(store).folders == [2: [0], 5: [0]])
            #expect(try store.check() == [])
            try store.close()
        }
        #expect(try Store.verify(path: path).findings.isEmpty)
    }

    @Test func dropped_inTheBackground() async throws {
        try fill()
        let store = try open()
        #expect(try await store.dropUndeclaredRelations() == [papers])
    }

    @Test func aStoreThatRefusesLoss_keepsThem() throws {
        try fill()
        let store = try open(.onOpen.refusingLoss)
        let error = storeError { try store.dropUndeclaredRelations() }
        guard case .schema(.valuesWouldBeLost(_, let losses)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(losses.map(\.description) == ["TroveTests.FilingManyToMany.Paper.folder: 6 links"])
        #expect(losses.map(\.isRelation) == [true])
        #expect(try store.read { try $0.storedTypes() }.contains { $0.links != nil })
    }

    @Test func undone_nothingIsDropped() throws {
        try fill()
        let program = FilingProgram.manyToMany
        let running = try Store(path: path, options: StoreOptions(durability: .noSync))
        #expect(try program.read(running).folders.count == 3)
        let store = try open()
        try store.dropUndeclaredRelations()
        // A program without declared types that is running reads no links, and can begin again.
        #expect(try program.read(running).folders == [:])
        try running.write { try program.link([(2, 2)], in: $0) }
        #expect(try program.read(running).papers == [2: [2]])
        #expect(try running.check() == [])
    }

    @Test func anIncomingOneWayRelation_staysDeclared_andIsKept() throws {
        do {
            let store = try FilingProgram.paperToMany.open(path)
            try FilingPaperToMany.Paper(id: 1, title: "", folder: .ids([1, 2])).save(to: store)
            try FilingPaperToMany.Folder(id: 1, label: "").save(to: store)
            try store.close()
        }
        do {
            let store = try Store(
                path: path, records: [UnrelatedFiling.Folder.self], options: StoreOptions(durability: .noSync))
            #expect(try store.dropUndeclaredRelations() == [])
            #expect(try UnrelatedFiling.Folder.delete(id: 1, from: store))
            #expect(try store.check() == [])
            try store.close()
        }
        #expect(try FilingProgram.paperToMany.read(FilingProgram.paperToMany.open(path)).folders == [1: [2]])
    }

    @Test func twoOneWayRelations_doNotBecomeAMutualOne() throws {
        do {
            let store = try FilingProgram.paperToMany.open(path)
            try store.write { try FilingProgram.paperToMany.link([(1, 1)], in: $0) }
            try store.close()
        }
        do {
            let store = try FilingProgram.folderToMany.open(path)
            try store.write { try FilingProgram.folderToMany.link([(2, 2)], in: $0) }
            try store.close()
        }
        let store = try FilingProgram.manyToMany.open(path)
        #expect(try FilingProgram.manyToMany.read(store).folders == [:])
        guard case .schema(.schemaNewer)? = storeError({ try FilingManyToMany.Paper(id: 1, title: "").save(to: store) })
        else {
            Issue.record("links of two relations were mixed")
            return
        }
        #expect(try store.dropUndeclaredRelations().count == 2)
        try FilingManyToMany.Paper(id: 1, title: "", folder: .ids([3])).save(to: store)
        #expect(try FilingProgram.manyToMany.read(store).papers == [3: [1]])
    }
}
