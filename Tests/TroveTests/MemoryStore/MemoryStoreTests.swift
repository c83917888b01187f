// A store without a file, as a value: copies are independent, writes are transactions.

import Foundation
import Testing
import TroveSpellings
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Vessel: Equatable {
    let id: Int
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \.vessel) var crew: [Mariner]?
    @Relationship var home: Harbour? = nil
}

@EntityModel
private struct Mariner: Equatable {
    #Unique<Mariner>(\.name, collisions: .throw)

    let id: Int
    var name: String
    @Relationship(inverse: \.crew) var vessel: Vessel?
}

@EntityModel
private struct Harbour: Equatable {
    let id: Int
    var name: String
}

@IndexKeyRecord("id")
private struct LogLine: Equatable {
    let id: Int
    var text: String
}

private struct Mutiny: Error {}

@Suite("Memory stores") struct MemoryStoreTests {
    private static let vessel = Vessel(
        id: 1, name: "Vega",
        crew: .relation([Mariner(id: 1, name: "Ada"), Mariner(id: 2, name: "Bo")]),
        home: .relation(Harbour(id: 1, name: "Kiel")))

    private func names(_ context: MemoryStore) throws -> [String] {
        try Mariner.query().sorted(by: \.name).resolve(in: context).map(\.name)
    }

    @Test func anEmptyContext_isReadAsAnEmptyStore() throws {
        let context = MemoryStore()
        #expect(try context.get(Vessel.self, key: 1) == nil)
        #expect(try Vessel.query().count(in: context) == 0)
        #expect(try names(context) == [])
    }

    @Test func graphs_areSavedAndDeleted() throws {
        var context = MemoryStore()
        try Self.vessel.save(to: &context)
        #expect(try names(context) == ["Ada", "Bo"])
        #expect(try context.contains(Harbour.self, key: 1))
        try Self.vessel.delete(from: &context)
        #expect(try names(context) == [])
        #expect(try !Vessel.delete(id: 1, from: &context))
        #expect(try context.contains(Harbour.self, key: 1))
    }

    @Test func aCopy_keepsItsRecords() throws {
        var context = MemoryStore()
        try Self.vessel.save(to: &context)
        let before = context
        var other = context
        try Mariner(id: 3, name: "Cy", vessel: .id(1)).save(to: &context)
        try Mariner(id: 4, name: "Di", vessel: .id(1)).save(to: &other)
        #expect(try names(before) == ["Ada", "Bo"])
        #expect(try names(context) == ["Ada", "Bo", "Cy"])
        #expect(try names(other) == ["Ada", "Bo", "Di"])
        try [Mariner(id: 5, name: "Ed")].save(to: &context)
        #expect(try names(context) == ["Ada", "Bo", "Cy", "Ed"])
    }

    @Test func aCopyOfAnEmptyContext_staysEmpty() throws {
        let empty = MemoryStore()
        var context = empty
        try Self.vessel.save(to: &context)
        #expect(try names(empty) == [])
        #expect(try names(MemoryStore()) == [])
    }

