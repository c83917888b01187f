// Checks and rebuilds of links: by the Swift types, and without them.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Checking links") struct LinkCheckTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Chat.self])
        try LinkedStore.fill(store)
    }

    private func key(_ ids: String...) -> [UInt8] { ids.flatMap { KeyWriter.bytes(of: $0) } }

    private func remove(_ key: [UInt8], from table: Database) throws {
        try store.write { context in
            let wasThere = try context.keyspace.delete(table, key)
            #expect(wasThere)
            context.noteChange()
        }
    }

    /// Stores a link without the rows that belong to it.
    private func putLink(_ key: [UInt8], _ positions: [Int64], to type: StoredType) throws {
        var value = [UInt8](repeating: 0, count: StoredValue.headerSize)
        for position in positions { value += (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) } }
        StoredValue.seal(&value, try #require(type.versions.last), key: key, seed: type.checksumSeed)
        try store.put(RawEntry(key: key, value: value), into: type.records)
    }

    /// The differences that a check without types finds; the check with types finds the same.
    private func differences() throws -> [IndexDifference] {
        let found = try store.read { context in
            try context.storedTypes().flatMap { try context.checkStoredIndexes(of: $0).differences }
        }
        #expect(try store.check().map(\.kind) == found.map(\.kind))
        return found
    }

    @Test func soundLinks_haveNoDifferences() throws {
        #expect(try differences() == [])
        #expect(try store.check(Message.self) == [])
        #expect(try store.check().count == 0)
    }

    @Test func aWrongList_isFound_andRebuilt() throws {
        let before = try store.linkBytes()
        for type in try store.read({ try $0.storedTypes() }) where type.links != nil {
            for index in type.indexes {
                let entry = try #require(try store.entries(of: index).first)
                try remove(entry.key, from: index.database)
                try store.put(RawEntry(key: entry.key + entry.key, value: []), into: index)
                let found = try differences()
                #expect(found.map(\.kind) == [.missing, .orphaned], "\(index.name)")
                #expect(found.allSatisfy { $0.type == type.name && $0.index == index.name })
                #expect(try store.markForRebuild(index.name, of: type) == [index.name])
                #expect(try store.linkBytes() == before, "\(type.name), \(index.name)")
            }
        }
    }

    @Test func rebuild_makesTheListsAgain_byTypeAndForAll() throws {
        let before = try store.linkBytes()
        func emptyLists() throws {
            for type in try store.read({ try $0.storedTypes() }) where type.links != nil {
                for index in type.indexes { try store.write { try $0.keyspace.deleteAll(index.database) } }
            }
        }
        try emptyLists()
        try store.rebuild()
        #expect(try store.linkBytes() == before)
        try emptyLists()
        try store.rebuild(Message.self)
        try store.rebuild(User.self)
        try store.rebuild(Attachment.self)
        #expect(try store.linkBytes() == before)
        #expect(try differences() == [])
    }

    @Test func aSecondLinkOfARelationToOne_isADifference() throws {
        // At the first end of a list, and at the second end of a pair.
        try putLink(key("1", "2"), [0], to: try store.links("Message.chat"))
        try putLink(key("1", "1"), [], to: try store.links("Message.attachment"))
        try store.rebuild()
        let found = try differences()
        #expect(
            found.map(\.description).map { $0.split(separator: ".", maxSplits: 1)[1] }.sorted() == [
                "Message.attachment: the link (message: \"2\", attachment: \"1\") is a second link of a relation to one, beside (message: \"1\", attachment: \"1\")",
                "Message.chat: the link (messages: \"1\", chat: \"2\") is a second link of a relation to one, beside (messages: \"1\", chat: \"1\")",
            ])
        #expect(found.map(\.kind) == [.secondLink, .secondLink])
        try Message(id: "1", text: "", chat: .id("3"), attachment: .null).save(to: store)
        #expect(try differences() == [])
    }

    @Test func aMissingDirection_isFound_andStoredAgain() throws {
        let friends = try store.links("User.friends")
        let list = friends.indexes[0]
        let entry = try #require(try store.entries(of: list).first { $0.key.starts(with: key("2")) })
        try remove(entry.key, from: list.database)
        try remove(key("2", "1"), from: friends.records)
        let partner = try store.links("User.partner")
        try remove(key("2", "1"), from: partner.records)
        #expect(try differences().map(\.kind) == [.missingDirection, .missingDirection])
        #expect(try User.links("friends", of: "2", in: store) == [])
        #expect(try store.markForRebuild(of: friends) == ["list(owner,position)"])
        #expect(try store.markForRebuild(of: partner) == [])
        #expect(try User.links("friends", of: "2", in: store) == ["1"])
        #expect(try User.links("partner", of: "2", in: store) == ["1"])
        #expect(try differences() == [])
    }

    @Test func aDirectionWhosePlaceIsTaken_isRemoved() throws {
        // 1 and 2 are partners. A direction from 3 to 1 remains of a lost link.
        try putLink(key("3", "1"), [], to: try store.links("User.partner"))
        #expect(try differences().map(\.kind) == [.missingDirection])
        try store.rebuild(User.self)
        #expect(try differences() == [])
        #expect(try User.links("partner", of: "3", in: store) == [])
        #expect(try User.links("partner", of: "1", in: store) == ["2"])
    }

    @Test func aDamagedLink_isFound_andSkippedByARebuild() throws {
        for name in ["Message.chat", "User.partner"] {
            let type = try store.links(name)
            let link = try #require(try store.rawRecords(type.keyPrefix).first)
            try store.put(RawEntry(key: link.key, value: [1, 2, 3]), into: type.records)
            #expect(try differences().map(\.kind).contains(.damagedRecord), "\(name)")
            #expect(try store.check().map(\.type).contains(type.name.replacing("TroveTests.", with: "")))
            if !type.indexes.isEmpty {
                #expect(
                    throws: StoreError.record(.checksumMismatch(type: name, key: StoredKey(link.key, of: name)))
                ) { try store.rebuild() }
            }
            try store.put(link, into: type.records)
            try store.rebuild()
            #expect(try differences() == [])
        }
    }

    // MARK: Notes

    @Test func danglingLinks_andUnsetRelations_areNotes() throws {
        #expect(try store.relationNotes().notes.map(\.description).isEmpty)
        try Message(id: "9", text: "", author: .id("8"), replies: .ids(["1", "7", "6"])).save(to: store)
        try User(id: "4", name: "Dan", friends: .ids(["4", "5"])).save(to: store)
        #expect(try differences() == [])
        let notes = try store.relationNotes()
        // Saving message 9 has taken no chat along. A friendship is one link in two directions.
        #expect(notes.danglingEnds == 4 && notes.unsetRelations == 1)
        let module = "TroveTests."
        #expect(
            Set(notes.notes.map { $0.description.replacing(module, with: "") }) == [
                "Message.author: the link (owner: \"9\", author: \"8\") leads to the User id: \"8\", which is not stored",
                "Message.replyTo: the link (replies: \"7\", replyTo: \"9\") leads to the Message id: \"7\", which is not stored",
                "Message.replyTo: the link (replies: \"6\", replyTo: \"9\") leads to the Message id: \"6\", which is not stored",
                "User.friends: the link (owner: \"5\", friends: \"4\") leads to the User id: \"5\", which is not stored",
                "Message.chat: the Message id: \"9\" has no link, and the relation is required",
            ])
        let untyped = try store.read { try $0.relationNotes(of: store.links("User.friends")) }
        #expect(untyped.danglingEnds == 1 && untyped.notes.count == 1)
    }

    @Test func notes_areCounted_andListedUpToALimit() throws {
        try Chat(id: "3", messages: .ids((10..<1400).map { "\($0)" })).save(to: store)
        let notes = try store.relationNotes()
        #expect(notes.danglingEnds == 1390 && notes.notes.count == 1000)
    }
}
