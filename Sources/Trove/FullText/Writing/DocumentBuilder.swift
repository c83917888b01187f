// The words of a record, counted and encoded while the analyzer finds them.

import LMDB
import TroveCoding

/// The row of a document in the making, and the frequencies of its words.
struct DocumentBuilder {
    private let fields: Int
    private let keepsOrder: Bool
    private(set) var lengths: [UInt64]
    /// The different words.
    private(set) var words: [UInt64] = []
    /// The frequencies of the first word in each field, then of the second word, and so on.
    private(set) var frequencies: [UInt32] = []
    /// The fields so far, and the stream of the current field.
    private var content: [UInt8] = []
    private var stream: [UInt8] = []
    /// The length of the current field, and the position after its last word.
    private var length: UInt64 = 0
    private var position = 0

    init(fields: Int, keepsOrder: Bool) {
        self.fields = fields
        self.keepsOrder = keepsOrder
        lengths = [UInt64](repeating: 0, count: fields)
    }

    /// Whether this is the stored document, and was not read because the new document is equal.
    private(set) var isEqualToStored = false

    /// The number of words in all fields.
    var totalLength: UInt64 { lengths.reduce(0, &+) }

    /// Begins the next document.
    mutating func begin() {
        isEqualToStored = false
        words.removeAll(keepingCapacity: true)
        frequencies.removeAll(keepingCapacity: true)
        content.removeAll(keepingCapacity: true)
        for field in 0..<fields { lengths[field] = 0 }
    }

    /// Begins a field.
    mutating func beginField() {
        stream.removeAll(keepingCapacity: true)
        length = 0
        position = 0
    }

    /// Adds a word of the current field.
    ///
    /// - Parameters:
    ///   - word: The word's number.
    ///   - use: The word's place among the words of the document, and whether it is a first use.
    ///   - wordPosition: The word's position in the field, at least the position of the word before.
    @inline(__always)
    mutating func add(_ word: UInt64, _ use: (place: Int, isFirst: Bool), at wordPosition: Int, in field: Int) {
        if use.isFirst {
            words.append(word)
            for _ in 0..<fields { frequencies.append(0) }
        }
        frequencies[use.place &* fields &+ field] &+= 1
        length &+= 1
        guard keepsOrder else { return }
        if wordPosition > position {
            OrderedStream.appendGap(wordPosition - position, to: &stream)
        } else if wordPosition < position {
            stream += OrderedStream.samePosition
            return LEB128.append(word, to: &stream)
        }
        position = max(position, wordPosition) + 1
        LEB128.append(word, to: &stream)
    }

    /// Ends a field.
    mutating func endField(_ field: Int) {
        if !keepsOrder { writeUnorderedStream(of: field) }
        lengths[field] = length
        LEB128.append(length, to: &content)
        LEB128.append(stream.count, to: &content)
        content += stream
    }

    private mutating func writeUnorderedStream(of field: Int) {
        let places = words.indices.filter { frequencies[$0 * fields + field] > 0 }
        var last: UInt64 = 0
        for place in places.sorted(by: { words[$0] < words[$1] }) {
            UnorderedStream.append(
                words[place], after: last, frequency: frequencies[place * fields + field], to: &stream)
            last = words[place]
        }
    }

    /// Appends the content of the document's row.
    func append(to row: inout [UInt8]) { row += content }

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
