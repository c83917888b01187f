// A program that does not know the relations of a store.

import Trove

/// A track of an album, in a program without albums.
@EntityModel(keyPrefix: 4_000_041)
package struct PlainTrack: Hashable {
    package let id: Int
    package var title: String

    package init(id: Int, title: String) { (self.id, self.title) = (id, title) }
}

/// A listener, to whom one-way relations of other types lead.
@EntityModel(keyPrefix: 4_000_042)
package struct PlainListener: Hashable {
    package let id: Int
    package var name: String

    package init(id: Int, name: String) { (self.id, self.name) = (id, name) }
}

/// A publisher, to whom one-way relations of other types lead, in a program that does not know it as an entity.
@IndexKeyRecord(keyPrefix: 4_000_043, "id")
package struct PlainPublisher: Hashable {
    package let id: Int
    package var name: String

    package init(id: Int, name: String) { (self.id, self.name) = (id, name) }
}

/// Reads tracks and publishers and tries to write them; saves and deletes listeners. Prints what happens.
struct UnawareProgram {
    let store: Store

    func run() throws {
        TroveStoreWorker.say("\(try PlainTrack.query().select(\.title).resolve(in: store))")
        try refused { try PlainTrack(id: 1, title: "new").save(to: store) }
        try refused { try store.insert(PlainTrack(id: 9, title: "new")) }
        try refused { try store.delete(PlainTrack.self, key: 1) }
        try refused { try PlainTrack.filter(\.id > 0).delete(in: store) }
        TroveStoreWorker.say("\(try PlainPublisher.query().select(\.name).resolve(in: store))")
        try refused { try store.insert(PlainPublisher(id: 9, name: "new")) }
        try refused { try store.delete(PlainPublisher.self, key: 1) }
        try PlainListener(id: 3, name: "Eve").save(to: store)
        TroveStoreWorker.say("\(try store.delete(PlainListener.self, key: 1))")
    }

    private func refused(_ body: () throws -> some Any) throws {
        do {
            _ = try body()
            TroveStoreWorker.say("written")
        } catch StoreError.schema(.schemaNewer(_, let type, _, _, let names)) {
            TroveStoreWorker.say("\(type) \(names)")
        }
    }
}

/// Saves and deletes listeners as the test says, a line each, without knowing who is linked to them.
struct ListenerProgram {
    let store: Store

    func run() throws {
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, let id = Int(words[1]) else { return }
            switch words[0] {
            case "save": try PlainListener(id: id, name: "").save(to: store)
            case "delete": try store.delete(PlainListener.self, key: id)
            default: try PlainListener.filter(\.id < id).delete(in: store)
            }
            TroveStoreWorker.say("done")
        }
    }
}
