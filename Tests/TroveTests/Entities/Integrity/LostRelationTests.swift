// Relations that lost entries of the catalog, in salvaged stores: a program that declares them enters them again.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Landlord {
    let id: Int
    @Relationship(deleteRule: .deny, inverse: \.landlord) var flats: [RentedFlat]?
    @Relationship(deleteRule: .cascade, inverse: \.owner) var keys: [DoorKey]?
    @Relationship var favorite: RentedFlat? = nil
    @Relationship var known: [RentedFlat]? = nil
}

@EntityModel
private struct RentedFlat {
    let id: Int
    @Relationship(inverse: \.flats) var landlord: Landlord?
}

@EntityModel
private struct DoorKey {
    let id: Int
    @Relationship(inverse: \.keys) var owner: Landlord?
}

@Suite("Lost entries of relations") struct LostRelationTests {
    private let files: LinkedFiles
    private var path: String { files.path }
    private var new: String { files.new }

    init() throws { files = try LinkedFiles() }

    /// Changes the kind of each catalog entry with a kind and a prefix, everywhere in the file.
    private func lose(_ kind: UInt8, of prefix: UInt32) throws {
        let key = [kind] + KeyWriter.bytes(of: prefix)
        var file = try RawFile(path)
        var count = 0
        for start in 0..<file.bytes.count - key.count where Array(file.bytes[start..<start + key.count]) == key {
            file.bytes[start] = 77
            count += 1
        }
        #expect(count > 0)
        try file.write(to: path)
    }

    @Test(arguments: ["Message.chat", "Chat.users", "User.partner", "Message.attachment"])
    func aLostEntryOfARelation_isReplacedByItsProgram(_ name: String) throws {
        let links = try Store(path: path).links(name)
        let before = try Store(path: path).linkBytes()
        try lose(CatalogEntryKind.relation.rawValue, of: links.keyPrefix)
        let report = try Store.salvage(from: path, to: new)
        #expect(!report.isComplete && report.losses.contains("an entry of the catalog"))
        do {
            // Reading finds the links, even without the permission to write.
            let store = try Store(path: new, records: [Chat.self], options: StoreOptions(isReadOnly: true))
            #expect(try store.read { $0.relations[links.keyPrefix] } == nil)
            #expect(try Chat.links("messages", of: "1", in: store) == ["1", "2"])
            #expect(try Chat.links("users", of: "1", in: store) == ["1", "2", "3", "4"])
            #expect(try User.links("partner", of: "2", in: store) == ["1"])
            #expect(try Message.links("attachment", of: "2", in: store) == ["1"])
        }
        let store = try Store(path: new, records: [Chat.self])
        #expect(try store.read { $0.relations[links.keyPrefix] } != nil)
        try LinkedStore.fill(store)
        #expect(try store.linkBytes().records == before.records)
        #expect(try Store(path: new).links(name).keyPrefix == links.keyPrefix)
        #expect(try Store.verify(path: new).isSound)
        try store.expectIntactLinks()
    }

    @Test func aLostTypeOfLinks_isReplacedByItsProgram() throws {
        let links = try Store(path: path).links("Message.chat")
        let before = try Store(path: path).linkBytes()
        try lose(CatalogEntryKind.type.rawValue, of: links.keyPrefix)
        let report = try Store.salvage(from: path, to: new)
        #expect(!report.isComplete && report.losses.contains { $0.contains("Message.chat") })
        do {
            let store = try Store(path: new, records: [Chat.self], options: StoreOptions(isReadOnly: true))
            #expect(try Chat.links("messages", of: "1", in: store) == [])
        }
        let store = try Store(path: new, records: [Chat.self])
        #expect(try Chat.links("messages", of: "1", in: store) == ["1", "2"])
        #expect(try Chat.links("messages", of: "1", in: store) == ["1", "2"])
        #expect(try store.linkBytes() == before)
        try store.expectIntactLinks()
    }

