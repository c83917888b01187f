// The log of the text changes in a transaction that are not in postings yet.
//
// A save appends to the log; a flush sorts the log by words, and writes each tail once. The log is only appended to, so
// an aborted nested transaction cuts it back.

import TroveCoding

/// The changes of postings and lengths in a transaction, in the order of the saves.
struct PendingText {
    /// The number of changes, of postings and of records, after which a writer flushes the log: 64 MB.
    static let limit = 4_000_000

    /// A changed record: its number, and its new number of words.
    struct Record {
        let id: UInt64
        let length: UInt64
        let lengthClass: UInt8
    }

    /// A change of a posting.
    struct Posting {
        let word: UInt64
        /// The index of the record in the log.
        let record: UInt32
        let change: Change
    }

    /// The new frequencies of a posting, in 4 bytes: inline if only a single field has the word.
    struct Change: Equatable {
        /// The record no longer has the word.
        static let removal = Change(bits: 0)
        /// The record has the word as often as before, and is shorter.
        static let lowering = Change(bits: 1)

        fileprivate let bits: UInt32
        fileprivate static let isInline: UInt32 = 0x8000_0000
        fileprivate static let inlineLimit: UInt32 = 1 << 27

        fileprivate init(bits: UInt32) { self.bits = bits }

        /// Whether the record has the word, and the frequencies are in the log.
        @inline(__always)
        var setsFrequencies: Bool { bits > 1 }
    }

    /// A point in the history of the log.
    struct Mark {
        var records = 0
        var postings = 0
        var frequencies = 0
    }

    let fields: Int
    private(set) var records: [Record] = []
    private(set) var postings: [Posting] = []
    /// The frequencies of postings with several fields.
    private var frequencies: [UInt32] = []

    init(fields: Int) { self.fields = fields }

    var mark: Mark { Mark(records: records.count, postings: postings.count, frequencies: frequencies.count) }

    // MARK: Changing

    /// Begins the changes of a record.
    mutating func beginRecord(_ id: UInt64, length: UInt64) {
        records.append(Record(id: id, length: length, lengthClass: LengthClass.of(length)))
    }

    /// Appends a change of the last record.
    @inline(__always)
    mutating func append(_ word: UInt64, _ change: Change) {
        postings.append(Posting(word: word, record: UInt32(records.count - 1), change: change))
    }

    /// Appends new frequencies of the last record.
    ///
    /// - Parameters:
    ///   - all: A list of frequencies.
    ///   - start: The index of the frequency in the first field. At least one field has the word.
    @inline(__always)
    mutating func append(_ word: UInt64, _ all: [UInt32], from start: Int) {
        if fields == 1, all[start] < Change.inlineLimit {
            return append(word, Change(bits: Change.isInline | all[start]))
        }
        appendSeveral(word, all, from: start)
    }

    private mutating func appendSeveral(_ word: UInt64, _ all: [UInt32], from start: Int) {
        var only = 0
        var used = 0
        for field in 0..<fields where all[start + field] > 0 {
            only = field
            used += 1
        }
        if used == 1, all[start + only] < Change.inlineLimit {
            append(word, Change(bits: Change.isInline | UInt32(only) << 27 | all[start + only]))
        } else {
            append(word, Change(bits: UInt32(frequencies.count + 2)))
            frequencies += all[start..<start + fields]
        }
    }

    /// Appends the frequencies of a change to postings.
    @inline(__always)
    func appendFrequencies(of change: Change, to postings: inout Postings) {
        if change.bits & Change.isInline != 0 {
            let field = Int((change.bits & ~Change.isInline) >> 27)
            let frequency = change.bits & (Change.inlineLimit - 1)
            for other in 0..<fields { postings.frequencies.append(other == field ? frequency : 0) }
        } else if change.setsFrequencies {
            let start = Int(change.bits) - 2
            for field in 0..<fields { postings.frequencies.append(frequencies[start + field]) }
        } else {
            for _ in 0..<fields { postings.frequencies.append(0) }
        }
    }

    /// Removes the changes after a mark.
    mutating func cut(to mark: Mark) {
        records.removeLast(records.count - mark.records)
        postings.removeLast(postings.count - mark.postings)
        frequencies.removeLast(frequencies.count - mark.frequencies)
    }

    // MARK: Order

    /// Returns the changes of postings after a mark: by words, the changes of a word in the order of the log.
    func sortedPostings(after mark: Mark) -> [Posting] {
        let changes = postings[mark.postings...]
        guard let first = changes.first else { return [] }
        var (least, greatest) = (first.word, first.word)
        for change in changes {
            least = min(least, change.word)
            greatest = max(greatest, change.word)
        }
        guard changes.count > 1000, greatest - least < 4 * UInt64(changes.count) else {
            return changes.sorted { ($0.word, $0.record) < ($1.word, $1.record) }
        }
        // The place of the next change of each word.
        var places = [Int](repeating: 0, count: Int(greatest - least) + 2)
        for change in changes { places[Int(change.word - least) + 1] += 1 }
        for index in 1..<places.count { places[index] += places[index - 1] }
        var sorted = [Posting](repeating: first, count: changes.count)
        for change in changes {
            let place = Int(change.word - least)
            sorted[places[place]] = change
            places[place] += 1
        }
        return sorted
    }
}
