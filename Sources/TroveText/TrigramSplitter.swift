// The terms of the analyzer `trigrams/1`: each three scalars in a row, spaces and punctuation included.
//
// Full case folding is all that happens to the text. It makes equal whatever `lowercased()` makes equal, so that a
// text that contains another in this sense has all of its trigrams.

/// The trigrams of a text, in order.
struct TrigramSplitter {
    private let keepsCase: Bool
    private var term: [UInt8] = []
    /// The last scalars, with their sizes in the term, and their places in the text.
    private var sizes = (0, 0)
    private var starts = (0, 0)
    /// The number of scalars so far.
    private var count = 0
    /// The number of trigrams so far.
    private(set) var position = 0

    /// Appends the folded UTF-8 of a text, of which each three scalars in a row are a trigram.
    static func appendFolded(_ text: RawSpan, _ folding: Folding, to bytes: inout [UInt8]) {
        forEachScalar(of: text, keepsCase: folding.keepsCase) { scalar, _ in bytes.append(scalar: scalar) }
    }

    init(_ folding: Folding) { keepsCase = folding.keepsCase }

    /// Splits a text.
    mutating func visit(_ text: RawSpan, _ body: TokenVisitor) rethrows {
        try Self.forEachScalar(of: text, keepsCase: keepsCase) { try take($0, at: $1, body) }
    }

    /// Calls a closure with each folded scalar, and the range of the scalar that it is folded from.
    @inline(__always)
    private static func forEachScalar(
        of text: RawSpan, keepsCase: Bool, _ body: (_ scalar: UInt32, _ range: Range<Int>) throws -> Void
    ) rethrows {
        var offset = 0
        while offset < text.byteCount {
            let (scalar, size) = text.scalar(at: offset)
            let range = offset..<offset &+ size
            offset = range.upperBound
            guard !keepsCase, ScalarProperties(of: scalar).hasOtherCase else {
                try body(scalar, range)
                continue
            }
            let sequence = ScalarSequence(caseFolding: scalar)
            for index in 0..<sequence.count { try body(sequence[index], range) }
        }
    }

    private mutating func take(_ scalar: UInt32, at range: Range<Int>, _ body: TokenVisitor) rethrows {
        let former = term.count
        term.append(scalar: scalar)
        let size = term.count - former
        if count >= 2 {
            let place = TokenPlace(position: position, range: starts.0..<range.upperBound)
            position += 1
            try term.withRawSpan(of: 0..<term.count) { try body($0, place) }
            term.removeFirst(sizes.0)
        }
        count += 1
        // The first two scalars push out the initial pair.
        sizes = (sizes.1, size)
        starts = (starts.1, range.lowerBound)
    }
}
