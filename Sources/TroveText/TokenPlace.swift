// The place of a token in a text.

/// The place of a token in UTF-8 text.
package struct TokenPlace: Hashable, Sendable {
    /// The number of words before it, left out words included. Several tokens may share a position.
    package var position: Int
    /// The offsets of its bytes in the text, before folding. Ranges begin in ascending order, and may overlap.
    package var range: Range<Int>
    /// Whether the term is the last sign of a run of a script without spaces, which no pair begins with. In a query,
    /// this sign is the beginning of a pair: the run 東京 has the terms 東京 and 京, and 東京都 has 東京, 京都 and 都.
    package var isLastSign: Bool
    /// The offset of the second sign of a pair; 0 if the term is not a pair.
    private var pairSplit: Int

    package init(position: Int, range: Range<Int>, isLastSign: Bool = false, secondSign: Int? = nil) {
        self.position = position
        self.range = range
        self.isLastSign = isLastSign
        pairSplit = secondSign ?? 0
    }

    /// The offset of the second sign of a pair; nil if the term is not a pair.
    package var secondSign: Int? { pairSplit > 0 ? pairSplit : nil }
}

/// The receiver of tokens. The term is UTF-8, never empty, and holds until the closure returns.
typealias TokenVisitor = (_ term: RawSpan, _ place: TokenPlace) throws -> Void
