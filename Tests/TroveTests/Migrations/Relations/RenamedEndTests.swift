// Relations whose ends get other names without `@Renamed`: the name of the other end identifies a relation, or errors
// and plans propose the note before the drop.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Renamed ends of relations") struct RenamedEndTests {
    private let file: MigratedFile

    init() throws {
        file = try MigratedFile()
        let store = try file.open(FirstShelf.Sheet.self)
        for id in 1...3 {
            try FirstShelf.Sheet(id: id, shelf: .relation(FirstShelf.Shelf(id: 7))).save(to: store)
        }
    }

    @Test func aRelation_isRecognizedByTheNameOfItsOtherEnd() throws {
        let types: [any IndexKeyRecord.Type] = [BoardShelf.Sheet.self]
        #expect(
            try file.open().migrationPlan(for: types).description == """
                TroveTests.BoardShelf.Sheet: 3 records
                  relation(board) was named shelf
                """)
        do {
            let store = try file.open(BoardShelf.Sheet.self)
            #expect(try BoardShelf.Shelf.ids("sheets", of: 7, in: store) == [1, 2, 3])
            try BoardShelf.Sheet(id: 4, board: .id(7)).save(to: store)
            #expect(try store.migrationPlan(for: types).isEmpty)
        }
        // The older program finds it by the former name, which does not come back.
        do {
            let store = try file.open(FirstShelf.Sheet.self)
            #expect(try FirstShelf.Shelf.ids("sheets", of: 7, in: store) == [1, 2, 3, 4])
            try FirstShelf.Sheet(id: 5, shelf: .id(7)).save(to: store)
            try store.expectIntactLinks()
        }
        let store = try file.open(BoardShelf.Sheet.self)
        #expect(try store.migrationPlan(for: types).isEmpty)
        #expect(try BoardShelf.Sheet.ids("board", of: 5, in: store) == [7])
        #expect(try store.dropUndeclaredRelations() == [])
    }

    @Test func aRelationWithoutCommonNames_mayHaveBeenRenamed() throws {
        let types: [any IndexKeyRecord.Type] = [RackShelf.Sheet.self]
        #expect(
            try file.open().migrationPlan(for: types).description == """
                TroveTests.RackShelf.Sheet: 3 records
                  relation(shelf) is not declared. If it is rack now, write @Renamed with the old name. It is kept until \
                dropUndeclaredRelations(): 3 links
                TroveTests.RackShelf.Shelf: 1 record
                  relation(sheets) is not declared. If it is papers now, write @Renamed with the old name. It is kept \
                until dropUndeclaredRelations(): 3 links
                """)
        do {
            let store = try file.open(RackShelf.Sheet.self)
            let error = storeError { try RackShelf.Sheet(id: 1).save(to: store) }
            guard case .schema(.schemaNewer(_, "RackShelf.Sheet", _, _, ["relation(shelf), perhaps rack now"]))? = error
            else {
                Issue.record("\(String(describing: error))")
                return
            }
            let text = try #require(error?.description)
            let renaming = try #require(text.range(of: "@Renamed"))
            let dropping = try #require(text.range(of: "dropUndeclaredRelations"))
            #expect(renaming.lowerBound < dropping.lowerBound)
        }
        let store = try file.open(NotedShelf.Sheet.self)
        #expect(try NotedShelf.Shelf.ids("papers", of: 7, in: store) == [1, 2, 3])
    }

    @Test func anotherRelationOfTheSameName_isNamedByItsOtherEnd() throws {
        #expect(
            try file.open().migrationPlan(for: [OtherShelf.Sheet.self]).description == """
                TroveTests.OtherShelf.Sheet: 3 records
                  relation(shelf) with TroveTests.FirstShelf.Shelf.sheets is not declared, and is kept until \
                dropUndeclaredRelations(): 3 links
                TroveTests.OtherShelf.Shelf: 1 record
                  relation(sheets) with TroveTests.FirstShelf.Sheet.shelf is not declared, and is kept until \
                dropUndeclaredRelations(): 3 links
                """)
        let store = try file.open(OtherShelf.Sheet.self)
        #expect(try OtherShelf.Shelf.ids("sheets", of: 7, in: store) == [])
        let error = storeError { try OtherShelf.Sheet(id: 1).save(to: store) }
        guard case .schema(.schemaNewer(_, _, _, _, ["relation(shelf) of another type or inverse"]))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aLock_hasTheRenaming() throws {
        let path = file.path + ".json"
        try SchemaLock.write([FirstShelf.Sheet.self, FirstShelf.Shelf.self], at: path)
        do {
            try SchemaLock.check([BoardShelf.Sheet.self, BoardShelf.Shelf.self], at: path)
            Issue.record("no change was found")
        } catch SchemaLockError.changed(_, let changes) {
            #expect(changes.contains { $0.kind == .relationRenamed(from: "shelf", to: "board") })
        }
    }
}
