// The words of a field in the order of its text.

import LMDB
import TroveCoding

/// A reader of an ordered stream (DocumentRow.swift). The bytes outlive the reader.
struct OrderedStream: ~Copyable {
    /// The greatest number of positions in a gap.
    static let gapLimit = 127
    /// The bytes in front of a word at the position of the word before.
    static let samePosition: [UInt8] = [0, 0, 0]

    private var reader: ValueReader
    /// The position of the next word.
    private(set) var position = 0

    init(_ stream: ByteView) { reader = ValueReader(stream) }

    /// Reads the next word; nil at the end.
    @inline(__always)
    mutating func next() throws(CodingError) -> (word: UInt64, position: Int)? {
        while reader.remaining > 0 {
            let word = try reader.readNumber(atMost: RowNumber.limit - 1)
            if word > 0 {
                position += 1
                return (word, position - 1)
            }
            let gap = Int(try reader.readByte())
            if gap == 0, position > 0, try reader.readByte() == 0 {
                let word = try reader.readNumber(atMost: RowNumber.limit - 1)
                guard word > 0 else { throw reader.malformed("a word at the position of the word before") }
                return (word, position - 1)
            }
            guard 1...Self.gapLimit ~= gap, try reader.readByte() == 0 else {
                throw reader.malformed("a gap of 1 to \(Self.gapLimit) positions")
            }
            position += gap
        }
        return nil
    }

    /// Appends the words between two words' positions to a stream.
    static func appendGap(_ positions: Int, to stream: inout [UInt8]) {
        var rest = positions
        while rest > 0 {
            let gap = min(rest, gapLimit)
            stream += [0, UInt8(gap), 0]
            rest -= gap
        }
    }
}

extension OrderedStream {
    /// Returns the bytes of the words of a phrase.
    static func bytes(of phrase: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        for word in phrase { LEB128.append(word, to: &bytes) }
        return bytes
    }

    /// Returns whether several words have the same position in a stream. Then the words of a phrase may be apart.
    static func sharesPositions(_ stream: ByteView) -> Bool {
        ByteView.with(samePosition) { stream.firstOffset(of: $0, from: 0) != nil }
    }

    /// Returns the number of places of a phrase of at least two words in a stream. Places may overlap.
    ///
    /// No two words of the stream have the same position.
    ///
    /// - Parameters:
    ///   - phrase: The bytes of the phrase.
    ///   - limit: The number of places after which the search ends.
    static func occurrences(of phrase: ByteView, in stream: ByteView, atMost limit: Int = .max) -> Int {
        var count = 0
        var start = 0
        while count < limit, let found = stream.firstOffset(of: phrase, from: start) {
            if found == 0 || stream[found - 1] < 0x80 { count += 1 }
            start = found + 1
        }
        return count
    }
}
