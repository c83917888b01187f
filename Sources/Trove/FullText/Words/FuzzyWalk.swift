// A walk over the words of an index, in the order of their bytes, to the words within some edits of a word.
//
// The edit distances of a beginning are computed once for all words with it: the table has a row for each letter of the
// last word. Where no word within the edits can follow, the walk seeks the next beginning that can have one.
//
//     pattern = store, 1 edit
//     stake      sta is possible: 1 edit; stak is not. After sta, only o or r can follow
//     star…      the next seek: staro
//
// The memory suffices for a word of 255 bytes: a longer word is compared as a whole, from its tail.

import LMDB
import TroveCoding
import TroveText

/// A walk over the words of an index within some edits of a form of a word.
struct FuzzyWalk {
    private let form: FuzzyPattern.Form
    private let words: RowTable
    private var table: EditTable
    /// The key of the last word, and the ends of its letters in the table.
    private var key: [UInt8] = []
    private var ends: [Int] = []

    init(_ form: FuzzyPattern.Form, _ words: RowTable) {
        self.form = form
        self.words = words
        table = EditTable(form.letters, edits: form.edits)
    }

    /// A word on the walk.
    private enum Place {
        /// The word is within the edits, or the words with it as a beginning can be.
        case possible(edits: Int?)
        /// The word is too long for its key. Its key has its beginning.
        case long
        /// Words within the edits come after a key only.
        case before(key: [UInt8])
        /// There are no further words within the edits.
        case end
    }

    /// Calls a closure with each word: its key, its number, and its edits or nil if they are to be found out.
    mutating func forEach(
        _ reader: TextReader, _ body: (_ key: ByteView, _ number: UInt64, _ edits: Int?) throws -> Void
    ) throws {
        guard var cursor = try reader.keyspace.seeks(in: words.database) else { return }
        var first: [UInt8] = []
        if form.keepsFirstLetter, let letter = form.letters.first { first.append(scalar: letter) }
        // No word is empty.
        var entry = try ByteView.with(first.isEmpty ? [0] : first) { try cursor.seek($0) }
        while let found = entry, found.key.starts(with: first) {
            let number = try reader.wordNumber(in: found)
            var next: [UInt8]?
            switch try move(to: found.key) {
            case .possible(let edits?): try body(found.key, number, edits)
            case .possible(nil): break
            case .long: try body(found.key, number, nil)
            case .before(let key): next = key
            case .end: return
            }
            if let next {
                entry = try ByteView.with(next) { try cursor.seek($0) }
            } else {
                entry = try cursor.next()
            }
        }
    }

    /// Moves the table to a word.
    private mutating func move(to word: ByteView) throws -> Place {
        let common = try commonBeginning(with: word)
        while let end = ends.last, end > common {
            ends.removeLast()
            _ = table.removeLast()
        }
        key.removeSubrange(common...)
        word.dropFirst(common).append(to: &key)
        var offset = ends.last ?? 0
        while offset < key.count {
            if key[offset] == WordKey.hashMark {
                guard key.count == offset + WordKey.hashSize + 1 else { throw words.damaged(key) }
                return .long
            }
            guard let (letter, size) = letter(at: offset) else { throw words.damaged(key) }
            guard table.append(letter) else { return place(after: letter, to: offset + size) }
            offset += size
            ends.append(offset)
        }
        return .possible(edits: form.counted(table.distance))
    }

    /// Returns the number of bytes that a word begins with, as the last word does.
    private func commonBeginning(with word: ByteView) throws -> Int {
        let limit = min(word.count, key.count)
        var common = 0
        while common < limit, word[common] == key[common] { common += 1 }
        // Keys ascend: otherwise a damaged table may lead to the same words again.
        guard common < word.count, common == key.count || word[common] > key[common] else {
            throw words.damaged(word)
        }
        return common
    }

    /// Returns the place after all words with the letters of the table and one more letter.
    ///
    /// - Parameter end: The end of the letter in the last word.
    private mutating func place(after letter: UInt32, to end: Int) -> Place {
        var (letter, end) = (letter, end)
        while true {
            let start = ends.last ?? 0
            switch table.nextLetter(after: letter) {
            case .any:
                // No last byte of a scalar is greater than BF.
                var next = Array(key[..<end])
                next[end - 1] += 1
                return .before(key: next)
            case .letter(let letter):
                var next = Array(key[..<start])
                next.append(scalar: letter)
                return .before(key: next)
            case .none:
                // The keys of long words with this beginning come after all other words with it.
                if WordKey.headSizes.contains(start) { return .before(key: key[..<start] + [WordKey.hashMark]) }
                guard !ends.isEmpty else { return .end }
                end = ends.removeLast()
                letter = table.removeLast()
            }
        }
    }

    /// Returns the scalar at an offset of the key and the number of its bytes; nil for bytes that are not UTF-8.
    private func letter(at offset: Int) -> (UInt32, Int)? {
        if key[offset] < 0x80 { return (UInt32(key[offset]), 1) }
        let (letter, size) = key.withRawSpan { $0.scalar(at: offset) }
        return size > 1 ? (letter, size) : nil
    }
}

extension TextReader {
    /// Returns the words within some edits of a word, in the order of their numbers.
    func words(near pattern: FuzzyPattern) throws -> [FuzzyWord] {
        var found: [UInt64: FuzzyWord] = [:]
        for form in pattern.forms {
            var walk = FuzzyWalk(form, parts.words)
            try walk.forEach(self) { key, number, edits in
                guard found[number].map({ $0.edits > edits ?? 0 }) ?? true else { return }
                if let edits { return found[number] = FuzzyWord(word: key.copy(), edits: edits, number: number) }
                guard let word = try word(number) else { throw parts.words.damaged(key) }
                guard let edits = pattern.edits(of: word) else { return }
                found[number] = FuzzyWord(word: word, edits: edits, number: number)
            }
        }
        return found.values.sorted { $0.number < $1.number }
    }
}
