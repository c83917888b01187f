// The words of earlier transactions: a transaction uses them if no other process can have changed them.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Rhyme {
    #FullTextIndex<Rhyme>(\.text)

    let id: Int
    var text: String
}

struct KnownWordsTests {
    private func words(_ texts: String...) -> WordTable {
        var words = WordTable()
        for (index, text) in texts.enumerated() {
            ByteView.with(Array(text.utf8)) { word in
                _ = words.add(word, words.hash(of: word), number: UInt64(index + 1), isNew: false)
            }
        }
        return words
    }

    @Test func words_areTakenOnce_andOnlyWithoutACommitInBetween() {
        let (name, other) = (TextFixture.name, TextFixture.numbersName)
        let known = KnownWords()
        known.keep([name: words("a", "b")], after: 5)
        #expect(known.take(name, for: 7) == nil, "commit 6 is of another process")
        known.keep([other: words("c")], after: 6)
        #expect(known.take(name, for: 7)?.entries.count == 2)
        #expect(known.take(name, for: 7) == nil)
        known.keep([name: words("a")], after: 7)
        known.keep([:], after: 9)
        #expect(known.take(name, for: 10) == nil && known.take(other, for: 10) == nil)
        known.keep([name: words("a")], after: 10)
        known.removeAll()
        #expect(known.take(name, for: 11) == nil)
    }

    /// Words that a transaction has only read, that it has undone, and those of an emptied index get other numbers.
    @Test func aTransaction_usesNoNumbersThatOthersHaveChanged() throws {
        let directory = try TemporaryDirectory()
        let options = StoreOptions(durability: .noSync)
        let store = try Store(path: directory.path("r.trove"), records: [Rhyme.self], options: options)
        func expectWords(_ expected: [String: [Int]], line: Int = #line) throws {
            for (word, ids) in expected {
                #expect(try Rhyme.matching(word).keys(in: store).sorted() == ids, "\(word), line \(line)")
            }
            #expect(try store.check().isEmpty, "line \(line)")
        }
        try store.insert(Rhyme(id: 1, text: "one two"))
        try store.insert(Rhyme(id: 2, text: "two three"))
        try expectWords(["one": [1], "two": [1, 2], "three": [2]])
        struct Undo: Error {}
        #expect(throws: Undo.self) {
            try store.write { context in
                try context.insert(Rhyme(id: 3, text: "four one"))
                throw Undo()
            }
        }
        try store.insert(Rhyme(id: 4, text: "five four"))
        try expectWords(["one": [1], "four": [4], "five": [4]])
        // A word without records loses its number.
        _ = try store.write { try $0.delete(Rhyme.self, key: 2) }
        try store.insert(Rhyme(id: 5, text: "three two"))
        try expectWords(["two": [1, 5], "three": [5]])
        try store.write { context in
            _ = try Rhyme.query().delete(in: context)
            try context.insert(Rhyme(id: 6, text: "two one"))
        }
        try store.insert(Rhyme(id: 7, text: "one six"))
        try expectWords(["one": [6, 7], "two": [6], "three": [], "six": [7]])
        try store.rebuild(Rhyme.self)
        try store.insert(Rhyme(id: 8, text: "six one five"))
        try expectWords(["one": [6, 7, 8], "two": [6], "five": [8], "six": [7, 8]])
    }

    /// Words may be as long as texts: few of them are large.
    @Test func longWords_areNotKept() throws {
        let fixture = try TextFixture()
        for number in 0..<12 {
            let word = String(repeating: "x", count: 1 << 20) + "\(number)"
            try fixture.write { try $0.save("r\(number)", modelText("\(word) short")) }
            #expect(fixture.known?.byteCount ?? 0 <= TextChanges.keptBytesLimit, "word \(number)")
        }
        #expect(fixture.known != nil)
        try fixture.write { session in
            let word = Array((String(repeating: "x", count: 1 << 20) + "3").utf8)
            let number = try ByteView.with(word) { try session.reader.number(of: $0) }
            #expect(number != nil)
        }
    }
}
