// The tokens of texts that are words of a query.

import LMDB
import TroveText

/// The tokens of the texts of a property that are words of a query, with their positions in the property.
struct FoundTokens {
    /// The greatest number of words that are looked at, so that memory is bounded.
    static let wordLimit = 1 << 22

    struct Token {
        /// The place of the text among the texts of the property.
        let text: Int
        let range: Range<Int>
        /// The offset of the second sign of a pair; nil if the term is not a pair.
        let secondSign: Int?
        /// The size of the term.
        let size: Int
        /// The position among the words of the property, as phrases count it.
        let position: Int
        /// Whether the token begins its text.
        let isStart: Bool
        /// The end of the part to mark.
        var markEnd: Int

        init(_ text: Int, _ place: TokenPlace, size: Int, _ position: Int, isStart: Bool) {
            self.text = text
            range = place.range
            secondSign = place.secondSign
            self.size = size
            self.position = position
            self.isStart = isStart
            markEnd = place.range.lowerBound
        }

        var mark: Range<Int> { range.lowerBound..<markEnd }

        /// Returns the part of the token that a word is. A single sign is the beginning of a pair. A character such as
        /// ㍿ is several signs, none of which has a part of its own.
        ///
        /// - Parameter signSize: The size of a word that is the single sign of a beginning; 0 for another word.
        func range(ofSign signSize: Int) -> Range<Int> {
            guard signSize > 0, signSize < size, let secondSign, secondSign > range.lowerBound else { return range }
            return range.lowerBound..<secondSign
        }
    }

    let words: HighlightedWords
    private(set) var tokens: [Token] = []
    /// The places of each word among the tokens, ascending.
    private(set) var places: [[Int]]
    private var placeCount = 0
    /// The position of the last token.
    private var position = -TextColumn.elementGap

    /// Looks for words in the texts of a property.
    ///
    /// - Parameter texts: The UTF-8 of the texts, in order.
    init(_ texts: [[UInt8]], _ words: HighlightedWords) {
        self.words = words
        places = [[Int]](repeating: [], count: words.words.count)
        var start = 0
        for (index, text) in texts.enumerated() where placeCount < Self.wordLimit {
            start += visit(text, index, from: start) + TextColumn.elementGap
        }
    }

    /// Marks the part of a token that a word is.
    ///
    /// - Returns: The range of the part.
    @discardableResult
    mutating func mark(_ place: Int, as word: Int) -> Range<Int> {
        let range = tokens[place].range(ofSign: words.signSizes[word])
        tokens[place].markEnd = max(tokens[place].markEnd, range.upperBound)
        return range
    }

    /// Looks for words in a text, and returns the number of its positions.
    private mutating func visit(_ text: [UInt8], _ index: Int, from start: Int) -> Int {
        struct Enough: Error {}
        let words = words
        var last = position
        var isStart = false
        defer { position = last }
        return ByteView.with(text) { text in
            text.withSpan { text in
                do {
                    return try words.analyzer.visitTokens(in: text) { term, place in
                        // As documents store it (DocumentBuilder.swift).
                        let position = max(start + place.position, last)
                        if position != last { isStart = PhrasePlaces.isStart(position, after: last) }
                        last = position
                        try ByteView.with(term) { term in
                            guard words.mayHave(term) else { return }
                            guard placeCount < Self.wordLimit else { throw Enough() }
                            add(term, Token(index, place, size: term.count, position, isStart: isStart))
                        }
                    }
                } catch {
                    return 0
                }
            }
        }
    }

    private mutating func add(_ term: ByteView, _ token: Token) {
        let known = placeCount
        words.forEachWord(of: term) { word in
            places[word].append(tokens.count)
            placeCount += 1
        }
        if placeCount > known { tokens.append(token) }
    }
}
