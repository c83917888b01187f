// A store with links of every form, and its links as bytes, for tests that damage or copy them.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// The names and links of a store's relations: keys, values and entries.
struct StoredLinkBytes: Equatable {
    var records: [String: [RawEntry]] = [:]
    var lists: [String: [RawEntry]] = [:]
}

enum LinkedStore {
    /// Saves graphs with relations of every form.
    static func fill(_ store: some RecordWritable) throws {
        try Chat(
            id: "1",
            users: .relation([
                User(id: "1", name: "Bob", friends: .ids(["2", "3"]), partner: .id("2")),
                User(id: "2", name: "Alice"), User(id: "3", name: "Carol"), User(id: "4", name: "Dan"),
            ]),
            messages: .relation([
                Message(id: "1", text: "Any thoughts?", author: .id("1")),
                Message(
                    id: "2", text: "Yes", author: .id("2"), attachment: .relation(Attachment(id: "1", path: "a.png")),
                    replyTo: .id("1"), viewedBy: .ids(["1", "2"])),
            ]), admins: .ids(["1"])
        ).save(to: store)
        try Chat(id: "2", users: .ids(["2", "1"]), admins: .ids(["2", "1"])).save(to: store)
    }
}

/// A store file with links of every form, and the path of another file beside it.
struct LinkedFiles {
    let directory: TemporaryDirectory
    let path: String
    let new: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("chats.trove")
        new = directory.path("new.trove")
        let store = try Store(path: path, records: [Chat.self], options: StoreOptions(durability: .noSync))
        try LinkedStore.fill(store)
    }
}

extension Store {
    /// Returns the stored type of a relation's links, by the name of either end, such as `Chat.users`.
    func links(_ name: String) throws -> StoredType {
        try #require(
            try read { try $0.storedTypes() }.first { type in
                [type.links?.name, type.links?.inverse].contains { $0?.hasSuffix("." + name) == true }
            })
    }

    /// Returns the links of all relations.
    func linkBytes() throws -> StoredLinkBytes {
        var bytes = StoredLinkBytes()
        for type in try read({ try $0.storedTypes() }) where type.links != nil {
            bytes.records[type.name] = try rawRecords(type.keyPrefix)
            for index in type.indexes { bytes.lists[type.name + ", " + index.name] = try entries(of: index) }
        }
        return bytes
    }
}
