// A word, and the words within some edits of it.

import LMDB
import TroveText

/// A word, and the words within some edits of it: insertions, removals and replacements of letters, and exchanges of
/// two neighbors.
///
/// A letter is a Unicode scalar of the word, as the analyzer makes it. No letter is edited twice (EditTable.swift).
struct FuzzyPattern: Hashable, Sendable {
    /// The greatest number of edits.
    static let greatestEdits = 2
    /// The number of letters from which a word may have edits, and from which it may have two.
    private static let leastLetters = 3
    private static let longLetters = 8

    /// The word's UTF-8.
    let word: [UInt8]
    let letters: [UInt32]
    /// The maximum number of edits, 1 or 2.
    let edits: Int
    let keepsFirstLetter: Bool

    /// Creates a pattern; nil for a word that is only found as it is.
    ///
    /// - Parameters:
    ///   - edits: The maximum number of edits, at most 2; nil for 1 in words of 3 to 7 letters, and 2 in longer ones.
    init?(_ word: [UInt8], edits: Int?, anyFirstLetter: Bool) {
        letters = Self.letters(of: word)
        guard letters.count >= Self.leastLetters else { return nil }
        self.edits = min(edits ?? (letters.count < Self.longLetters ? 1 : 2), Self.greatestEdits)
        guard self.edits > 0 else { return nil }
        self.word = word
        keepsFirstLetter = !anyFirstLetter
    }

    /// Returns the number of edits that make a word of the pattern's word; nil if it is not among the words.
    func edits(of other: [UInt8]) -> Int? {
        if other == word { return 0 }
        var table = EditTable(letters, edits: edits)
        var offset = 0
        return other.withRawSpan { other in
            while offset < other.byteCount {
                let (letter, size) = other.scalar(at: offset)
                if offset == 0, keepsFirstLetter, letter != letters[0] { return nil }
                guard table.append(letter) else { return nil }
                offset += size
            }
            return table.distance
        }
    }

    private static func letters(of word: [UInt8]) -> [UInt32] {
        var letters: [UInt32] = []
        var offset = 0
        word.withRawSpan { word in
            while offset < word.byteCount {
                let (letter, size) = word.scalar(at: offset)
                letters.append(letter)
                offset += size
            }
        }
        return letters
    }
}

/// A word within some edits of a pattern.
struct FuzzyWord: Hashable, Sendable {
    /// The word's UTF-8.
    var word: [UInt8]
    var edits: Int
    /// The number of the word in the index.
    var number: UInt64
}
