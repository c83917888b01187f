// The occurrences of a phrase in the words of a field.

import LMDB
import TroveCoding

/// A word of a phrase.
enum PhraseWord: Hashable, Sendable {
    /// The word with a number.
    case word(UInt64)
    /// Any of the words with numbers, such as the words with a common beginning.
    case anyOf(Set<UInt64>)

    @inline(__always)
    func contains(_ number: UInt64) -> Bool {
        switch self {
        case .word(let word): word == number
        case .anyOf(let words): words.contains(number)
        }
    }
}

/// The rule for finding the words of a phrase in a field.
struct PhraseMatcher: Sendable {
    /// The arrangement of the words.
    enum Arrangement: Hashable, Sendable {
        /// In order, at their distances.
        case exact
        /// In order, with at most so many other words in between.
        case slop(Int)
        /// In any order, with at most so many other words in between.
        case near(Int)
    }

    /// The greatest number of words in between: fewer than the positions between two elements.
    static let slopLimit = 99

    let words: [PhraseWord]
    /// The distances of the words from the first word.
    let offsets: [Int]
    let arrangement: Arrangement
    let atStart: Bool
    /// The different words, and the place of each word among them.
    let different: [PhraseWord]
    private let numbers: [Int]
    /// The bytes of the words in a stream, if these alone find the phrase.
    private let bytes: [UInt8]?
    private let sharesPositions: Bool

    /// - Parameter sharesPositions: Whether several words of a text may have the same position.
    init(
        _ words: [PhraseWord], offsets: [Int], _ arrangement: Arrangement, atStart: Bool, sharesPositions: Bool = true
    ) {
        self.sharesPositions = sharesPositions
        self.words = words
        self.offsets = offsets
        self.arrangement = arrangement
        self.atStart = atStart
        let plain = words.compactMap { word -> UInt64? in if case .word(let number) = word { number } else { nil } }
        let isPlain =
            arrangement == .exact && !atStart && plain.count == words.count && words.count > 1
            && offsets == Array(words.indices)
        bytes = isPlain ? OrderedStream.bytes(of: plain) : nil
        var places: [PhraseWord: Int] = [:]
        var different: [PhraseWord] = []
        numbers = words.map { word in
            if let known = places[word] { return known }
            places[word] = different.count
            different.append(word)
            return different.count - 1
        }
        self.different = different
    }

    /// Returns a bound of the number of occurrences, given the frequencies of the words.
    func countBound(_ frequency: (_ word: Int) throws -> Double) rethrows -> Double {
        switch arrangement {
        case .exact: try words.indices.reduce(.infinity) { min($0, try frequency($1)) }
        case .slop: try frequency(0)
        case .near: try words.indices.reduce(0) { $0 + (try frequency($1)) }
        }
    }

    /// Returns the number of occurrences in a field.
    ///
    /// - Exact, and with slop: the places of the first word from which the others follow.
    /// - Near: the places of any of the words from which all of the words follow within the distance.
    func count(in stream: ByteView) throws(CodingError) -> Int {
        if let bytes, !sharesPositions || !OrderedStream.sharesPositions(stream) {
            return ByteView.with(bytes) { OrderedStream.occurrences(of: $0, in: stream) }
        }
        var places = PhrasePlaces(of: self)
        var reader = OrderedStream(stream)
        while let next = try reader.next() {
            places.begin(at: next.position)
            for index in different.indices where different[index].contains(next.word) { places.add(index) }
        }
        var count = 0
        forEachOccurrence(in: places) { _ in count += 1 }
        return count
    }

    /// The words of an occurrence: each is one of ``different``, with places in the list of its positions.
    typealias Occurrence = [(word: Int, places: Range<Int>)]

    /// Calls a closure with each occurrence of the phrase in a field.
    func forEachOccurrence(in places: PhrasePlaces, _ body: (Occurrence) -> Void) {
        if places.starts.isEmpty || places.positions.contains(where: \.isEmpty) { return }
        switch arrangement {
        case .exact: forEachOccurrence(in: places, slop: 0, body)
        case .slop(let slop): forEachOccurrence(in: places, slop: slop, body)
        case .near(let others): forEachOccurrence(in: places.positions, span: words.count + others, body)
        }
    }

    /// Visits each position of the first word that the other words follow, each as near as possible.
    ///
    /// The next position of each word ascends with the first word's, so that each list is read once.
    private func forEachOccurrence(in places: PhrasePlaces, slop: Int, _ body: (Occurrence) -> Void) {
        let positions = places.positions
        var next = [Int](repeating: 0, count: words.count)
        var found: Occurrence = numbers.map { (word: $0, places: 0..<0) }
        starts: for first in places.starts {
            let start = positions[0][first]
            found[0].places = first..<first + 1
            var position = start
            for index in words.indices.dropFirst() {
                let list = numbers[index]
                let least = position + offsets[index] - offsets[index - 1]
                while next[index] < positions[list].count, positions[list][next[index]] < least { next[index] += 1 }
                guard next[index] < positions[list].count else { return }
                position = positions[list][next[index]]
                if position - start - offsets[index] > slop { continue starts }
                found[index].places = next[index]..<next[index] + 1
            }
            body(found)
        }
    }

    /// Visits each position of words from which each word has a position of its own within a span, ascending.
    private func forEachOccurrence(in positions: [[Int]], span: Int, _ body: (Occurrence) -> Void) {
        // Words may have equal positions: as many of them are needed.
        var groups: [(word: Int, needed: Int)] = []
        for (index, list) in positions.enumerated() {
            let needed = numbers.count { $0 == index }
            if let known = groups.firstIndex(where: { positions[$0.word] == list }) {
                groups[known].needed += needed
            } else {
                groups.append((index, needed))
            }
        }
        // The first place of each word at or after the start. The starts ascend, so each list is read once.
        var next = [Int](repeating: 0, count: groups.count)
        var found: Occurrence = []
        while true {
            var start = Int.max
            for (index, group) in groups.enumerated() where next[index] < positions[group.word].count {
                start = min(start, positions[group.word][next[index]])
            }
            found.removeAll(keepingCapacity: true)
            for (index, group) in groups.enumerated() {
                let last = next[index] + group.needed - 1
                // Nor has a later start as many words.
                guard last < positions[group.word].count else { return }
                guard positions[group.word][last] - start < span else { break }
                found.append((group.word, next[index]..<last + 1))
            }
            if found.count == groups.count { body(found) }
            for (index, group) in groups.enumerated() {
                let list = positions[group.word]
                while next[index] < list.count, list[next[index]] == start { next[index] += 1 }
            }
        }
    }
}
