// The stored sample of relations: its contents, and the way to write the next sample.
//
//     swift run TroveStoreWorker write-link-sample Tests/TroveTests/Samples/format-N.trove

import Foundation
import Trove

@EntityModel(keyPrefix: 5_000_041)
package struct SampleUser: Hashable {
    package let id: String
    package var name: String
    @Relationship(inverse: \.users) package var chats: [SampleChat]?
    @Relationship(inverse: \.friends) package var friends: [SampleUser]?
    @Relationship(inverse: \.partner) package var partner: SampleUser?
}

@EntityModel(keyPrefix: 5_000_042)
package struct SampleChat: Hashable {
    package let id: String
    @Relationship(inverse: \.chats) package var users: [SampleUser]?
    @Relationship(inverse: \.chat) package var messages: [SampleMessage]?
}

@EntityModel(keyPrefix: 5_000_043)
package struct SampleMessage: Hashable {
    package let id: String
    package var text: String
    @Relationship(.required) package var author: SampleUser?
    @Relationship(inverse: \.messages) package var chat: SampleChat?
    @Relationship(inverse: \.message) package var attachment: SampleAttachment?
    @Relationship package var viewedBy: [SampleUser]? = nil
}

@EntityModel(keyPrefix: 5_000_044)
package struct SampleAttachment: Hashable {
    package let id: Tuple<UInt16, Bool>
    package var path: String?
    @Relationship(.required, inverse: \.attachment) package var message: SampleMessage?
}

package enum SampleLinks {
    package static let types: [any IndexKeyRecord.Type] = [SampleChat.self]

    /// Saves graphs with relations of all forms, and changes their lists.
    package static func fill(_ store: Store) throws {
        try SampleChat(
            id: "1",
            users: .relation([
                SampleUser(id: "1", name: "Bob", friends: .ids(["2", "3"]), partner: .id("2")),
                SampleUser(id: "2", name: "Alice", friends: .appending(ids: ["2"])),
                SampleUser(id: "é\0", name: "Zoë"),
            ]),
            messages: .relation([
                SampleMessage(id: "6", text: "Any thoughts?", author: .id("1")),
                SampleMessage(
                    id: "7", text: "Yes", author: .id("2"),
                    attachment: .relation(SampleAttachment(id: Tuple(258, true), path: "a.png")),
                    viewedBy: .ids(["2", "1", "é\0"])),
            ])
        ).save(to: store)
        // New positions before the first message and between two messages, and a link to a user that is not stored.
        try SampleChat(id: "1", messages: .ids(["5", "6", "8", "7"])).save(to: store)
        try SampleChat(id: "2", users: .ids(["9", "1"])).save(to: store)
    }

    /// Writes the sample of the current format. The file must not exist yet.
    static func write(to path: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { TroveStoreWorker.say("\(error)") }
        }
        let store = try Store(path: directory.appending(path: "sample.trove").path, records: types)
        try fill(store)
        TroveStoreWorker.say("\(try store.copy(to: path, compacting: true))")
    }
}
