// The tokens that an analyzer of an application makes.

/// The receiver of the tokens of a text, for ``TextAnalyzer/init(_:version:_:)``. Tokens are appended in the order of
/// the text.
///
/// ```swift
/// let codes = TextAnalyzer("codes", version: 1) { text, tokens in
///     for code in text.split(separator: "-") { tokens.append(code.uppercased(), at: code.startIndex..<code.endIndex) }
/// }
/// ```
public struct TextTokens {
    let text: String
    private(set) var tokens: [TextToken] = []
    /// The position of the next token.
    private(set) var position = 0

    init(of text: String) { self.text = text }

    /// Appends a token at the next position.
    ///
    /// - Parameters:
    ///   - term: The term, as it is indexed and searched. An empty term is left out, and its position stays empty.
    ///   - range: The range of the text that the term comes from. A range outside of the text is cut.
    public mutating func append(_ term: String, at range: Range<String.Index>) {
        if !term.isEmpty {
            let range = range.clamped(to: text.startIndex..<text.endIndex)
            tokens.append(TextToken(term: term, range: range, position: position))
        }
        skip(1)
    }

    /// Leaves positions empty: a phrase does not match across them.
    ///
    /// - Parameter count: The number of positions; a negative number skips none. Positions end at 2³¹ − 1.
    public mutating func skip(_ count: Int = 1) {
        position = min(position + max(0, min(count, Self.greatestPosition)), Self.greatestPosition)
    }

    private static let greatestPosition = Int(Int32.max)
}
