// The occurrences of a part in the texts of a record: trigrams in a row, in an index without their order.

import LMDB
import TroveCoding
import TroveText

/// The occurrences of a part in the texts of records.
final class PartOccurrences: PhraseOccurrences {
    /// The folded UTF-8 of the part.
    private let part: [UInt8]
    private let texts: RecordTexts
    private let fields: Int
    private var folded: [UInt8] = []

    /// - Parameters:
    ///   - trigrams: The trigrams of the part, in order and none left out.
    ///   - fields: The number of fields of the index.
    init(_ trigrams: [[UInt8]], _ texts: RecordTexts, fields: Int) {
        // Each trigram adds its last scalar to the scalars before.
        part = trigrams.dropFirst().reduce(into: trigrams.first ?? []) { part, trigram in
            part += trigram[(trigram.lastIndex { $0 & 0xC0 != 0x80 } ?? 0)...]
        }
        self.texts = texts
        self.fields = fields
    }

    func forEachCount(in id: UInt64, _ wanted: [Int], _ body: (_ index: Int, _ count: Int) -> Void) throws {
        var counts = [Int](repeating: 0, count: fields)
        try texts.withTexts(id) { columns in
            var offset = 0
            for field in 0..<fields {
                TextColumn.forEachText(columns, from: &offset) { text in counts[field] += count(in: text) }
            }
        }
        for index in wanted.indices { body(index, counts[wanted[index]]) }
    }

    /// Returns the number of occurrences in a text. They may overlap.
    private func count(in text: ByteView) -> Int {
        folded.removeAll(keepingCapacity: true)
        text.withSpan { texts.analyzer.appendFolded($0, to: &folded) }
        return ByteView.with(folded) { text in
            ByteView.with(part) { part in
                var (count, start) = (0, 0)
                while let found = text.firstOffset(of: part, from: start) {
                    count += 1
                    start = found + 1
                }
                return count
            }
        }
    }
}
