// Trove's relations, used as Docs/DataModeling.md describes.

import Trove

final class TroveRelatingPeer: RelatingPeer, @unchecked Sendable {
    let store: Store

    init(at place: Place) throws {
        store = try Store(
            path: place.file.path, records: [Chat.self, Member.self, Contact.self],
            options: StoreOptions(durability: place.isDurable ? .full : .noSync))
    }

    func save(_ chats: [Chat]) throws { try chats.save(to: store) }

    func saveConcurrently(_ tasks: [[Message]]) async throws {
        try await withThrowingTaskGroup { group in
            for messages in tasks {
                group.addTask { [store] in
                    for message in messages { try await message.save(to: store) }
                }
            }
            try await group.waitForAll()
        }
    }

    func replace(_ lists: [MessageList]) throws {
        try store.write { context in
            for list in lists {
                try Member(id: list.member, name: "A member", messages: .ids(list.messages)).save(to: context)
            }
        }
    }

    func append(_ lists: [MessageList]) throws {
        for list in lists {
            try Member(id: list.member, name: "A member", messages: .appending(ids: list.messages))
                .save(\.$messages, to: store)
        }
    }

    func deleteMember(_ id: Int64) throws { try Member.delete(id: id, from: store) }

    func deleteChat(_ id: Int64) throws { try Chat.delete(id: id, from: store) }

    // MARK: Contents

    func contents() throws -> ChatContents {
        let differences = try store.check()
        guard differences.isEmpty else { throw BenchmarkError("\(differences[0])") }
        return try store.read { context in
            var contents = ChatContents()
            contents.chats = try Chat.query().count(in: context)
            contents.messages = try Message.query().count(in: context)
            contents.attachments = try Attachment.query().count(in: context)
            contents.chatLists = try lists("chat", "messages", context)
            contents.authorLists = try lists("author", "messages", context)
            contents.attached = try lists("message", "attachment", context).compactMapValues(\.first)
            return contents
        }
    }

    /// Returns the links of a relation in the order of its lists, from the stored records.
    private func lists(_ owner: String, _ target: String, _ context: ReadContext) throws -> [Int64: [Int64]] {
        let types = try context.storedTypes().filter { type in
            type.links != nil && type.keyLayout.contains("\(owner):") && type.keyLayout.contains("\(target):")
        }
        var links: [Int64: [(position: Int64, target: Int64)]] = [:]
        for type in types {
            try context.forEachStoredRecord(of: type) { link in
                links[link.integer(owner), default: []].append((link.integer("position"), link.integer(target)))
                return true
            }
        }
        return links.mapValues { list in list.sorted { $0.position < $1.position }.map(\.target) }
    }
}

extension StoredRecord {
    /// Returns the integer of a field; 0 if there is none.
    fileprivate func integer(_ name: String) -> Int64 {
        if case .integer(let value) = self[name] { Int64(value) } else { 0 }
    }
}
