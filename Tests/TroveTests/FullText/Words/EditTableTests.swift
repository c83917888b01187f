// Edit distances: those of the table are those of a whole matrix.

import Testing
import TroveTestSupport

@testable import Trove

struct EditTableTests {
    private func word(_ letters: Int, _ random: inout SeededGenerator) -> [UInt32] {
        (0..<Int.random(in: 0...10, using: &random)).map { _ in UInt32.random(in: 1...UInt32(letters), using: &random) }
    }

    @Test func distances_areThoseOfTheMatrix() {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for round in 0..<2_000 {
            let letters = Int.random(in: 1...5, using: &random)
            let (pattern, word) = (word(letters, &random), word(letters, &random))
            let limit = round % 4
            let expected = SlowEdits.distance(pattern, word)
            var table = EditTable(pattern, edits: limit)
            let isPossible = word.allSatisfy { table.append($0) }
            let distance = isPossible ? table.distance : nil
            #expect(distance == (expected <= limit ? expected : nil), "\(pattern) \(word) \(limit) seed \(seed)")
            #expect(SlowEdits.distance(word, pattern) == expected)
        }
    }

    /// A beginning is given up if and only if no word with it is within the limit, and the next letter is the least
    /// with which there is one.
    @Test func beginnings_areGivenUp_whereNoWordCanFollow() {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for _ in 0..<100 {
            let letters = Int.random(in: 2...4, using: &random)
            let pattern = Array(word(letters, &random).prefix(5))
            let limit = Int.random(in: 0...2, using: &random)
            var table = EditTable(pattern, edits: limit)
            for _ in 0..<8 {
                let note = "\(pattern) after \(table.word), \(limit) edits, seed \(seed)"
                // What follows best is an end of the pattern.
                func isPossible(_ letter: UInt32) -> Bool {
                    let word = table.word + [letter]
                    return (0...pattern.count).contains { SlowEdits.distance(pattern, word + pattern[$0...]) <= limit }
                }
                let after = UInt32.random(in: 0...UInt32(letters), using: &random)
                let possible = (0...UInt32(letters + 1)).filter(isPossible)
                let next = table.nextLetter(after: after)
                // The greatest letter is not in the pattern.
                if possible.contains(UInt32(letters + 1)) {
                    #expect(next == .any, "\(note)")
                } else {
                    #expect(next == possible.first { $0 > after }.map { .letter($0) } ?? .none, "\(note)")
                }
                let letter = UInt32.random(in: 1...UInt32(letters), using: &random)
                let known = table.word
                #expect(table.append(letter) == isPossible(letter) || table.word != known, "\(note)")
                if table.word == known {
                    #expect(!possible.contains(letter), "\(note)")
                    guard !table.word.isEmpty else { break }
                    #expect(table.removeLast() == known.last)
                } else {
                    #expect(possible.contains(letter), "\(note)")
                }
            }
        }
    }

    @Test(arguments: [
        ("store", "sotre", 1), ("store", "stor", 1), ("store", "storee", 1), ("store", "stare", 1), ("ca", "abc", 3),
        ("store", "ostre", 2), ("über", "uber", 1), ("東京都", "京東都", 1), ("", "ab", 2), ("kitten", "sitting", 3),
    ]) func examples(_ first: String, _ second: String, _ edits: Int) {
        #expect(SlowEdits.distance(first, second) == edits)
        let letters = first.unicodeScalars.map(\.value)
        var table = EditTable(letters, edits: 3)
        #expect(second.unicodeScalars.allSatisfy { table.append($0.value) } && table.distance == edits)
    }

    @Test func shortWords_areFoundAsTheyAre() {
        func edits(_ word: String, _ edits: Int? = nil) -> Int? {
            FuzzyPattern(Array(word.utf8), edits: edits, anyFirstLetter: false)?.edits
        }
        #expect(edits("") == nil && edits("ab") == nil && edits("東京") == nil && edits("ab", 2) == nil)
        #expect(edits("abc") == 1 && edits("éüß") == 1 && edits("abcdefg") == 1 && edits("abcdefgh") == 2)
        #expect(edits("abc", 2) == 2 && edits("abcdefgh", 1) == 1 && edits("abc", 7) == 2)
        #expect(edits("abc", 0) == nil && edits("abc", -1) == nil)
    }
}
