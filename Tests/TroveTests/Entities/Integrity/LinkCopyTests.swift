// Dumps, copies and salvages of stores with relations: the result has the same links.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Copying links") struct LinkCopyTests {
    private let files: LinkedFiles
    private var path: String { files.path }
    private var new: String { files.new }

    init() throws { files = try LinkedFiles() }

    private func expectSameLinks(_ copy: Store, as store: Store) throws {
        #expect(try copy.linkBytes() == store.linkBytes())
        #expect(try copy.read { try $0.storedTypes() }.map(\.links) == store.read { try $0.storedTypes() }.map(\.links))
        try copy.expectIntactLinks()
        #expect(try Chat.links("messages", of: "1", in: copy) == ["1", "2"])
        #expect(try Chat.links("admins", of: "2", in: copy) == ["2", "1"])
        try Chat(id: "2", messages: .ids(["2"])).save(to: copy)
        #expect(try Chat.links("messages", of: "1", in: copy) == ["1"])
        #expect(try Store.verify(path: copy.path).isSound)
    }

    // MARK: Describing

    @Test func aTypeOfLinks_isDescribedByItsRelation() throws {
        let store = try Store(path: path)
        let types = try store.read { try $0.storedTypes() }
        let module = "TroveTests."
        let relations = types.compactMap(\.links).map { $0.description.replacing(module, with: "") }
        #expect(
            Set(relations).isSuperset(of: [
                "Message.chat to one Chat, inverse Chat.messages to many Message",
                "Message.author to one User, one-way", "Message.viewedBy to many User, one-way",
                "User.friends to many User, its own inverse", "User.partner to one User, its own inverse",
                "Message.replyTo to one Message, inverse Message.replies to many Message",
            ]))
        #expect(relations.count == 9)
        let chat = try store.links("Message.chat")
        #expect(chat.name == module + "Message.chat" && chat.indexes.map(\.name) == ["list(chat,position)"])
        #expect(chat.links?.name == chat.name && chat.links?.inverse == module + "Chat.messages")
        // The report of a verification describes the same relations.
        let verified = try Store.verify(path: path).types
        #expect(verified.map(\.name) == types.map(\.name) && verified.map(\.links) == types.map(\.links))
    }

    // MARK: Text and files

    @Test func aDump_isLoadedWithTheSameLinks() throws {
        let store = try Store(path: path)
        let lines = try store.dump()
        #expect(lines.first == #"["trove",3]"#)
        let report = try Store.create(at: new, lines: lines)
        #expect(report.types.flatMap(\.indexesToRebuild) == [])
        #expect(report.types.compactMap(\.links).count == 9)
        let loaded = try Store(path: new)
        #expect(try loaded.dump() == lines)
        #expect(
            try loaded.read { try $0.catalogStorage().storeEntry().features } == [.links])
        try expectSameLinks(loaded, as: store)
        // The description of a type alone is enough for an empty relation.
        let empty = files.directory.path("empty.trove")
        try Store.create(at: empty, lines: store.dump(0))
        try LinkedStore.fill(try Store(path: empty))
        #expect(try Store(path: empty).linkBytes().records.mapValues(\.count)["TroveTests.Message.chat"] == 2)
    }

    @Test func aDumpWithoutLinks_hasTheSameForm() throws {
        let store = try Store(path: path)
        let users = try store.read { context in
            var lines: [String] = []
            try context.forEachDumpLine(of: context.storedTypes().filter { $0.name.hasSuffix("User") }) {
                lines.append($0)
            }
            return lines
        }
        #expect(users.first == #"["trove",3]"# && users.last == #"["end",4]"# && users.count == 7)
    }

    @Test func linksAreLoadedIntoAStore_unlessARelationToOneHadTwo() throws {
        let lines = try Store(path: path).dump()
        let store = try Store(path: new, records: [Chat.self])
        try Message(id: "1", text: "", chat: .id("9")).save(to: store)
        let error = loadError { try store.load(lines: lines, onConflict: .ignore) }
        #expect(error?.description.hasPrefix("after the last line (TroveTests.Message.chat): the link (") == true)
        guard case .secondLink(let link, let existing)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            Set([link, existing].map(\.description)) == [
                #"(messages: "1", chat: "1")"#, #"(messages: "1", chat: "9")"#,
            ])
        #expect(try Chat.links("messages", of: "9", in: store) == ["1"])
        try Chat(id: "9", messages: .ids([])).save(to: store)
        try store.load(lines: lines, onConflict: .replace)
        try expectSameLinks(store, as: try Store(path: path))
    }

    @Test func aDumpOfAnotherRelation_isRefused() throws {
        let store = try Store(path: path)
        let lines = try store.dump(0)
        for (old, new) in [
            (#""property":"chat","isToOne":true"#, #""property":"chat","isToOne":false"#),
            (#""form":"list""#, #""form":"heap""#), (#""form":"pair""#, #""form":"lists""#),
        ] {
            let changed = lines.map { $0.replacing(old, with: new) }
            #expect(changed != lines)
            #expect(loadError { try store.load(lines: changed) } != nil, "\(new)")
        }
        let wrong = lines.map { $0.replacing(#""form":"pair""#, with: #""form":"lists""#) }
        #expect(loadError { try Store.create(at: new, lines: wrong) } != nil)
    }

    @Test func aCopy_hasTheSameLinks() throws {
        let store = try Store(path: path)
        let report = try store.copy(to: new, compacting: true)
        #expect(report.types.compactMap(\.links).count == 9)
        try expectSameLinks(try Store(path: new), as: store)
    }

    // MARK: Salvage

    @Test(arguments: ["User.friends", "User.partner"]) func aLostDirection_isStoredAgainBySalvage(_ name: String)
        throws
    {
        do {
            let store = try Store(path: path, records: [Chat.self])
            let type = try store.links(name)
            var entry = try #require(try store.rawRecords(type.keyPrefix).first)
            entry.value[entry.value.count - 1] ^= 1
            try store.put(entry, into: type.records)
        }
        let report = try Store.salvage(from: path, to: new)
        #expect(report.restoredLinks == 1 && report.losses == [] && !report.isComplete)
        // No program with the types has opened the store yet.
        let salvaged = try Store(path: new)
        try salvaged.expectIntactLinks()
        #expect(try Store.verify(path: new).isSound)
        #expect(try Set(User.links("friends", of: "1", in: salvaged)) == ["2", "3"])
        #expect(try User.links("friends", of: "2", in: salvaged) == ["1"])
        #expect(try User.links("partner", of: "1", in: salvaged) == ["2"])
        #expect(try User.links("partner", of: "2", in: salvaged) == ["1"])
    }

    @Test func aSalvagedStore_hasTheSameLinks() throws {
        let report = try Store.salvage(from: path, to: new)
        #expect(report.isComplete && report.indexesToRebuild == [])
        #expect(report.tables.compactMap(\.links).count == 9)
        let salvaged = try Store(path: new)
        #expect(
            try salvaged.read { try $0.catalogStorage().storeEntry().features } == [.links])
        try expectSameLinks(salvaged, as: try Store(path: path))
    }
}
