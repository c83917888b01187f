// A word, and the words within some edits of it.
//
//     typed     term     unreduced    white, 1 edit
//     wihte     wiht     wihte        the term is 2 edits away, the unreduced word 1
//     whtie     whtie    –
//
// An index with stems has stems in place of words, and a misspelled word often has another stem than the word. So the
// words of the index are compared with the term, and with the word before it was reduced.

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
    fileprivate static let leastLetters = 3
    fileprivate static let longLetters = 8

    /// The letters of the word in one of its forms.
    struct Form: Hashable, Sendable {
        let letters: [UInt32]
        /// The maximum number of edits, 0 to 2.
        let edits: Int
        let keepsFirstLetter: Bool
        /// The number of edits that a word at no distance counts as.
        let leastEdits: Int
    }

    /// The UTF-8 of the word as the index has it.
    let word: [UInt8]
    /// The forms to compare: the term, and the word before it was reduced if it is another.
    let forms: [Form]
    /// The maximum number of edits, 1 or 2.
    let edits: Int

    /// Creates a pattern; nil for a word that is only found as it is.
    ///
    /// - Parameters:
    ///   - word: The word as the index has it.
    ///   - unreduced: The word before it became a stem, or was replaced.
    ///   - edits: The maximum number of edits, at most 2; nil for 1 in words of 3 to 7 letters, and 2 in longer ones.
    init?(_ word: [UInt8], unreduced: [UInt8]? = nil, edits: Int?, anyFirstLetter: Bool) {
        var forms = [Form(word, edits: edits, anyFirstLetter: anyFirstLetter, isTerm: true)]
        if let unreduced, unreduced != word {
            forms.append(Form(unreduced, edits: edits, anyFirstLetter: anyFirstLetter, isTerm: false))
        }
        self.edits = forms.reduce(0) { max($0, $1.edits) }
        guard self.edits > 0 else { return nil }
        self.word = word
        self.forms = forms
    }

    /// Returns the number of edits that make a word of the pattern's word; nil if it is not among the words.
    func edits(of other: [UInt8]) -> Int? {
        if other == word { return 0 }
        return forms.compactMap { $0.edits(of: other) }.min()
    }

    /// Whether words that begin with another letter than the pattern's word may be meant.
    var mayBeginDifferently: Bool {
        forms.contains { !$0.keepsFirstLetter || $0.letters.first != forms[0].letters.first }
    }
}

extension FuzzyPattern.Form {
    fileprivate init(_ word: [UInt8], edits: Int?, anyFirstLetter: Bool, isTerm: Bool) {
        letters = Self.letters(of: word)
        let most = edits ?? (letters.count < FuzzyPattern.longLetters ? 1 : 2)
        self.edits = letters.count < FuzzyPattern.leastLetters ? 0 : min(most, FuzzyPattern.greatestEdits)
        keepsFirstLetter = !anyFirstLetter
        // The word itself is found by its term alone.
        leastEdits = isTerm ? 0 : 1
    }

    /// Returns the number of edits that make a word of the form; nil for more than its edits.
    fileprivate func edits(of other: [UInt8]) -> Int? {
        var table = EditTable(letters, edits: edits)
        var offset = 0
        return other.withRawSpan { other in
            while offset < other.byteCount {
                let (letter, size) = other.scalar(at: offset)
                if offset == 0, keepsFirstLetter, letter != letters.first { return nil }
                guard table.append(letter) else { return nil }
                offset += size
            }
            return counted(table.distance)
        }
    }

    /// Returns a distance as a number of edits; nil for more than the form's edits.
    func counted(_ distance: Int?) -> Int? {
        let counted = distance.map { max($0, leastEdits) }
        return counted.flatMap { $0 <= edits ? $0 : nil }
    }

    /// Returns the letters of a word.
    static func letters(of word: [UInt8]) -> [UInt32] {
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
