// A tail: a word, the number of its records, and its latest postings, which no block has yet.
//
//     key      = word number(5)
//     content  = size(LEB) word df(LEB) [F × fieldDF(LEB)] F × greatestFrequency(1) leastLengthClass(1) count(LEB)
//                count × posting                                        fieldDF: only if F > 1; count < 128
//     posting  = gap‖more(LEB) [frequency(LEB)]                         F = 1
//              | gap(LEB) fields‖more(LEB) [frequency(LEB) of each of the fields]               F > 1
//     gap      = record number − record number before; the first: the record number
//     more     = lowest bit: whether a frequency is greater than 1; otherwise none is stored
//     fields   = a bit for each field with the word, the first field's bit lowest
//
// The record numbers of a tail are greater than the record numbers of all blocks of the word. The bounds are computed
// from the tail's own postings; they hold, and need not be tight.

import LMDB
import TroveCoding

/// The view of a stored tail. It is valid as long as the bytes.
struct TailRow {
    /// The number of postings that become a block.
    static let capacity = PostingBlock.capacity

    let fields: Int
    /// The word's bytes, all of them.
    let word: ByteView
    /// The number of records with the word, in blocks and in the tail.
    let documentCount: UInt64
    /// A length class at or below the classes of all records in the tail.
    let leastLengthClass: UInt8
    /// The number of postings in the tail.
    let count: Int
    private let content: ByteView
    private let countsOffset: Int
    private let boundsOffset: Int
    private let postingsOffset: Int

    /// Reads the beginning of a tail.
    init(_ content: ByteView, fields: Int) throws(CodingError) {
        self.content = content
        self.fields = fields
        var reader = ValueReader(content)
        let size = try reader.readCount()
        word = content[reader.offset..<reader.offset + size]
        try reader.skip(size)
        documentCount = try reader.readNumber(atMost: RowNumber.limit)
        countsOffset = reader.offset
        if fields > 1 {
            for _ in 0..<fields { _ = try reader.readNumber(atMost: documentCount) }
        }
        boundsOffset = reader.offset
        try reader.skip(fields)
        leastLengthClass = try reader.readByte()
        count = Int(try reader.readNumber(atMost: UInt64(Self.capacity - 1)))
        guard count <= documentCount else { throw reader.malformed("at most \(documentCount) postings") }
        postingsOffset = reader.offset
    }

    /// Returns the number of records with the word in a field.
    func documentCount(in field: Int) throws(CodingError) -> UInt64 {
        guard fields > 1 else { return documentCount }
        var reader = ValueReader(content, at: countsOffset)
        for _ in 0..<field { _ = try reader.readLength() }
        return try reader.readNumber(atMost: documentCount)
    }

    /// Returns a bound of the frequencies in a field of the tail; 255 for no bound.
    @inline(__always)
    func greatestFrequency(of field: Int) -> UInt8 { content[boundsOffset + field] }

    /// Replaces postings by the postings of the tail.
    func decode(into postings: inout Postings) throws(CodingError) {
        var ids = [UInt64](repeating: 0, count: count)
        var frequencies = [UInt32](repeating: 0, count: count * fields)
        var reader = ValueReader(content, at: postingsOffset)
        var id: UInt64 = 0
        var place = 0
        for index in 0..<count {
            var gap = try reader.readNumber(atMost: RowNumber.limit << 1)
            var mask: UInt64 = 1
            var hasMore = false
            if fields == 1 {
                hasMore = gap & 1 == 1
                gap >>= 1
            } else {
                mask = try reader.readNumber(atMost: (2 << UInt64(fields)) - 1)
                hasMore = mask & 1 == 1
                mask >>= 1
            }
            id += gap
            guard gap > 0, mask > 0, id < RowNumber.limit else { throw reader.malformed("ascending records") }
            ids[index] = id
            for field in 0..<fields {
                if mask &>> UInt64(field) & 1 == 1 {
                    let frequency = hasMore ? try reader.readNumber(atMost: UInt64(UInt32.max)) : 1
                    guard frequency > 0 else { throw reader.malformed("a frequency") }
                    frequencies[place] = UInt32(truncatingIfNeeded: frequency)
                }
                place &+= 1
            }
        }
        try reader.finish()
        postings.ids = ids
        postings.frequencies = frequencies
    }

