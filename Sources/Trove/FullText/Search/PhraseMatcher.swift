// The occurrences of a phrase in the words of a field.

import LMDB
import TroveCoding

/// A word of a phrase.
enum PhraseWord: Hashable, Sendable {
    /// The word with a number.
    case word(UInt64)
    /// Any of the words with numbers, of a common beginning.
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
    /// The bytes of the words in a stream, if these alone find the phrase.
    private let bytes: [UInt8]?

    init(_ words: [PhraseWord], offsets: [Int], _ arrangement: Arrangement, atStart: Bool) {
        self.words = words
        self.offsets = offsets
        self.arrangement = arrangement
        self.atStart = atStart
        let numbers = words.compactMap { word -> UInt64? in if case .word(let number) = word { number } else { nil } }
        let isPlain =
            arrangement == .exact && !atStart && numbers.count == words.count && words.count > 1
            && offsets == Array(words.indices)
        bytes = isPlain ? OrderedStream.bytes(of: numbers) : nil
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
        if let bytes { return ByteView.with(bytes) { OrderedStream.occurrences(of: $0, in: stream) } }
        let places = try places(in: stream)
        if places.contains(where: \.isEmpty) { return 0 }
        switch arrangement {
        case .exact: return places[0].count { start in follows(start, places, slop: 0) }
        case .slop(let slop): return places[0].count { start in follows(start, places, slop: slop) }
        case .near(let others): return Self.near(places, span: words.count + others)
        }
    }

    /// Returns the positions of each word in a field.
    private func places(in stream: ByteView) throws(CodingError) -> [[Int]] {
        var places = [[Int]](repeating: [], count: words.count)
        var reader = OrderedStream(stream)
        var last = -Self.elementGap
        while let next = try reader.next() {
            let isStart = next.position - last >= Self.elementGap || next.position == 0
            last = next.position
            for index in words.indices where words[index].contains(next.word) {
                if index == 0, atStart, !isStart { continue }
                places[index].append(next.position)
            }
        }
        return places
    }

    /// Returns whether the other words follow the first word, each as near as possible.
    private func follows(_ start: Int, _ places: [[Int]], slop: Int) -> Bool {
        var position = start
        for index in places.indices.dropFirst() {
            let least = position + offsets[index] - offsets[index - 1]
            guard let next = Self.first(in: places[index], atLeast: least) else { return false }
            position = next
            if position - start - offsets[index] > slop { return false }
        }
        return true
    }

    /// Returns the first of some ascending positions that is not less than a position.
    private static func first(in places: [Int], atLeast position: Int) -> Int? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low < places.count ? places[low] : nil
    }

    /// Returns the number of positions of words from which each word has a position of its own within a span.
    private static func near(_ places: [[Int]], span: Int) -> Int {
        // Equal words have equal positions: as many of them are needed.
        var groups: [(places: [Int], needed: Int)] = []
        for list in places {
            if let known = groups.firstIndex(where: { $0.places == list }) {
                groups[known].needed += 1
            } else {
                groups.append((list, 1))
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