    /// Reads the messages of a chat in every way that uses a list of links.
    private func useMessages(_ store: Store) throws {
        let chat = Chat.query("1")
        #expect(try chat.related(\.$messages).count(in: store) == 2)
        #expect(try chat.linkCount(of: \.$messages).resolve(in: store) == 2)
        #expect(try Chat.query().relatedGroups(\.$messages).resolve(in: store).map(\.targets.count) == [2, 0])
        #expect(try Chat.filter(.hasNone(\.$messages)).keys(in: store) == ["2"])
        #expect(try Message.filter(.linked(\.$chat, to: "1")).count(in: store) == 2)
        #expect(try chat.with(\.$messages).resolve(in: store)?.messages?.count == 2)
    }

    @Test(arguments: ["Message.chat", "Chat.users", "Message.viewedBy", "User.friends"])
    func aLostEntryOfAList_isReplacedBySalvage(_ name: String) throws {
        let links = try Store(path: path).links(name)
        let before = try Store(path: path).linkBytes()
        try lose(CatalogEntryKind.index.rawValue, of: links.keyPrefix)
        let findings = try Store.verify(path: path).findings.map(\.description)
        #expect(findings.contains { $0.contains("the catalog lacks list(") })
        #expect(try !Store.salvage(from: path, to: new).isComplete)
        try useMessages(try Store(path: new, records: [Chat.self], options: StoreOptions(isReadOnly: true)))
        let store = try Store(path: new, records: [Chat.self])
        try useMessages(store)
        try store.rebuild()
        #expect(try store.linkBytes() == before)
        try store.expectIntactLinks()
    }

    /// Removes the entries of a relation's lists, and optionally the entry of the relation.
    private func removeLists(of keyPrefix: UInt32, andTheRelation: Bool = false) throws {
        let store = try Store(path: path)
        try store.write { context in
            let catalog = try context.catalogStorage()
            var type = try #require(try catalog.type(keyPrefix))
            for number in type.indexes.keys { try catalog.setIndex(keyPrefix, number, nil) }
            type.indexes = [:]
            if andTheRelation {
                let table = try #require(try context.keyspace.table(named: CatalogStorage.name))
                let key = [CatalogEntryKind.relation.rawValue] + KeyWriter.bytes(of: keyPrefix)
                try context.keyspace.delete(table, key)
            }
            try context.set(type, keyPrefix)
        }
    }

    @Test func aMissingList_isATypedErrorAndADifference() throws {
        let links = try Store(path: path).links("Message.chat")
        try removeLists(of: links.keyPrefix)
        let store = try Store(path: path, records: [Chat.self], options: StoreOptions(isReadOnly: true))
        let name = "list(chat,position)"
        func expectDamage(_ body: () throws -> Void) {
            guard case .record(.indexDamaged(type: "Message.chat", index: name, _))? = storeError(body) else {
                Issue.record("\(String(describing: storeError(body)))")
                return
            }
        }
        let chat = Chat.query("1")
        expectDamage { _ = try chat.related(\.$messages).count(in: store) }
        expectDamage { _ = try chat.linkCount(of: \.$messages).resolve(in: store) }
        expectDamage { _ = try Chat.query().relatedGroups(\.$messages).resolve(in: store) }
        expectDamage { _ = try Chat.filter(.hasNone(\.$messages)).count(in: store) }
        expectDamage { _ = try chat.with(\.$messages).resolve(in: store) }
        #expect(try Message.query("1").related(\.$chat).keys(in: store) == ["1"])
        #expect(try store.check().map(\.kind) == [.incompleteList])
        #expect(try store.check().first?.index == name)
    }

