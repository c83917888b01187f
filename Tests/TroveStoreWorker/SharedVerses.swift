// Programs that save and search verses at the same time, while another program may build their index.

import Trove

/// Verses as an older program declares them, without an index.
@IndexKeyRecord(keyPrefix: 4_000_051, "id")
package struct PlainVerse: Hashable {
    package let id: Int
    package var text: String

    package init(id: Int, text: String) { (self.id, self.text) = (id, text) }
}

@IndexKeyRecord(keyPrefix: 4_000_051, "id")
package struct SharedVerse: Hashable {
    #FullTextIndex<SharedVerse>(\.text)
    #FullTextIndex<SharedVerse>(\.text, analyzer: .trigrams)

    package let id: Int
    package var text: String

    package init(id: Int, text: String) { (self.id, self.text) = (id, text) }
}

/// Saves, changes and deletes verses of all programs, searches them, and prints the number of writes.
struct VerseProgram {
    private struct Wrong: Error {
        var answer: String
    }

    let store: Store
    let writer: Int
    let count: Int

    func run() throws {
        var state = UInt64(writer)
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for number in 0..<count {
            try store.write { context in
                for _ in 0...random(4) {
                    let id = random(2000)
                    if random(4) == 0 {
                        try context.delete(SharedVerse.self, key: id)
                    } else {
                        let text = "all of w\(random(50)) by p\(writer) x\(number)"
                        try context.insert(SharedVerse(id: id, text: text))
                    }
                }
            }
            if number % 10 == 0 { try search(number) }
        }
        TroveStoreWorker.say("\(count)")
    }

    /// The words and the records are those of one moment, whatever the other program does.
    private func search(_ number: Int) throws {
        try store.read { context in
            do {
                let found = try SharedVerse.matching("x\(number) p\(writer)").resolve(in: context)
                for verse in found where try context.get(SharedVerse.self, key: verse.id) != verse {
                    throw Wrong(answer: "\(verse)")
                }
                // The trigrams are those of the same moment.
                let part = " p\(writer) x\(number)"
                let parts = try SharedVerse.filter(.string(\.text, hasSuffix: part)).keys(in: context)
                let scanned = try SharedVerse.filter { $0.text.hasSuffix(part) }.keys(in: context)
                if parts != scanned { throw Wrong(answer: "\(parts), not \(scanned)") }
            } catch StoreError.text(.textNotReady) {
                return
            }
        }
    }
}
