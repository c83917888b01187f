// Types whose records are stored under other names: another module, or a renamed type.

import Testing
import Trove
import TroveTestSupport

// A program stores its records under the prefixes that the types of the next program have by their names.

@EntityModel(keyPrefix: 1_758_938_195)
private struct FormerBoat { let id: Int }

@EntityModel(keyPrefix: 4_098_339_572)
private struct FormerPort { let id: Int }

@IndexKeyRecord(keyPrefix: 3_771_572_752, "id")
private struct FormerCrate { let id: Int }

@EntityModel private struct MovedBoat { let id: Int }

@EntityModel private struct MovedPort { let id: Int }

@IndexKeyRecord("id") private struct MovedCrate { let id: Int }

@Suite("Types under other names") struct MovedTypeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("moved.trove"), records: [FormerBoat.self])
        try store.write { context in
            try FormerBoat(id: 1).save(to: context)
            try FormerPort(id: 1).save(to: context)
            try context.insert(FormerCrate(id: 1))
        }
    }

    private func error(_ records: [any IndexKeyRecord.Type]) throws -> StoreError? {
        storeError { try Store(path: directory.path("moved.trove"), records: records) }
    }

    @Test func allRefusedTypes_areListed() throws {
        let found = try #require(try error([MovedBoat.self, MovedPort.self, MovedCrate.self]))
        guard case .schema(.prefixesTaken(_, let conflicts)) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(conflicts.count == 3)
        for line in [
            "TroveTests.MovedBoat: @EntityModel(keyPrefix: 1758938195) keeps the records of TroveTests.FormerBoat",
            "TroveTests.MovedPort: @EntityModel(keyPrefix: 4098339572) keeps the records of TroveTests.FormerPort",
            "TroveTests.MovedCrate: @IndexKeyRecord(keyPrefix: 3771572752, …) keeps the records of TroveTests.FormerCrate",
        ] {
            #expect("\(found)".contains("\n  \(line)"), "\(found)")
        }
        #expect("\(found)".contains("in another module"))
    }

    @Test func aSingleRefusedEntity_isProposedTheMacroOfEntities() throws {
        let text = "\(try #require(try error([MovedBoat.self])))"
        #expect(text.contains("keep its records: @EntityModel(keyPrefix: 1758938195)."), "\(text)")
        #expect(!text.contains("@IndexKeyRecord"), "\(text)")
        let record = "\(try #require(try error([MovedCrate.self])))"
        #expect(record.contains("@IndexKeyRecord(keyPrefix: 3771572752, …)"), "\(record)")
    }
}
