// A store's file for tests that damage it: three tables, deleted records, large values.

import Foundation
import LMDB
import Trove
import TroveTestSupport

/// A closed store in a directory of its own, with its expected contents.
struct StoreFile {
    let directory: TemporaryDirectory
    let path: String
    let sound: RawFile
    let identifier: UUID?
    let commitSequence: UInt64
    let ticks: [Tick]
    let entries: [Entry]
    let pages: [Page]

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("store.trove")
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.write { context in
            try context.insert(contentsOf: (0..<3000).map { Tick(number: $0, note: "note \($0)") })
            try context.insert(
                contentsOf: (0..<10).map { Page(number: $0, text: String(repeating: "\($0)", count: 9000)) })
            try context.insert(
                contentsOf: (0..<300).map { Entry(group: 1, word: "word \($0)", text: "", counts: [$0]) })
        }
        _ = try Tick.query(number: .lessThan(500)).delete(in: store)
        try store.delete(Page.self, key: 3)
        try store.insert(Tick(number: 9999, note: "last"))
        identifier = try store.identifier
        commitSequence = try store.commitSequence
        ticks = try Tick.query().resolve(in: store)
        entries = try Entry.query().resolve(in: store)
        pages = try Page.query().resolve(in: store)
        sound = try RawFile(path)
    }

    /// Writes a damaged copy next to the sound file. Returns its path.
    func damaged(_ damage: (inout RawFile) throws -> Void) throws -> String {
        var file = sound
        try damage(&file)
        let path = directory.path("damaged.trove")
        try file.write(to: path)
        return path
    }

    /// Returns the root page of a type's table.
    func root(of prefix: UInt32) throws -> Int {
        let main = sound.root(sound.mainRecord)
        let text = String(prefix, radix: 16, uppercase: true)
        let name = Array((String(repeating: "0", count: 8 - text.count) + text + ".0.0").utf8)
        for index in 0..<sound.nodeCount(main) {
            let key = sound.key(main, index)
            if Array(sound.bytes[key..<key + name.count]) == name { return sound.root(sound.value(main, index)) }
        }
        throw StoreError.file(.missing(path: path, reason: LMDBError(.databaseNotFound, in: "test")))
    }

    /// The leaf pages of the catalog, whose name sorts after the names of the other tables.
    var catalogLeaves: [Int] {
        let main = sound.root(sound.mainRecord)
        return sound.leaves(below: sound.root(sound.value(main, sound.nodeCount(main) - 1)))
    }
}

@IndexKeyRecord("number")
struct Page: Hashable {
    let number: Int
    var text: String
}
