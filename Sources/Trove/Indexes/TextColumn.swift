// The texts of a property, as the column of an index.
//
//     column = { text } end       text: size(4, at most FFFFFFFE) UTF-8      end: FFFFFFFF
//
// A full-text index has no such entries: they carry a record's texts from the three sources of columns to the analyzer.

import LMDB
import TroveCoding
import TroveText

/// The texts of a property, as the column of an index.
@usableFromInline
enum TextColumn {
    private static let end = UInt32.max
    /// The positions between two texts of a property: no phrase crosses them.
    static let elementGap = 100

    /// Writes the texts of a property.
    @usableFromInline
    static func encode(_ value: some TextValue, into writer: inout KeyWriter) {
        value._forEachText { text in
            ByteView.with(text) { $0.withSpan { write($0, into: &writer) } }
        }
        writer.writeInteger(end)
    }

    private static func write(_ text: RawSpan, into writer: inout KeyWriter) {
        writer.writeInteger(UInt32(clamping: text.byteCount))
        writer.writeBytes(text)
    }

    /// Calls a closure with each text of a column, and moves past the column.
    static func forEachText(
        _ column: ByteView, from offset: inout Int, _ body: (ByteView) throws -> Void
    ) rethrows {
        while offset + 4 <= column.count {
            let size = column.integer(at: offset, as: UInt32.self).byteSwapped
            offset += 4
            guard size != end, Int(size) <= column.count - offset else { return }
            try body(column[offset..<offset + Int(size)])
            offset += Int(size)
        }
    }

    /// Calls a closure with each word of a column and its position, and moves past the column. No phrase crosses from a
    /// text to the next.
    static func forEachWord(
        _ column: ByteView, from offset: inout Int, _ analyzer: TextAnalyzer,
        _ body: (_ term: RawSpan, _ position: Int) throws -> Void
    ) rethrows {
        var position = 0
        try forEachText(column, from: &offset) { text in
            try text.withSpan { bytes in
                let count = try analyzer.visitTokens(in: bytes) { term, place in
                    try body(term, position + place.position)
                }
                position += count + elementGap
            }
        }
    }
}
