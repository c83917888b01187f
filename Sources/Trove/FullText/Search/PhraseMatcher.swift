// The occurrences of a phrase in the words of a field.

import LMDB
import TroveCoding

/// A word of a phrase.
enum PhraseWord: Hashable, Sendable {
    /// The word with a number.
    case word(UInt64)
    /// Any of the words with numbers, such as those of a common beginning.
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
    /// The positions between two elements of a property.
    private static let elementGap = 100

    let words: [PhraseWord]
    /// The distances of the words from the first word.
    let offsets: [Int]
    let arrangement: Arrangement
    let atStart: Bool
    /// The different words, and the place of each word among them.
    private let different: [PhraseWord]
    private let numbers: [Int]
    /// The bytes of the words in a stream, if these alone find the phrase.
    private let bytes: [UInt8]?

    init(_ words: [PhraseWord], offsets: [Int], _ arrangement: Arrangement, atStart: Bool) {
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
        if let bytes, !OrderedStream.sharesPositions(stream) {
            return ByteView.with(bytes) { OrderedStream.occurrences(of: $0, in: stream) }
        }
        let (starts, places) = try places(in: stream)
        if starts.isEmpty || places.contains(where: \.isEmpty) { return 0 }
        switch arrangement {
        case .exact: return count(from: starts, places, slop: 0)
        case .slop(let slop): return count(from: starts, places, slop: slop)
        case .near(let others): return near(places, span: words.count + others)
        }
    }

    /// Returns the positions of the first word, and those of each different word, in a field.
    private func places(in stream: ByteView) throws(CodingError) -> (starts: [Int], places: [[Int]]) {
        var starts: [Int] = []
        var places = [[Int]](repeating: [], count: different.count)
        var reader = OrderedStream(stream)
        var last = -Self.elementGap
        while let next = try reader.next() {
            let isStart = next.position - last >= Self.elementGap || next.position == 0
            last = next.position
            for index in different.indices where different[index].contains(next.word) {
                if index == 0, !atStart || isStart { starts.append(next.position) }
                places[index].append(next.position)
            }
        }
        return (starts, places)
    }

    /// Returns the number of positions of the first word that the other words follow, each as near as possible.
    ///
    /// The next position of each word ascends with the first word's, so that each list is read once.
    private func count(from starts: [Int], _ places: [[Int]], slop: Int) -> Int {
        var next = [Int](repeating: 0, count: words.count)
        var count = 0
        starts: for start in starts {
            var position = start
            for index in words.indices.dropFirst() {
                let list = numbers[index]
                let least = position + offsets[index] - offsets[index - 1]
                while next[index] < places[list].count, places[list][next[index]] < least { next[index] += 1 }
                guard next[index] < places[list].count else { return count }
                position = places[list][next[index]]
                if position - start - offsets[index] > slop { continue starts }
            }
            count += 1
        }
        return count
    }

    /// Returns the number of positions of words from which each word has a position of its own within a span.
    private func near(_ places: [[Int]], span: Int) -> Int {
        // Words may have equal positions: as many of them are needed.
        var groups: [(places: [Int], needed: Int)] = []
        for (index, list) in places.enumerated() {
            let needed = numbers.count { $0 == index }
            if let known = groups.firstIndex(where: { $0.places == list }) {
                groups[known].needed += needed
            } else {
                groups.append((list, needed))
            }
        }
        let starts = Set(groups.flatMap(\.places))
        return starts.count { start in
            groups.allSatisfy { group in
                var (low, high) = (0, group.places.count)
                while low < high {
                    let middle = (low + high) / 2
                    if group.places[middle] < start { low = middle + 1 } else { high = middle }
                }
                let last = low + group.needed - 1
                return last < group.places.count && group.places[last] < start + span
            }
        }
    }
}