    /// Returns the last record of the tail, without the frequencies; nil for no postings.
    func lastID() throws(CodingError) -> UInt64? {
        var reader = ValueReader(content, at: postingsOffset)
        var id: UInt64 = 0
        for _ in 0..<count {
            var gap = try reader.readNumber(atMost: RowNumber.limit << 1)
            if fields == 1 {
                if gap & 1 == 1 { _ = try reader.readLength() }
                gap >>= 1
            } else {
                let mask = try reader.readNumber(atMost: (2 << UInt64(fields)) - 1)
                if mask & 1 == 1 {
                    for _ in 0..<(mask >> 1).nonzeroBitCount { _ = try reader.readLength() }
                }
            }
            id += gap
            guard gap > 0, id < RowNumber.limit else { throw reader.malformed("ascending records") }
        }
        try reader.finish()
        return count > 0 ? id : nil
    }

    // MARK: Writing

    /// Appends the content of this tail with further postings.
    ///
    /// - Parameters:
    ///   - more: Postings after the last record; with the postings of the tail, fewer than 128.
    ///   - last: The last record of the tail.
    ///   - counts: The number of records with the word, records of the further postings included.
    ///   - leastLengthClass: A length class at or below the classes of the further postings.
    func append(
        _ more: Postings, after last: UInt64, _ counts: DocumentCounts, leastLengthClass: UInt8, to row: inout [UInt8]
    ) {
        Self.append(word: word, counts, to: &row)
        for field in 0..<fields {
            let greatest = Postings.bound(more.greatestFrequency(of: field, in: 0..<more.count))
            row.append(max(greatestFrequency(of: field), greatest))
        }
        row.append(min(self.leastLengthClass, leastLengthClass))
        LEB128.append(count + more.count, to: &row)
        content.dropFirst(postingsOffset).append(to: &row)
        Self.append(more, after: last, to: &row)
    }

    /// Appends the content of a tail.
    ///
    /// - Parameters:
    ///   - counts: The number of records with the word, and if F > 1 the numbers of each field.
    ///   - postings: The postings, fewer than 128.
    static func append(
        word: ByteView, _ counts: DocumentCounts, _ postings: Postings, leastLengthClass: UInt8, to row: inout [UInt8]
    ) {
        append(word: word, counts, to: &row)
        for field in 0..<postings.fields {
            row.append(Postings.bound(postings.greatestFrequency(of: field, in: 0..<postings.count)))
        }
        row.append(leastLengthClass)
        LEB128.append(postings.count, to: &row)
        append(postings, after: 0, to: &row)
    }

    private static func append(word: ByteView, _ counts: DocumentCounts, to row: inout [UInt8]) {
        LEB128.append(word.count, to: &row)
        word.append(to: &row)
        LEB128.append(counts.all, to: &row)
        guard counts.byField.count > 1 else { return }
        for count in counts.byField { LEB128.append(count, to: &row) }
    }

    /// Appends postings after a record.
    private static func append(_ postings: Postings, after last: UInt64, to row: inout [UInt8]) {
        let fields = postings.fields
        var last = last
        for index in 0..<postings.count {
            let gap = postings.ids[index] &- last
            last = postings.ids[index]
            if fields == 1 {
                let frequency = postings.frequencies[index]
                LEB128.append(gap << 1 | (frequency > 1 ? 1 : 0), to: &row)
                if frequency > 1 { LEB128.append(UInt64(frequency), to: &row) }
            } else {
                LEB128.append(gap, to: &row)
                append(postings, index, to: &row)
            }
        }
    }

    /// Appends the frequencies of a posting in several fields.
    private static func append(_ postings: Postings, _ index: Int, to row: inout [UInt8]) {
        var mask: UInt64 = 0
        var hasMore = false
        for field in 0..<postings.fields {
            let frequency = postings.frequency(at: index, of: field)
            if frequency > 0 { mask |= 1 << UInt64(field) }
            if frequency > 1 { hasMore = true }
        }
        LEB128.append(mask << 1 | (hasMore ? 1 : 0), to: &row)
        guard hasMore else { return }
        for field in 0..<postings.fields where mask >> UInt64(field) & 1 == 1 {
            LEB128.append(UInt64(postings.frequency(at: index, of: field)), to: &row)
        }
    }
}
