// Two programs with a store, of which one does not know the relations of the other.

import Foundation
import Testing
import Trove
import TroveSpellings
import TroveStoreWorker
import TroveTestSupport

@EntityModel(keyPrefix: 4_000_041)
private struct Track {
    let id: Int
    var title: String
    @Relationship(inverse: \.tracks) var album: Album?
}

@EntityModel(keyPrefix: 4_000_042)
private struct Listener {
    let id: Int
    var name: String
}

@EntityModel(keyPrefix: 4_000_043)
private struct Publisher {
    let id: Int
    var name: String
}

@EntityModel
private struct Album {
    let id: Int
    @Relationship(inverse: \.album) var tracks: [Track]?
    @Relationship var fans: [Listener]? = nil
    @Relationship var owner: Listener? = nil
    @Relationship var publisher: Publisher? = nil
}

@Suite("Programs without a relation") struct UnawareProgramTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("shared.trove")
    }

    private func fill(_ store: Store) throws {
        try Album(
            id: 1, tracks: .relation([Track(id: 1, title: "one"), Track(id: 2, title: "two")]),
            fans: .relation([Listener(id: 1, name: "Ann"), Listener(id: 2, name: "Ben")]), owner: .id(1),
            publisher: .relation(Publisher(id: 1, name: "Pub"))
        ).save(to: store)
    }

    @Test(arguments: [false, true])
    func aTypeWithAnUnknownRelation_isRead_andNotWritten(isRunning: Bool) throws {
        let store = try Store(path: path, records: [Album.self], options: StoreOptions(durability: .noSync))
        if !isRunning { try fill(store) }
        let child = try ChildProcess(["unaware", path, "", "0"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        // The running program hears of the relations by the next transaction.
        if isRunning { try fill(store) }
        try child.writeLine("go")
        #expect(child.readLine() == #"["one", "two"]"#)
        for _ in 0..<4 { #expect(child.readLine() == #"PlainTrack ["relation(album)"]"#) }
        #expect(child.readLine() == #"["Pub"]"#)
        for _ in 0..<2 { #expect(child.readLine() == #"PlainPublisher ["incoming relation(Album.publisher)"]"#) }
        #expect(child.readLine() == "true")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
        // The links to the deleted listener are gone, in the lists too.
        let differences = try store.check()
        #expect(differences == [])
        #expect(try store.relationNotes().isEmpty)
        let counts = try store.read { context in
            try context.storedTypes().filter { $0.links != nil }.map { ($0.name.split(separator: ".").last, $0.count) }
        }
        #expect(counts.map { "\($0.0 ?? "") \($0.1)" }.sorted() == ["album 2", "fans 1", "owner 0", "publisher 1"])
        #expect(try Listener.query().count(in: store) == 2)
    }

    @Test func theError_saysWhatToDo() throws {
        try fill(try Store(path: path, records: [Album.self], options: StoreOptions(durability: .noSync)))
        let store = try Store(path: path, records: [PlainTrack.self])
        #expect(try store.get(PlainTrack.self, key: 1)?.title == "one")
        let error = storeError { try store.insert(PlainTrack(id: 1, title: "")) }
        #expect(
            error?.description
                == "\(store.path): PlainTrack has relation(album), which this program does not declare and cannot maintain. Declare the relation, use the program that declares it, or drop it with its links: store.dropUndeclaredRelations()."
        )
        #expect(storeError { try store.write { try $0.delete(PlainTrack.self, key: 1) } } == error)
    }

    // MARK: Records over an entity's table

    /// Expects that no statement writes records of a type without its relations.
    private func expectRefused<Record: IndexKeyRecord & Hashable>(
        _ name: String, _ store: Store, _ record: Record, _ filter: Filter<Record>
    ) throws where Record.IndexKey == Int {
        let before = try Record.query().resolve(in: store)
        func refused(_ body: () throws -> some Any) {
            guard case .schema(.schemaNewer(_, _, _, _, let names))? = storeError({ _ = try body() }) else {
                Issue.record("written")
                return
            }
            #expect(names == [name])
        }
        refused { try store.insert(record) }
        refused { try store.insert(record, onConflict: .ignore) }
        refused { try store.insert(contentsOf: [record]) }
        refused { try store.delete(record) }
        refused { try store.delete(Record.self, key: 1) }
        refused { try store.delete(Record.self, key: 1, ignoringDamage: true) }
        refused { try store.delete(query: Query<Record>()) }
        refused { try Record.query().delete(in: store) }
        refused { try Record.filter(filter).delete(in: store) }
        refused { try Record.query().limit(1).delete(in: store) }
        refused { try Record.query().update(in: store) { $0 = record } }
        refused { try store.write { context in try context.nested { try $0.delete(Record.self, key: 1) } } }
        #expect(try Record.query().resolve(in: store) == before && !before.isEmpty)
    }

    @Test func plainRecordsOverAnEntitysTable_areRead_andNotWritten() throws {
        try fill(try Store(path: path, records: [Album.self], options: StoreOptions(durability: .noSync)))
        do {
            let store = try Store(path: path, records: [PlainTrackRecord.self, PlainPublisher.self])
            try expectRefused(
                "relation(album)", store, PlainTrackRecord(id: 1, title: ""), \.title == "one")
            try expectRefused(
                "incoming relation(Album.publisher)", store, PlainPublisher(id: 1, name: ""), \.name == "Pub")
            #expect(
                storeError { try store.insert(PlainPublisher(id: 1, name: "")) }?.description
                    == "\(store.path): PlainPublisher has incoming relation(Album.publisher), but is not declared as an entity, so this program cannot maintain the links. Declare the type with @EntityModel, or use the program that declares it so."
            )
        }
        let store = try Store(path: path, records: [Album.self])
        #expect(try store.check() == [])
        #expect(try store.relationNotes().isEmpty)
        try Publisher(id: 1, name: "").delete(from: store)
        #expect(try store.relationNotes().isEmpty)
    }
}

/// A track of an album, in a program without entities.
@IndexKeyRecord(keyPrefix: 4_000_041, "id")
private struct PlainTrackRecord: Hashable {
    let id: Int
    var title: String
}
