// A schema lock with relations.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Relations in a schema lock") struct RelationLockTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("schema.json")
    }

    /// Returns the changes of relations that a lock reports.
    private func changes(_ old: [any IndexKeyRecord.Type], _ new: [any IndexKeyRecord.Type]) throws -> [String] {
        try SchemaLock.write(old, at: path)
        do {
            try SchemaLock.check(new, at: path)
            return []
        } catch SchemaLockError.changed(_, let changes) {
            return changes.map { "\($0.kind)" }.filter { $0.hasPrefix("relation(") }
        }
    }

    @Test func theFile_listsTheRelations() throws {
        try SchemaLock.write([FilingPaperToOne.Paper.self], at: path)
        #expect(
            try String(contentsOfFile: path, encoding: .utf8).contains(
                """
                      "fields": [
                        {"title": "String"}
                      ],
                      "relations": [
                        {"folder": "to one TroveTests.FilingPaperToOne.Folder"}
                      ]
                    }
                """))
        try SchemaLock.check([FilingPaperToOne.Paper.self], at: path)
        try SchemaLock.write([UnrelatedFiling.Paper.self], at: path)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("relations"))
    }

    @Test func changes_areInWords() throws {
        #expect(
            try changes([UnrelatedFiling.Paper.self], [FilingPaperToOne.Paper.self])
                == ["relation(folder) is new: to one TroveTests.FilingPaperToOne.Folder"])
        #expect(
            try changes([FilingPaperToOne.Paper.self], [UnrelatedFiling.Paper.self]) == [
                "relation(folder) is removed; its links stay, and the type is not written, until dropUndeclaredRelations()"
            ])
        // The folders come along.
        #expect(
            try Set(changes([FilingManyToMany.Paper.self], [RenamedFiling.Paper.self])) == [
                "relation(contents) was named papers",
                "relation(contents) was to many TroveTests.FilingManyToMany.Paper, inverse folder, is to many TroveTests.RenamedFiling.Paper, inverse binders",
                "relation(binders) was named folder",
                "relation(binders) was to many TroveTests.FilingManyToMany.Folder, inverse papers, is to many TroveTests.RenamedFiling.Folder, inverse contents",
            ])
        #expect(try changes([OneWayPeer.Peer.self], [OneWayPeer.Peer.self]) == [])
    }
}
