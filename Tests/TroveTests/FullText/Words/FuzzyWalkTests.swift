// The walk over the words of an index to those near a word: it finds what a comparison with all words finds.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

struct FuzzyWalkTests {
    private static let alphabet = Array("abcé京𐐨\u{7F}")

    private func word(_ random: inout SeededGenerator) -> String {
        // Words of more than 255 bytes have a hash in their keys.
        let isLong = Int.random(in: 0..<40, using: &random) == 0
        let start = isLong ? String(repeating: "ab京", count: Int.random(in: 45...60, using: &random)) : ""
        return start
            + String(
                (0..<Int.random(in: 1...9, using: &random)).map { _ in Self.alphabet.randomElement(using: &random)! })
    }

    private func fill(_ fixture: TextFixture, _ words: [String]) throws {
        try fixture.write { session in
            for (number, word) in words.enumerated() {
                try session.save("k\(number)", [[ModelWord(text: word, position: 0)]])
            }
        }
    }

    private func found(
        _ typed: String, edits: Int?, anyFirstLetter: Bool, _ reader: TextReader
    ) throws -> [String: Int]? {
        guard let pattern = FuzzyPattern(Array(typed.utf8), edits: edits, anyFirstLetter: anyFirstLetter) else {
            return nil
        }
        let words = try reader.words(near: pattern)
        #expect(words.map(\.number) == words.map(\.number).sorted())
        return Dictionary(uniqueKeysWithValues: words.map { (String(decoding: $0.word, as: UTF8.self), $0.edits) })
    }

    @Test func walks_findAllWordsWithinTheEdits() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let fixture = try TextFixture()
        var words = Set((0..<250).map { _ in word(&random) })
        for word in words.sorted() {
            words.insert(SlowEdits.edited(word, edits: 1, of: Self.alphabet, &random))
        }
        words.remove("")
        try fill(fixture, words.sorted())
        try fixture.read(verifying: true) { reader, _ in
            for round in 0..<60 {
                let typed = SlowEdits.edited(
                    words.sorted()[(round * 17) % words.count], edits: round % 3, of: Self.alphabet, &random)
                let edits = [nil, 1, 2][round % 3]
                let anyFirstLetter = Bool.random(using: &random)
                let found = try found(typed, edits: edits, anyFirstLetter: anyFirstLetter, reader)
                guard let found else {
                    #expect(typed.unicodeScalars.count < 3)
                    continue
                }
                var expected: [String: Int] = [:]
                for word in words {
                    expected[word] = SlowEdits.edits(
                        of: word, from: typed, edits: edits, anyFirstLetter: anyFirstLetter)
                }
                #expect(found == expected, "\(typed), round \(round), seed \(seed)")
                for word in words.prefix(10) {
                    let pattern = FuzzyPattern(Array(typed.utf8), edits: edits, anyFirstLetter: anyFirstLetter)
                    #expect(pattern?.edits(of: Array(word.utf8)) == expected[word], "\(typed) \(word) seed \(seed)")
                }
            }
        }
        // In a write transaction, the walk reads the flushed words.
        try fixture.write { session in
            try session.save("new", modelText("abcabcabx"))
            try session.writer.flush()
            #expect(try found("abcabcaby", edits: 1, anyFirstLetter: false, session.reader)?["abcabcabx"] == 1)
        }
    }

    #if DEBUG  // Cursor moves are counted only in debug builds.
    @Test func walks_passOverWordsThatCannotMatch() throws {
        let fixture = try TextFixture()
        let letters = Array("abcdefghij")
        var words: [String] = []
        for number in 0..<3_000 {
            words.append(String([1, 10, 100, 1_000].map { letters[number / $0 % 10] } + ["x", "y", "z"]))
        }
        try fill(fixture, words)
        try fixture.read { reader, _ in
            reader.keyspace.core.cursorMoves = CursorMoves()
            let found = try found("abcaxyz", edits: 1, anyFirstLetter: false, reader)
            let near = words.filter { SlowEdits.distance($0, "abcaxyz") <= 1 && $0.first == "a" }
            #expect(found.map { Set($0.keys) } == Set(near))
            let moves = reader.keyspace.core.cursorMoves
            #expect(moves.seeks + moves.steps < 150)
        }
    }
    #endif

    /// The cancellation of a task ends its read, also between two words of a walk.
    @Test func walks_endWithTheirRead() throws {
        let fixture = try TextFixture()
        try fill(fixture, ["abc", "abd", "abe"])
        var count = 0
        do {
            try fixture.read { reader, _ in
                let pattern = try #require(FuzzyPattern(Array("abf".utf8), edits: 1, anyFirstLetter: false))
                var walk = FuzzyWalk(pattern.forms[0], reader.parts.words)
                let core = reader.keyspace.core
                try walk.forEach(reader) { _, _, _ in
                    count += 1
                    #expect(core.expire(reader.keyspace.lease))
                }
            }
            Issue.record("the walk goes on")
        } catch StoreError.transaction(.readExpired) {
        } catch let error as LMDBError {
            #expect(error.code == .readExpired)
        }
        #expect(count == 1)
    }

    @Test func damagedWords_areTypedErrors() throws {
        for key in [Array("abd".utf8) + [0xC3], [0x61, 0x80, 0x62], Array("ab".utf8) + [0xFF, 1, 2]] {
            let fixture = try TextFixture()
            try fill(fixture, ["abc", "abd", "abe"])
            #expect(throws: StoreError.self) {
                try fixture.write { session in
                    let number = Array(repeating: UInt8(0), count: 8) + [1]
                    try session.context.keyspace.put(session.parts.words.database, key, number, mode: .replaceNext)
                    _ = try found("abf", edits: 1, anyFirstLetter: false, session.reader)
                }
            }
        }
        let fixture = try TextFixture()
        try fill(fixture, ["abc", "abd", "abe"])
        #expect(throws: StoreError.self) {
            try fixture.write { session in
                try session.context.keyspace.put(
                    session.parts.words.database, Array("abd".utf8), [1, 2, 3], mode: .replaceNext)
                _ = try found("abf", edits: 1, anyFirstLetter: false, session.reader)
            }
        }
    }
}
