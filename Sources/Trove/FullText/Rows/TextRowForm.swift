// The rows of full text as readers of any bytes: for tests of hostile bytes.

import LMDB
import TroveCoding

/// A form of a row of full text.
package enum TextRowForm: UInt8, CaseIterable, Sendable {
    case tail, block, orderedDocument, unorderedDocument, lengths, statistics

    /// Reads the content of a row, and writes what was read.
    ///
    /// - Parameters:
    ///   - bytes: The content, without the checksum.
    ///   - number: The number in the row's key: of the last record of a block.
    ///   - fields: The number of fields of the index, 1 to 15.
    /// - Returns: The numbers read, and the content of a row with these numbers.
    /// - Throws: `CodingError` for bytes that no writer would have written.
    package func rewrite(
        _ bytes: [UInt8], number: UInt64, fields: Int
    ) throws(CodingError) -> (numbers: [UInt64], row: [UInt8]) {
        try bytes.withRawSpan { (bytes) throws(CodingError) in
            try ByteView.with(bytes) { (content) throws(CodingError) in
                switch self {
                case .tail: try Self.tail(content, fields)
                case .block: try Self.block(content, number, fields)
                case .orderedDocument: try Self.orderedDocument(content, fields)
                case .unorderedDocument: try Self.unorderedDocument(content, fields)
                case .lengths: try Self.lengths(content)
                case .statistics: try Self.statistics(content, fields)
                }
            }
        }
    }

    private typealias Rewritten = (numbers: [UInt64], row: [UInt8])

    private static func tail(_ content: ByteView, _ fields: Int) throws(CodingError) -> Rewritten {
        let tail = try TailRow(content, fields: fields)
        var postings = Postings(fields: fields)
        try tail.decode(into: &postings)
        var counts = DocumentCounts(fields: fields)
        try counts.read(tail)
        var row: [UInt8] = []
        TailRow.append(word: tail.word, counts, postings, leastLengthClass: tail.leastLengthClass, to: &row)
        let numbers = tail.word.copy().map(UInt64.init) + [counts.all, UInt64(tail.leastLengthClass)]
        return (numbers + counts.byField + postings.ids + postings.frequencies.map(UInt64.init), row)
    }

    private static func block(_ content: ByteView, _ last: UInt64, _ fields: Int) throws(CodingError) -> Rewritten {
        let block = try PostingBlock(content, lastID: last, fields: fields)
        var postings = Postings(fields: fields)
        try block.decode(into: &postings)
        var row: [UInt8] = []
        PostingBlock.append(postings, 0..<postings.count, leastLengthClass: block.leastLengthClass, to: &row)
        let numbers = [UInt64(block.leastLengthClass)] + postings.ids + postings.frequencies.map(UInt64.init)
        return (numbers, row)
    }

    private static func orderedDocument(_ content: ByteView, _ fields: Int) throws(CodingError) -> Rewritten {
        let document = try DocumentRow(content, fields: fields)
        var builder = DocumentBuilder(fields: fields, keepsOrder: true)
        builder.begin()
        var (numbers, places): ([UInt64], [UInt64: Int]) = ([], [:])
        for field in 0..<fields {
            builder.beginField()
            var stream = OrderedStream(try document.field(field).stream)
            while let (word, position) = try stream.next() {
                numbers += [UInt64(field), word, UInt64(position)]
                let place = places[word]
                builder.add(word, (place ?? places.count, place == nil), at: position, in: field)
                if place == nil { places[word] = places.count }
            }
            builder.endField(field)
        }
        // The words that a later save compares.
        var read = DocumentBuilder(fields: fields, keepsOrder: true)
        try read.read(document)
        numbers += read.words + read.frequencies.map(UInt64.init)
        var row: [UInt8] = []
        builder.append(to: &row)
        return (numbers, row)
    }

    private static func unorderedDocument(_ content: ByteView, _ fields: Int) throws(CodingError) -> Rewritten {
        let document = try DocumentRow(content, fields: fields)
        var (numbers, row): ([UInt64], [UInt8]) = ([], [])
        for field in 0..<fields {
            var (bytes, last, length): ([UInt8], UInt64, UInt64) = ([], 0, 0)
            var stream = UnorderedStream(try document.field(field).stream)
            while let (word, frequency) = try stream.next() {
                numbers += [UInt64(field), word, UInt64(frequency)]
                UnorderedStream.append(word, after: last, frequency: frequency, to: &bytes)
                last = word
                length += UInt64(frequency)
            }
            LEB128.append(length, to: &row)
            LEB128.append(bytes.count, to: &row)
            row += bytes
        }
        var read = DocumentBuilder(fields: fields, keepsOrder: false)
        try read.read(document)
        return (numbers + read.words + read.frequencies.map(UInt64.init), row)
    }

    private static func lengths(_ content: ByteView) throws(CodingError) -> Rewritten {
        var numbers: [UInt64] = []
        var row = [UInt8](repeating: 0, count: StoredRow.checksumSize + LengthPage.size)
        for id in 0..<LengthPage.capacity {
            let length = UInt64(try LengthPage.length(id, in: content))
            numbers.append(length)
            LengthPage.set(length, of: id, in: &row)
        }
        return (numbers, Array(row.dropFirst(StoredRow.checksumSize)))
    }

    private static func statistics(_ content: ByteView, _ fields: Int) throws(CodingError) -> Rewritten {
        let statistics = try TextStatistics(content, fields: fields)
        var row: [UInt8] = []
        statistics.append(to: &row)
        let numbers = [statistics.documentCount, statistics.nextWord, statistics.wordCount]
        return (numbers + statistics.totalLengths, row)
    }
}
