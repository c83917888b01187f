// Text to words: what a full-text index stores, and what a query looks up.

/// A rule that makes words of a text. An index and the queries that search it use the same rule.
///
/// ``standard`` suits most texts. Functions change what it does:
///
/// ```swift
/// let swedish = TextAnalyzer.standard.keepingMarks(on: "åäö").without(.swedish)
/// swedish.tokens(of: "Åsa åt en äpplekaka").map(\.term)  // åsa, åt, äpplekaka
/// ```
///
/// A name with a version and a ``fingerprint`` identify the rule: an index whose analyzer has changed is made again.
public struct TextAnalyzer: Sendable {
    /// How a text is split.
    enum Method: Sendable {
        case words, trigrams, whole
        case custom(name: String, version: Int, @Sendable (String, inout TextTokens) -> Void)
    }

    let method: Method
    private(set) var folding = Folding()
    private(set) var stopWords = StopWords([])
    private(set) var stemmer: (any TextStemmer)?
    /// The words with their replacements.
    private(set) var replacedWords: [String: [String]] = [:]
    /// The terms of the stop words.
    private(set) var stopTerms = TermSet([])
    private(set) var replacements = Replacements()
    /// The reduction of words to stems and replacements; nil if words stay as they are.
    private(set) var reducer: WordReducer?

    private init(_ method: Method) { self.method = method }

    /// The words of texts in all scripts, by Unicode's word boundaries.
    ///
    /// - Letters and digits join; punctuation separates: `can't` and `example.com` are two words each.
    /// - Scripts without spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) become overlapping pairs
    ///   of signs, and the last sign of each run. Katakana and Hangul words stay whole.
    /// - Case, width and other compatible spellings do not matter (NFKC case folding): `Straße`, `STRASSE` and
    ///   `ｓｔｒａｓｓｅ` are the same word. Neither does canonical equivalence. Digits of all scripts are ASCII digits.
    /// - Marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters do not matter: `é` is `e`.
    /// - Emoji and flags are words, without skin tones.
    public static let standard = TextAnalyzer(.words)

    /// Each three Unicode scalars in a row, spaces and punctuation included, in any case: for texts in texts.
    public static let trigrams = TextAnalyzer(.trigrams)

    /// The whole text as a single word, folded as by ``standard``: for names, tags and codes.
    public static let whole = TextAnalyzer(.whole)

    /// Creates an analyzer from a function.
    ///
    /// - Parameters:
    ///   - name: The name of the rule, which is part of the definitions of indexes.
    ///   - version: The version of the rule: raise it when the function changes.
    ///   - tokenize: Appends the tokens of a text, in order. The same text always has the same tokens. The function is
    ///     called from several threads at once.
    public init(
        _ name: String, version: Int,
        _ tokenize: @escaping @Sendable (_ text: String, _ tokens: inout TextTokens) -> Void
    ) {
        self.init(.custom(name: name, version: version, tokenize))
    }

    /// Keeps marks of letters, which are removed otherwise.
    ///
    /// It concerns Latin, Greek, Cyrillic, Hebrew and Arabic letters of ``standard`` and ``whole``. Marks of other
    /// scripts are always kept, also those of ``trigrams``.
    ///
    /// - Parameter letters: The letters that keep their marks, such as `åäö`, in both cases; nil for all letters.
    public func keepingMarks(on letters: String? = nil) -> TextAnalyzer {
        changed { $0.folding.keptMarks = letters.map { .letters(MarkedLetters($0)) } ?? .all }
    }

    /// Distinguishes upper from lower case.
    public func keepingCase() -> TextAnalyzer {
        changed { $0.folding.keepsCase = true }
    }

    /// Leaves words out. Their positions stay empty, so that phrases still match only words at the same distance.
    ///
    /// Stop words are folded as the text is. Calls add up.
    public func without(_ stopWords: StopWords) -> TextAnalyzer {
        changed { $0.stopWords = $0.stopWords.union(stopWords) }
    }

    /// Reduces words to stems, after stop words are left out. A second call replaces the stemmer.
    ///
    /// The stemmer receives words with their marks, and its stems are folded. The product `TroveStemming` has stemmers
    /// of many languages.
    public func stemmed(by stemmer: any TextStemmer) -> TextAnalyzer {
        changed { $0.stemmer = stemmer }
    }

    /// Replaces words by others, in the texts and in queries alike, so that both find each other.
    ///
    /// ```swift
    /// let cars = TextAnalyzer.standard.replacing(["auto": ["car"], "automobile": ["car"], "nyc": ["new york city"]])
    /// ```
    ///
    /// - The last step: words are folded, and reduced to stems, before they are looked up. The words of both sides are
    ///   reduced in the same way, so that the replacement of `auto` is that of `AUTO`, and with a stemmer that of
    ///   `autos`.
    /// - A word is replaced by all of its replacements, which are at the same position; it stays a word of the text
    ///   only if it is one of them. Each counts as a word of the text's length.
    /// - A replacement of several words is a phrase. The words after it come after the longest replacement.
    /// - Replacements are replaced too, so a word becomes what is at the end of its chain. Words that lead back to
    ///   themselves stay: `["auto": ["car"], "car": ["auto"]]` makes both words of either.
    /// - A word inside a replacement of several words is replaced by its single words only. If it has none, it stays:
    ///   with `["a": ["b c"], "c": ["d e"]]`, `a` becomes `b c`. Each such replacement makes at most 16 spellings, of
    ///   which the first count.
    /// - A text of several words has no replacements: give the single word, `["email": ["e mail"]]`. Signs of scripts
    ///   without spaces, words that are left out, and empty lists have no effect.
    ///
    /// Calls add up. The replacements are part of the definition of an index: others make it again.
    ///
    /// - Parameter words: Words with their replacements.
    public func replacing(_ words: [String: [String]]) -> TextAnalyzer {
        changed { $0.replacedWords.merge(words) { $0 + $1 } }
    }

    private func changed(_ change: (inout TextAnalyzer) -> Void) -> TextAnalyzer {
        var result = self
        change(&result)
        result.stopTerms = result.terms(of: result.stopWords)
        result.replacements = Replacements()
        result.reducer = result.newReducer()
        if !result.replacedWords.isEmpty {
            result.replacements = Replacements(result.replacedWords, result)
            result.reducer = result.newReducer()
        }
        return result
    }

    private func newReducer() -> WordReducer? {
        guard stemmer != nil || !replacements.isEmpty else { return nil }
        let splitsWords = if case .words = method { true } else { false }
        return WordReducer(
            stemmer, stopTerms, replacements, folding: foldsStems ? folding : nil, splitsWords: splitsWords)
    }

    /// Whether a stemmer receives words with their marks, and its stems are folded: those of the built-in rules.
    private var foldsStems: Bool {
        switch method {
        case .words, .whole: stemmer != nil
        case .trigrams, .custom: false
        }
    }

    /// How a text is folded before words are reduced.
    var splitFolding: Folding {
        var result = folding
        if foldsStems { result.keptMarks = .all }
        return result
    }

    /// The terms of stop words: each word may be several.
    private func terms(of words: StopWords) -> TermSet {
        var terms: [[UInt8]] = []
        for var word in words.words {
            word.withRawSpan { bytes in
                _ = visitUnreduced(bytes, folding) { term, _ in
                    var copy: [UInt8] = []
                    copy.append(term)
                    terms.append(copy)
                }
            }
        }
        return TermSet(terms)
    }
}
