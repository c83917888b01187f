// Two processes that change the same relation lists, and a reader of graphs beside a process that moves their parts.

import Testing
import Trove
import TroveStoreWorker
import TroveTestSupport

@Suite("Lists of several processes", .serialized) struct SharedListTests {
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("boards.trove"), records: [SharedBoard.self, SharedAuthor.self],
            options: StoreOptions(durability: .noSync))
    }

    private func child(_ command: String, _ name: String, _ count: Int) throws -> ChildProcess {
        let child = try ChildProcess([command, store.path, name, "\(count)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        return child
    }

    @Test func twoProcesses_thatAppendToOneList_loseNothing() throws {
        let count = 300
        let children = [try child("append", "1", count), try child("append", "2", count)]
        for child in children { try child.writeLine("go") }
        for child in children {
            #expect(child.readLine() == "done")
            #expect(child.wait() == 0)
        }
        let board = try #require(
            try SharedBoard.query(1).id(\.$notes).id(\.$authors).id(\.$pinned).resolve(in: store))
        for list in [board.$notes.ids, board.$authors.ids, board.$pinned.ids] {
            #expect(list.count == 2 * count)
            for writer in [1, 2] {
                let first = writer * 10_000
                #expect(list.filter { $0 / 10_000 == writer } == Array(first..<first + count))
            }
            // Each process appended while the other did.
            #expect(Set(list.prefix(count).map { $0 / 10_000 }) == [1, 2])
        }
        let authors = try SharedAuthor.query().id(\.$boards).resolve(in: store)
        #expect(authors.count == 2 * count && authors.allSatisfy { $0.$boards.ids == [1] })
        #expect(try store.check() == [])
        #expect(try store.relationNotes().isEmpty)
    }

    @Test func aReaderBesideAMovingProcess_seesEachNoteOnce() throws {
        let (boards, notes) = (4, 60)
        try store.write { context in
            for id in 0..<boards { try SharedBoard(id: id).save(to: context) }
            var first = SharedBoard(id: 0)
            first.$notes = .relation((0..<notes).map { SharedNote(id: $0) })
            try first.save(to: context)
        }
        let mover = try child("move", "", boards)
        try mover.writeLine("go")
        var states: Set<[[Int]]> = []
        var reads = 0
        while reads < 150 || states.count < 30 {
            reads += 1
            states.insert(try readBoards(notes))
        }
        try store.insert(SharedBoard(id: SharedBoard.stop))
        #expect(mover.readLine().flatMap(Int.init) ?? 0 >= states.count - 1)
        #expect(mover.readLine() == "done")
        #expect(mover.wait() == 0)
        #expect(try store.check() == [])
    }

    /// Reads all boards in two ways, and expects each note in exactly one of them. Returns the notes of each board.
    private func readBoards(_ count: Int) throws -> [[Int]] {
        let boards = try SharedBoard.query().with(\.$notes) { $0.with(\.$board) { $0.id(\.$notes) } }
            .resolve(in: store)
        let found = boards.map { $0.notes ?? [] }
        #expect(found.joined().map(\.id).sorted() == Array(0..<count))
        for board in boards {
            #expect(board.notes?.allSatisfy { $0.board?.id == board.id } == true)
            #expect(board.notes?.allSatisfy { $0.board?.$notes.ids == board.notes?.map(\.id) } == true)
        }
        try store.read { context in
            let groups = try SharedBoard.query().relatedGroups(\.$notes).resolve(in: context)
            let owners = try SharedNote.query().with(\.$board).resolve(in: context)
            #expect(groups.reduce(0) { $0 + $1.targets.count } == count)
            for group in groups {
                #expect(
                    owners.filter { $0.board?.id == group.owner }.map(\.id)
                        == group.targets.map(\.id).sorted())
            }
        }
        return found.map { $0.map(\.id) }
    }
}
