// Collections of texts: from a file of `scripts/texts`, or of random words.

import Foundation

/// A collection of texts, and the parts of queries. Both are made when they are first needed.
final class TextCollection: Sendable {
    let name: String
    let count: Int
    private let made: Once<[Entry]>
    private let counted: Once<Vocabulary>

    private init(_ name: String, count: Int, _ make: @escaping @Sendable () -> [Entry]) {
        self.name = name
        self.count = count
        let made = Once(make)
        self.made = made
        counted = Once { Vocabulary(made.value) }
    }

    var entries: [Entry] { made.value }
    var vocabulary: Vocabulary { counted.value }

    // MARK: Sources

    /// Returns the first texts of a file; as many random texts, if there is no such file.
    static func file(_ name: String, in directory: URL?, atMost limit: Int) -> TextCollection {
        guard let directory, let data = try? Data(contentsOf: directory.appending(path: name + ".tsv")) else {
            return random(min(limit, 120_000))
        }
        let lines = data.split(separator: UInt8(ascii: "\n"), maxSplits: min(limit, data.count)).prefix(limit)
        let entries = lines.enumerated().map { number, line in
            let columns = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1, omittingEmptySubsequences: false)
            return Entry(
                number: number, title: String(decoding: columns[0], as: UTF8.self),
                body: String(decoding: columns.count > 1 ? columns[1] : Data(), as: UTF8.self))
        }
        return TextCollection(name, count: entries.count) { entries }
    }

    /// Returns texts of some twenty random words. The frequencies of the words follow Zipf's law.
    ///
    /// - Parameter words: The number of possible words; nil for some two for each text.
    static func random(_ count: Int, words: Int? = nil) -> TextCollection {
        TextCollection("\(count) random texts", count: count) {
            var random = SplitMix64(state: 2023)
            let end = log(Double(words ?? 2 * count + 1000))
            func text(_ count: Int) -> String {
                (0..<count).map { _ in word(Int(exp(Double.random(in: 0..<end, using: &random)))) }
                    .joined(separator: " ")
            }
            return (0..<count).map { number in
                Entry(number: number, title: text(2), body: text(Int.random(in: 8...32, using: &random)))
            }
        }
    }

    /// Returns the word with a rank: syllables, so that many words have a beginning in common.
    private static func word(_ rank: Int) -> String {
        let (consonants, vowels) = (Array("bcdfghklmnprstvw"), Array("aeio"))
        var rest = rank
        var word = ""
        repeat {
            word.append(consonants[rest % 16])
            word.append(vowels[rest / 16 % 4])
            rest /= 64
        } while rest > 0
        return word
    }

    // MARK: Long texts

    /// Returns texts of 1,800 words, each of several bodies.
    func longTexts(_ count: Int) -> [String] {
        let entries = entries
        var place = 7
        return (0..<count).map { _ in
            var words: [Substring] = []
            while words.count < 1800 {
                words += entries[place % entries.count].body.split(separator: " ")
                place += 37
            }
            return words.prefix(1800).joined(separator: " ")
        }
    }
}

/// The words of a collection, the commonest first.
struct Vocabulary: Sendable {
    private let words: [String]
    private let phrases: [[String]]
    private let ranks: [String: Int]

    init(_ entries: [Entry]) {
        var counts: [Substring: Int] = [:]
        var phrases: [[String]] = []
        for (number, entry) in entries.enumerated() {
            let words = Self.words(of: entry.body)
            for word in Set(words) { counts[word, default: 0] += 1 }
            // Enough pairs of neighbors for every band of words.
            guard number % max(1, entries.count / 5000) == 0 else { continue }
            phrases += zip(words, words.dropFirst()).filter { $0 != $1 }.map { [String($0), String($1)] }
        }
        words = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { String($0.key) }
        ranks = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($1, $0) })
        self.phrases = phrases
    }

    /// Returns the words of a text that every tokenizer finds: runs of lowercase letters.
    private static func words(of text: String) -> [Substring] {
        text.split { $0 == " " }.filter { word in word.utf8.allSatisfy { 97...122 ~= $0 } }
    }

    /// Returns pairs of different words with ranks in a range.
    func pairs(_ count: Int, _ band: Range<Int>, _ other: Range<Int>? = nil) -> [[String]] {
        var random = SplitMix64(state: 2024)
        func word(_ band: Range<Int>) -> String {
            let band = band.clamped(to: 0..<words.count)
            return words[band.isEmpty ? words.count - 1 : Int.random(in: band, using: &random)]
        }
        return (0..<count).map { _ in [word(band), word(other ?? band)] }
    }

    /// Returns pairs of neighbors with ranks in a range.
    func phrases(_ count: Int, _ band: Range<Int>) -> [[String]] {
        var random = SplitMix64(state: 2025)
        let found = phrases.filter { $0.allSatisfy { band.contains(ranks[$0] ?? .max) } }
        let some = found.isEmpty ? phrases : found
        return (0..<count).compactMap { _ in some.randomElement(using: &random) }
    }

    /// Returns parts of words with ranks in a range: of 3 to 8 letters, as many of each length.
    func parts(_ count: Int, _ band: Range<Int>) -> [String] {
        var random = SplitMix64(state: 2026)
        let words = pairs(20 * count, band).map(\.[0])
        return (0..<count).compactMap { number in
            let length = 3 + number % 6
            guard let word = words.filter({ $0.count >= length }).randomElement(using: &random) else { return nil }
            let start = Int.random(in: 0...word.count - length, using: &random)
            return String(word.dropFirst(start).prefix(length))
        }
    }

    /// Returns the beginnings of words with ranks in a range.
    func beginnings(_ count: Int, of length: Int, _ band: Range<Int>) -> [String] {
        pairs(4 * count, band).map(\.[0]).filter { $0.count >= length }.prefix(count).map { String($0.prefix(length)) }
    }
}
