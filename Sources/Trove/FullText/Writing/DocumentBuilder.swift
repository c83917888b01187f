// The words of a record, counted and encoded while the analyzer finds them.

import LMDB
import TroveCoding

/// The row of a document in the making, and the frequencies of its words.
struct DocumentBuilder {
    private let fields: Int
    private let keepsOrder: Bool
    /// The number of this document among those of the builder: the words of the table note it.
    private(set) var document: UInt64 = 0
    private(set) var lengths: [UInt64]
    /// The different words.
    private(set) var words: [UInt64] = []
    /// The frequencies of the first word in each field, then of the second word, and so on.
    private(set) var frequencies: [UInt32] = []
    private var streams: [[UInt8]]
    /// The position after the last word of the current field.
    private var position = 0

    init(fields: Int, keepsOrder: Bool) {
        self.fields = fields
        self.keepsOrder = keepsOrder
        lengths = [UInt64](repeating: 0, count: fields)
        streams = [[UInt8]](repeating: [], count: fields)
    }

    /// Whether this is the stored document, and was not read because the new document is equal.
    private(set) var isEqualToStored = false

    /// The number of words in all fields.
    var totalLength: UInt64 { lengths.reduce(0, &+) }

    /// Begins the next document.
    mutating func begin() {
        document += 1
        isEqualToStored = false
        words.removeAll(keepingCapacity: true)
        frequencies.removeAll(keepingCapacity: true)
        for field in 0..<fields {
            lengths[field] = 0
            streams[field].removeAll(keepingCapacity: true)
        }
    }

    /// Begins a field.
    mutating func beginField() { position = 0 }

    /// Adds a word of the current field.
    ///
    /// - Parameters:
    ///   - word: The word's number.
    ///   - use: The word's place among the words of the document, and whether it is a first use.
    ///   - wordPosition: The word's position in the field, greater than that of the word before.
    @inline(__always)
    mutating func add(_ word: UInt64, _ use: (place: Int, isFirst: Bool), at wordPosition: Int, in field: Int) {
        if use.isFirst {
            words.append(word)
            for _ in 0..<fields { frequencies.append(0) }
        }
        frequencies[use.place &* fields &+ field] &+= 1
        lengths[field] &+= 1
        guard keepsOrder else { return }
        if wordPosition > position { OrderedStream.appendGap(wordPosition - position, to: &streams[field]) }
        position = max(position, wordPosition) + 1
        LEB128.append(word, to: &streams[field])
    }

    /// Appends the content of the document's row.
    mutating func append(to row: inout [UInt8]) {
        if !keepsOrder { writeUnorderedStreams() }
        for field in 0..<fields {
            LEB128.append(lengths[field], to: &row)
            LEB128.append(streams[field].count, to: &row)
            row += streams[field]
        }
    }

    private mutating func writeUnorderedStreams() {
        let order = words.indices.sorted { words[$0] < words[$1] }
        for field in 0..<fields {
            var last: UInt64 = 0
            for place in order where frequencies[place * fields + field] > 0 {
                UnorderedStream.append(
                    words[place], after: last, frequency: frequencies[place * fields + field], to: &streams[field])
                last = words[place]
            }
        }
    }

    /// Returns whether a word has the same frequencies as a word of another document.
    func hasFrequencies(at place: Int, of other: DocumentBuilder, at otherPlace: Int) -> Bool {
        for field in 0..<fields
        where frequencies[place * fields + field] != other.frequencies[otherPlace * fields + field] { return false }
        return true
    }

    // MARK: From stored rows

    mutating func noteEqual() { isEqualToStored = true }

    /// Reads the words of a stored document.
    mutating func read(_ row: DocumentRow) throws(CodingError) {
        begin()
        // A word and a field in a number: equal ones are counted after sorting.
        var uses: [UInt64] = []
        for field in 0..<fields {
            let (length, stream) = try row.field(field)
            lengths[field] = length
            if keepsOrder {
                var words = OrderedStream(stream)
                while let (word, _) = try words.next() { uses.append(word << 4 | UInt64(field)) }
            } else {
                var words = UnorderedStream(stream)
                while let (word, frequency) = try words.next() { try add(word, field, frequency) }
            }
        }
        if keepsOrder {
            uses.sort()
            for use in uses { try add(use >> 4, Int(use & 15), 1) }
        } else if fields > 1 {
            sortByWords()
        }
    }

    /// Adds uses of a word. Equal words follow each other.
    private mutating func add(_ word: UInt64, _ field: Int, _ frequency: UInt32) throws(CodingError) {
        if words.last != word {
            words.append(word)
            for _ in 0..<fields { frequencies.append(0) }
        }
        let place = (words.count - 1) * fields + field
        let (sum, overflow) = frequencies[place].addingReportingOverflow(frequency)
        guard !overflow else { throw CodingError(.malformed(expected: "a frequency")) }
        frequencies[place] = sum
    }

    /// Sorts the words by their numbers, and merges equal words.
    mutating func sortByWords() {
        guard zip(words, words.dropFirst()).contains(where: { $0 >= $1 }) else { return }
        let order = words.indices.sorted { words[$0] < words[$1] }
        var sorted: [UInt64] = []
        var sums: [UInt32] = []
        for place in order {
            if sorted.last != words[place] {
                sorted.append(words[place])
                for _ in 0..<fields { sums.append(0) }
            }
            for field in 0..<fields {
                sums[sums.count - fields + field] &+= frequencies[place * fields + field]
            }
        }
        words = sorted
        frequencies = sums
    }
}
