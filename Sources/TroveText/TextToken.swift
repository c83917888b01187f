// A word of a text, as an analyzer sees it.

/// A term and its place in a text.
public struct TextToken: Hashable, Sendable {
    /// What is indexed and searched: a folded word, a pair of signs, a stem.
    public let term: String
    /// The range of the text that the term comes from, before folding. Ranges of different tokens may overlap.
    public let range: Range<String.Index>
    /// The number of words before the token, left out words included. Phrases compare positions.
    public let position: Int

    package init(term: String, range: Range<String.Index>, position: Int) {
        self.term = term
        self.range = range
        self.position = position
    }
}
