// A context as a value: saved to, copied, and read as it was.

import Testing
import Trove
import TroveSpellings

@Suite("Coming from SwiftletModel: contexts")
struct SnapshotTests {
    @Test func aGraph_isSavedToAContext() throws {
        var context = Context()
        try Trek.ridge.save(to: &context)
        #expect(try Climber.query().resolve(in: context) == [.ines, .tomo])
        try Entry(id: "1", text: "Fog all day").save(to: &context, options: .fragment)
        #expect(try context.get(Entry.self, key: "1")?.text == "Fog all day")
    }

    @Test func aCopy_isASnapshot() throws {
        var context = Context()
        try Trek.ridge.save(to: &context)
        let snapshot = context
        try Climber.ines.detach(\.$treks, inverse: \.$climbers, in: &context)
        try Trek.ridge.delete(from: &context)
        #expect(try Trek.query().count(in: context) == 0)
        #expect(try Trek.query().count(in: snapshot) == 1)
        #expect(try Climber.query().count(in: context) == 2)
    }

    @Test func relations_areDetachedAndDeleted() throws {
        var context = Context()
        try Trek.ridge.save(to: &context)
        let entry = Entry(id: "2", text: "")
        try entry.delete(\.$photo, inverse: \.$entry, from: &context)
        #expect(try Photo.query().count(in: context) == 0)
        #expect(try Entry.query().count(in: context) == 2)
        try entry.save(to: &context)
        #expect(try context.get(Entry.self, key: "2")?.text == "")
    }
}
