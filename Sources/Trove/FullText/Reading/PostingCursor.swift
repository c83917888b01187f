// The postings of a word, in the order of the records: the blocks, then the tail.
//
// The key of a block ends with its last record, so the engine's tree is the skip list: a seek finds the block that may
// have a record. Its bounds are read without unpacking it, and it is unpacked only for a posting.

import LMDB
import TroveCoding

/// A cursor over the postings of a word.
///
/// A new cursor is before the first posting. ``end`` as the record means the end. Pages of a write transaction
/// change, so its blocks are copied; the postings are from the moment when a block was reached.
final class PostingCursor {
    /// The record after all postings.
    static let end = UInt64.max

    /// The number of the word.
    let word: UInt64
    /// The number of records with the word, in any field and in each field.
    private(set) var counts: DocumentCounts
    /// The current record; 0 before the first posting, ``end`` after the last.
    private(set) var id: UInt64 = 0

    /// The blocks; nil for postings in memory.
    private let blocks: BlockCursor?
    private var tail: Postings
    private let tailClass: UInt8
    private let tailBounds: [UInt8]

    /// The block at the cursor; nil in the tail, and before the first seek.
    private var block: PostingBlock?
    /// Whether the cursor has passed all blocks.
    private var isInTail = false
    /// The postings at the cursor: of the unpacked block, or of the tail.
    private var postings: Postings
    private var index = 0
    /// Whether the current record is at the index.
    private var isPlaced = false
    private var hasIDs = false
    private var hasFrequencies = false

    init(_ word: UInt64, _ tail: TailRow, _ reader: TextReader) throws(CodingError) {
        self.word = word
        counts = DocumentCounts(fields: tail.fields)
        try counts.read(tail)
        self.tail = Postings(fields: tail.fields)
        try tail.decode(into: &self.tail)
        tailClass = tail.leastLengthClass
        tailBounds = (0..<tail.fields).map { tail.greatestFrequency(of: $0) }
        postings = Postings(fields: tail.fields)
        blocks = BlockCursor(word, reader)
    }

    /// Creates a cursor over postings in memory, as if all of them were in a tail. They have no bounds.
    init(_ word: UInt64, _ postings: Postings, _ counts: DocumentCounts) {
        self.word = word
        self.counts = counts
        self.postings = Postings(fields: postings.fields)
        tail = postings
        tailClass = 0
        tailBounds = Array(repeating: .max, count: postings.fields)
        blocks = nil
        enterTail()
    }

    /// Opens the blocks of the word.
    func open() throws {
        if counts.all == UInt64(tail.count) { isInTail = true } else { try blocks?.open() }
        if isInTail { enterTail() }
    }

    // MARK: Moving

    /// Moves to the first posting of a record with at least a number. A cursor never moves back.
    ///
    /// - Returns: The record; ``end`` after the last posting.
    @inline(__always)
    @discardableResult
    func seek(_ target: UInt64) throws -> UInt64 {
        if id >= target { return id }
        return try move(to: target)
    }

    /// Moves to the next posting.
    ///
    /// - Returns: The record; ``end`` after the last posting.
    @inline(__always)
    @discardableResult
    func next() throws -> UInt64 {
        if isPlaced, index + 1 < postings.ids.count {
            index += 1
            id = postings.ids[index]
            return id
        }
        return id == Self.end ? id : try move(to: id + 1)
    }

    private func move(to target: UInt64) throws -> UInt64 {
        try reach(target)
        try unpackIDs()
        // A new block begins before the target, at it or after it; the distance is usually short.
        var low = index
        var high = postings.ids.count
        if low < high, postings.ids[low] < target {
            var step = 1
            while low + step < high, postings.ids[low + step] < target {
                low += step
                step *= 2
            }
            high = min(high, low + step)
            low += 1
            while low < high {
                let middle = (low + high) / 2
                if postings.ids[middle] < target { low = middle + 1 } else { high = middle }
            }
        }
        index = low
        isPlaced = true
        id = index < postings.ids.count ? postings.ids[index] : Self.end
        return id
    }

    /// Calls a closure with all postings, the postings of a block or of the tail at a time, and moves to the end.
    ///
    /// The cursor is before the first posting.
    func forEachRun(_ body: (Postings) throws -> Void) throws {
        var last: UInt64 = 0
        while last != Self.end {
            last = try reach(last + 1)
            try unpackIDs()
            try unpackFrequencies()
            try body(postings)
        }
        id = Self.end
    }

    /// The number of occurrences in a field of the current record.
    func frequency(of field: Int) throws -> UInt32 {
        guard isPlaced, id != Self.end else { return 0 }
        try unpackFrequencies()
        return postings.frequency(at: index, of: field)
    }

    // MARK: Bounds

    /// Moves to the block or tail that would have a record, without unpacking it. ``id`` is not changed, but its
    /// frequencies can no longer be read.
    ///
    /// - Returns: The last record for which the bounds hold; ``end`` in the tail.
    @discardableResult
    func reach(_ target: UInt64) throws -> UInt64 {
        if isInTail { return Self.end }
        if let block, block.lastID >= target { return block.lastID }
        isPlaced = false
        hasIDs = false
        hasFrequencies = false
        index = 0
        if tail.ids.first ?? Self.end > target {
            block = try blocks?.seek(target, from: block?.lastID)
        } else {
            block = nil
        }
        if let block { return block.lastID }
        enterTail()
        return Self.end
    }

    private func enterTail() {
        isInTail = true
        isPlaced = false
        block = nil
        (postings, tail) = (tail, postings)
        index = 0
        hasIDs = true
        hasFrequencies = true
    }

    /// A length class at or below the classes of the records for which the bounds hold.
    var leastLengthClass: UInt8 { block?.leastLengthClass ?? tailClass }

    /// A bound of the frequencies in a field of the records for which the bounds hold; 255 for no bound.
    func greatestFrequency(of field: Int) -> UInt8 { block?.greatestFrequency(of: field) ?? tailBounds[field] }

    // MARK: Unpacking

    // Numbers are unpacked outside of the property: for an access that lasts as long as a call, the compiler would have
    // each access to the property checked for conflicts while the program runs.

    private func unpackIDs() throws {
        guard !hasIDs, let block, let blocks else { return }
        var ids: [UInt64] = []
        (ids, postings.ids) = (postings.ids, ids)
        try blocks.reading { () throws(CodingError) in try block.decodeIDs(into: &ids) }
        postings.ids = ids
        hasIDs = true
    }

    private func unpackFrequencies() throws {
        guard !hasFrequencies, let block, let blocks else { return }
        var frequencies: [UInt32] = []
        (frequencies, postings.frequencies) = (postings.frequencies, frequencies)
        try blocks.reading { () throws(CodingError) in try block.decodeFrequencies(into: &frequencies) }
        postings.frequencies = frequencies
        hasFrequencies = true
    }
}
