// The words of a text as a reader counts them.

import LMDB
import TroveText

/// The parts of a text by which a snippet is cut: words, as `TextAnalyzer.standard` splits them, whatever the words of
/// the index are. A sign of a script without spaces is a word.
///
/// A part begins with its word; the first part begins with the text. A long word, or a long stretch without words, is
/// several parts, so that a part has a bounded size: the size of a character excepted.
struct TextUnits {
    /// The greatest size of a part in bytes.
    static let sizeLimit = 64

    /// The offsets where the parts begin, ascending; the first is 0.
    private(set) var starts: [Int] = []
    /// The offsets where the words of the parts end.
    private(set) var ends: [Int] = []

    /// - Parameter text: UTF-8.
    init(_ text: [UInt8]) {
        let size = text.count
        ByteView.with(text) { text in
            text.withSpan { text in
                _ = TextAnalyzer.standard.visitTokens(in: text) { _, place in
                    add(place.range.lowerBound..<(place.secondSign ?? place.range.upperBound))
                }
            }
        }
        fill(upTo: size)
        if starts.isEmpty { begin(at: 0) }
        ends[ends.count - 1] = size
    }

    var count: Int { starts.count }

    /// Returns the part that has an offset.
    ///
    /// - Parameter first: A part that is not after it. A part near it is found at once.
    func unit(at offset: Int, from first: Int = 0) -> Int {
        var (low, step) = (first, 1)
        while low + step < starts.count, starts[low + step] <= offset {
            low += step
            step *= 2
        }
        var high = min(starts.count, low + step)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private mutating func add(_ word: Range<Int>) {
        fill(upTo: word.lowerBound)
        // The bytes before the first word are a piece of its part. A character may be several words.
        if starts.isEmpty {
            begin(at: 0)
        } else if let last = starts.last, word.lowerBound > last {
            begin(at: word.lowerBound)
        }
        split(upTo: word.upperBound)
        ends[ends.count - 1] = max(ends[ends.count - 1], word.upperBound)
    }

    private mutating func begin(at start: Int) {
        if let end = ends.last, end == 0 { ends[ends.count - 1] = start }
        starts.append(start)
        ends.append(0)
    }

    /// Adds parts for a long stretch without words.
    private mutating func fill(upTo offset: Int) {
        if starts.isEmpty {
            guard offset > Self.sizeLimit else { return }
            begin(at: 0)
        }
        split(upTo: offset)
    }

    /// Adds parts until an offset is near the beginning of the last.
    private mutating func split(upTo offset: Int) {
        while let last = starts.last, offset - last > Self.sizeLimit { begin(at: last + Self.sizeLimit) }
    }
}