    @Test(arguments: [false, true]) func aMissingList_isBuiltWhenItsProgramOpensTheStore(_ losesTheRelation: Bool)
        throws
    {
        let links = try Store(path: path).links("Chat.users")
        let before = try Store(path: path).linkBytes()
        try removeLists(of: links.keyPrefix, andTheRelation: losesTheRelation)
        let store = try Store(path: path, records: [Chat.self])
        #expect(try store.linkBytes() == before)
        #expect(try store.check().isEmpty)
        #expect(try User.query("1").related(\.$chats).count(in: store) == 2)
    }

    @Test func aMissingList_isRebuiltWithoutItsProgram() throws {
        let links = try Store(path: path).links("Chat.users")
        let before = try Store(path: path).linkBytes()
        try removeLists(of: links.keyPrefix)
        try Store(path: path).rebuild()
        #expect(try Store(path: path).linkBytes() == before)
        #expect(try Store(path: path).check().isEmpty)
    }

    @Test func theLossOfAnEntry_isNamedByAVerification() throws {
        let links = try Store(path: path).links("Message.chat")
        try lose(CatalogEntryKind.relation.rawValue, of: links.keyPrefix)
        let report = try Store.verify(path: path)
        #expect(report.findings.map(\.description).contains { $0.contains("the relation with the links") })
        #expect(report.types.first { $0.name == links.name }?.links == nil)
    }

    // MARK: Rules

    /// Loses a catalog entry of each relation, and salvages the store.
    private func salvageWithout(_ kind: CatalogEntryKind) throws -> Store {
        do {
            let store = try Store(path: path, records: [Landlord.self], options: StoreOptions(durability: .noSync))
            try Landlord(id: 1, flats: .relation([RentedFlat(id: 1), RentedFlat(id: 2)])).save(to: store)
            try Landlord(id: 2, keys: .relation([DoorKey(id: 1), DoorKey(id: 2)])).save(to: store)
            try Landlord(id: 3, favorite: .id(2), known: .ids([1, 2])).save(to: store)
        }
        let links = try Store(path: path).read { try $0.storedTypes() }.filter { $0.links != nil }
        for type in links where kind != .index || !type.indexes.isEmpty { try lose(kind.rawValue, of: type.keyPrefix) }
        _ = try Store.salvage(from: path, to: new)
        return try Store(path: new, records: [Landlord.self])
    }

    @Test(arguments: [CatalogEntryKind.type, .relation, .index])
    func afterALoss_theRulesApply(_ kind: CatalogEntryKind) throws {
        let store = try salvageWithout(kind)
        #expect(throws: StoreError.self) { try Landlord(id: 1).delete(from: store) }
        try Landlord(id: 2).delete(from: store)
        #expect(try DoorKey.query().count(in: store) == 0)
        try RentedFlat(id: 2).delete(from: store)
        #expect(try Landlord.ids("flats", of: 1, in: store) == [1])
        #expect(try Landlord.ids("favorite", of: 3, in: store) == [])
        #expect(try Landlord.ids("known", of: 3, in: store) == [1])
        try store.expectIntactLinks()
    }

    @Test func linksThatCannotBeRead_letTheStoreOpen() throws {
        let links = try Store(path: path).links("Message.chat")
        try lose(CatalogEntryKind.type.rawValue, of: links.keyPrefix)
        _ = try Store.salvage(from: path, to: new)
        do {
            // Links of a layout that no program knows.
            let store = try Store(path: new)
            let name = TableName(keyPrefix: links.keyPrefix)
            try store.write { context in
                let table = try context.keyspace.createTable(named: name.text)
                var value = [UInt8](repeating: 0, count: StoredValue.headerSize)
                StoredValue.seal(&value, 1, key: [1], seed: name.checksumSeed)
                try context.keyspace.deleteAll(table)
                try context.keyspace.put(table, [1], value)
                context.noteChange()
            }
        }
        let store = try Store(path: new, records: [Chat.self])
        #expect(try Chat.query().count(in: store) == 2)
        #expect(throws: StoreError.self) { try Chat(id: "1", messages: .ids(["1"])).save(to: store) }
    }
}
