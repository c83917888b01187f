// The changes of a word's postings, ready for a flush: a single change a record, in the order of the records.

import TroveCoding

/// The changes of the postings of a word.
struct PostingChanges {
    /// The treatment of a record.
    enum Kind: UInt8 {
        case removal
        /// The record becomes shorter.
        case lowering
        case frequencies
    }

    /// The records, and the new frequencies of records that get some.
    private(set) var postings: Postings
    private(set) var kinds: [Kind] = []
    /// Whether all records get new frequencies.
    private(set) var setsAll = true
    /// The length class of each record.
    private(set) var lengthClasses: [UInt8] = []

    init(fields: Int) { postings = Postings(fields: fields) }

    var count: Int { kinds.count }

    /// The least length class of all records.
    var leastLengthClass: UInt8 { lengthClasses.min() ?? LengthClass.greatest }

    /// Replaces the changes by the changes of a word.
    ///
    /// - Parameters:
    ///   - changes: Changes of a single word, in the order of the log.
    ///   - log: The log of the changes.
    mutating func read(_ changes: ArraySlice<PendingText.Posting>, of log: PendingText) {
        postings.removeAll()
        kinds.removeAll(keepingCapacity: true)
        lengthClasses.removeAll(keepingCapacity: true)
        setsAll = true
        var isSorted = true
        for change in changes {
            let record = log.records[Int(change.record)]
            if let last = postings.ids.last, last >= record.id { isSorted = false }
            append(change.change, record, log)
        }
        if !isSorted { sort() }
    }

    @inline(__always)
    private mutating func append(
        _ change: PendingText.Change, _ record: PendingText.Record, _ log: PendingText
    ) {
        postings.ids.append(record.id)
        log.appendFrequencies(of: change, to: &postings)
        kinds.append(change.setsFrequencies ? .frequencies : change == .lowering ? .lowering : .removal)
        if !change.setsFrequencies { setsAll = false }
        lengthClasses.append(record.lengthClass)
    }

    /// Sorts the changes by records, and combines the changes of a record.
    private mutating func sort() {
        let order = postings.ids.indices.sorted { (postings.ids[$0], $0) < (postings.ids[$1], $1) }
        var sorted = PostingChanges(fields: postings.fields)
        for index in order {
            if sorted.postings.ids.last == postings.ids[index] {
                sorted.replaceLast(by: self, at: index)
            } else {
                sorted.append(self, at: index)
            }
        }
        sorted.setsAll = setsAll
        self = sorted
    }

    private mutating func append(_ other: PostingChanges, at index: Int) {
        postings.append(other.postings, at: index)
        kinds.append(other.kinds[index])
        lengthClasses.append(other.lengthClasses[index])
    }

    /// Replaces the last change by a later change of the same record.
    private mutating func replaceLast(by other: PostingChanges, at index: Int) {
        let last = kinds.count - 1
        if other.kinds[index] == .lowering {
            lengthClasses[last] = min(lengthClasses[last], other.lengthClasses[index])
            return
        }
        kinds[last] = other.kinds[index]
        lengthClasses[last] = other.lengthClasses[index]
        for field in 0..<postings.fields {
            postings.frequencies[last * postings.fields + field] = other.postings.frequency(at: index, of: field)
        }
    }

    /// Returns the index of the first change after a record.
    func firstIndex(after id: UInt64, from start: Int) -> Int {
        var index = start
        while index < count, postings.ids[index] <= id { index += 1 }
        return index
    }
}
