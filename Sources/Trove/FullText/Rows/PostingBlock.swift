// A block: up to 128 postings of a word, packed, with bounds that are read without unpacking them.
//
//     key     = word number(5) last record number(5)
//     content = count(1) idBits(1) leastLengthClass(1) span(LEB) F × (greatestFrequency(1) frequencyBits(1))
//               (count − 1) × (gap − 1), packed in idBits
//               F × count × frequency, packed in frequencyBits; less 1 if F = 1
//     span    = last record number − first record number
//
// The bounds hold, and need not be tight. A greatest frequency of 255 means 255 or more.

import LMDB
import TroveCoding

/// The view of a stored block: its bounds at once, its postings on request.
///
/// It is valid as long as the bytes.
struct PostingBlock {
    static let capacity = 128
    static let keySize = 2 * RowNumber.size
    /// The number of postings below which a block is joined with the next block.
    static let joinLimit = 32

    let fields: Int
    let count: Int
    let firstID: UInt64
    let lastID: UInt64
    /// A length class at or below the classes of all its records.
    let leastLengthClass: UInt8
    private let idBits: Int
    private let content: ByteView
    /// The offsets of the bounds of frequencies, and of the packed gaps.
    private let boundsOffset: Int
    private var gapsOffset: Int { boundsOffset + 2 * fields }

    /// Reads the beginning of a block.
    ///
    /// - Parameters:
    ///   - content: The content of the row.
    ///   - lastID: The record number in the row's key.
    init(_ content: ByteView, lastID: UInt64, fields: Int) throws(CodingError) {
        self.content = content
        self.fields = fields
        self.lastID = lastID
        var reader = ValueReader(content)
        count = Int(try reader.readByte())
        idBits = Int(try reader.readByte())
        leastLengthClass = try reader.readByte()
        let span = try reader.readNumber(atMost: RowNumber.limit)
        boundsOffset = reader.offset
        try reader.skip(2 * fields)
        guard 1...Self.capacity ~= count, idBits <= 40, span < lastID, span >= UInt64(count - 1) else {
            throw reader.malformed("a block of 1 to \(Self.capacity) postings", at: 0)
        }
        firstID = lastID - span
        var size = BitPacking.size(count: count - 1, bits: idBits)
        for field in 0..<fields {
            guard frequencyBits(of: field) <= 32 else { throw reader.malformed("frequencies of at most 32 bits") }
            size += BitPacking.size(count: count, bits: frequencyBits(of: field))
        }
        try reader.skip(size)
        try reader.finish()
    }

    /// Returns a bound of the frequencies of a field; 255 for no bound.
    @inline(__always)
    func greatestFrequency(of field: Int) -> UInt8 { content[boundsOffset + 2 * field] }

    private func frequencyBits(of field: Int) -> Int { Int(content[boundsOffset + 2 * field + 1]) }

    // MARK: Postings

    /// Replaces postings by the postings of the block.
    func decode(into postings: inout Postings) throws(CodingError) {
        try decodeIDs(into: &postings.ids)
        try decodeFrequencies(into: &postings.frequencies)
    }

    /// Replaces record numbers by the record numbers of the block.
    func decodeIDs(into ids: inout [UInt64]) throws(CodingError) {
        resize(&ids, count)
        try content.dropFirst(gapsOffset).withSpan { (bytes) throws(CodingError) in
            try BitPacking.unpack(bytes, bits: idBits, count: count - 1, into: &ids, from: 1)
        }
        var id = firstID
        ids[0] = id
        for index in 1..<count {
            id &+= ids[index] &+ 1
            ids[index] = id
        }
        guard id == lastID else {
            throw CodingError(.malformed(expected: "gaps that lead to the last record"), at: gapsOffset)
        }
    }

    /// Replaces frequencies by the frequencies of the block: the frequencies of the first record first.
    func decodeFrequencies(into frequencies: inout [UInt32]) throws(CodingError) {
        resize(&frequencies, count * fields)
        var offset = gapsOffset + BitPacking.size(count: count - 1, bits: idBits)
        for field in 0..<fields {
            let bits = frequencyBits(of: field)
            try content.dropFirst(offset).withSpan { (bytes) throws(CodingError) in
                try BitPacking.unpack(bytes, bits: bits, count: count, into: &frequencies, from: field, stride: fields)
            }
            offset += BitPacking.size(count: count, bits: bits)
        }
        guard fields == 1 else { return }
        for index in 0..<count { frequencies[index] = max(frequencies[index] &+ 1, 1) }
    }

    private func resize<Number: FixedWidthInteger>(_ numbers: inout [Number], _ count: Int) {
        guard numbers.count != count else { return }
        numbers.removeAll(keepingCapacity: true)
        numbers.reserveCapacity(count)
        for _ in 0..<count { numbers.append(0) }
    }

    // MARK: Writing

    /// Replaces the bytes of a key.
    static func writeKey(_ word: UInt64, _ lastID: UInt64, to key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        RowNumber.append(word, to: &key)
        RowNumber.append(lastID, to: &key)
    }

    /// Appends the content of a block.
    ///
    /// - Parameters:
    ///   - postings: A list with the postings of the block.
    ///   - range: The indices of the postings: 1 to 128.
    static func append(_ postings: Postings, _ range: Range<Int>, leastLengthClass: UInt8, to row: inout [UInt8]) {
        let (fields, first, count) = (postings.fields, range.lowerBound, range.count)
        var greatestGap: UInt64 = 0
        for index in first + 1..<range.upperBound {
            greatestGap = max(greatestGap, postings.ids[index] &- postings.ids[index - 1] &- 1)
        }
        let idBits = BitPacking.bits(of: greatestGap)
        row.append(UInt8(count))
        row.append(UInt8(idBits))
        row.append(leastLengthClass)
        LEB128.append(postings.ids[range.upperBound - 1] - postings.ids[first], to: &row)
        let less: UInt32 = fields == 1 ? 1 : 0
        let bounds = row.count
        for field in 0..<fields {
            let greatest = postings.greatestFrequency(of: field, in: range)
            row.append(Postings.bound(greatest))
            row.append(UInt8(BitPacking.bits(of: UInt64(greatest &- less))))
        }
        BitPacking.append(count: count - 1, bits: idBits, to: &row) { index in
            postings.ids[first &+ index &+ 1] &- postings.ids[first &+ index] &- 1
        }
        for field in 0..<fields {
            BitPacking.append(count: count, bits: Int(row[bounds + 2 * field + 1]), to: &row) { index in
                UInt64(postings.frequency(at: first &+ index, of: field) &- less)
            }
        }
    }
}