    @Test func anError_undoesTheWrite() throws {
        var context = MemoryStore()
        try Self.vessel.save(to: &context)
        let copy = context
        #expect(throws: StoreError.self) { try Mariner(id: 9, name: "Ada").save(to: &context) }
        #expect(throws: Mutiny.self) {
            try context.writing { context in
                try context.delete(Vessel.self, key: 1)
                throw Mutiny()
            }
        }
        #expect(try names(context) == ["Ada", "Bo"])
        #expect(try names(copy) == ["Ada", "Bo"])
    }

    @Test func statementsOnRelations_workInContexts() throws {
        var context = MemoryStore()
        let vessel = Self.vessel
        try vessel.save(\.$crew, inverse: \.$vessel, to: &context)
        try vessel.save(\.$home, to: &context)
        #expect(try Vessel.query().count(in: context) == 0)
        #expect(try names(context) == ["Ada", "Bo"])
        try vessel.detach([1], relation: \.$crew, inverse: \.$vessel, in: &context)
        try vessel.delete(\.$crew, inverse: \.$vessel, from: &context)
        #expect(try names(context) == ["Ada"])
        try vessel.detach(\.$crew, inverse: \.$vessel, in: &context)
        try vessel.delete([7], relation: \.$crew, inverse: \.$vessel, from: &context)
        try vessel.detach([1], relation: \.$home, in: &context)
        try vessel.save(\.$home, to: &context)
        try vessel.delete([1], relation: \.$home, from: &context)
        #expect(try !context.contains(Harbour.self, key: 1))
        try vessel.save(\.$home, to: &context)
        try vessel.detach(\.$home, in: &context)
        try vessel.delete(\.$home, from: &context)
        #expect(try context.contains(Harbour.self, key: 1))
        // A mutual relation without its inverse.
        try vessel.save(\.$crew, to: &context)
        try vessel.delete([2], relation: \.$crew, from: &context)
        try vessel.detach(\.$crew, in: &context)
        try vessel.delete(\.$crew, from: &context)
        #expect(try names(context) == ["Ada"])
        let mismatch = StoreError.entity(.relationMismatch(type: "Vessel", relation: "crew", inverse: "\\Mariner.name"))
        #expect(throws: mismatch) { try vessel.save(\.$crew, inverse: \.name, to: &context) }
    }

    @Test func records_areInsertedChangedAndRemoved() throws {
        var context = MemoryStore()
        #expect(try context.insert(LogLine(id: 1, text: "a")))
        #expect(try !context.insert(LogLine(id: 1, text: "b"), onConflict: .ignore))
        try context.insert(contentsOf: (2...9).map { LogLine(id: $0, text: "b") })
        #expect(try LogLine.filter(\.text == "b").update(in: &context) { $0.text = "c" } == 8)
        #expect(try LogLine.filter(\.id > 5).delete(in: &context) == 4)
        #expect(try context.delete(LogLine.self, key: 1))
        #expect(try !context.delete(LogLine(id: 1, text: "")))
        #expect(try LogLine.query().resolve(in: context).map(\.id) == [2, 3, 4, 5])
    }

    @Test func aContextOfAStore_isASnapshot() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("store.trove"), records: [Vessel.self])
        try Self.vessel.save(to: store)
        var context = try MemoryStore(copying: store)
        try Vessel.delete(id: 1, from: store)
        #expect(try names(context) == ["Ada", "Bo"])
        try Mariner(id: 3, name: "Cy").save(to: &context)
        #expect(try Mariner.query().count(in: store) == 0)
        #expect(try names(context) == ["Ada", "Bo", "Cy"])
        #expect(try names(MemoryStore(copying: .temporary())) == [])
        try store.close()
        #expect(throws: StoreError.self) { try MemoryStore(copying: store) }
    }

    @Test func theAsyncForm_copiesToo() async throws {
        let store = try await Store.temporary(records: [Vessel.self])
        try await Self.vessel.save(to: store)
        let context = try await MemoryStore(copying: store)
        #expect(try context.reading { try Mariner.query().count(in: $0) } == 2)
    }

    @Test func copies_areReadAndWrittenOnManyThreads() async throws {
        var first = MemoryStore()
        try first.insert(contentsOf: (0..<100).map { LogLine(id: $0, text: "") })
        let original = first
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<16 {
                group.addTask {
                    var mine = original
                    try mine.writing { context in
                        for id in 0..<number { try context.delete(LogLine.self, key: id) }
                    }
                    return try mine.reading { try LogLine.query().count(in: $0) } + number
                }
            }
            for try await count in group { #expect(count == 100) }
        }
        #expect(try original.reading { try LogLine.query().count(in: $0) } == 100)
    }

    @Test func noFile_remains() throws {
        var contexts = [MemoryStore(), MemoryStore()]
        try contexts[0].insert(LogLine(id: 1, text: ""))
        contexts[1] = contexts[0]
        try contexts[1].insert(LogLine(id: 2, text: ""))
        for context in contexts {
            let path = try context.reading { $0.core.path }
            #expect(
                !FileManager.default.fileExists(atPath: path)
                    && !FileManager.default.fileExists(atPath: path + "-lock"))
        }
    }
}
