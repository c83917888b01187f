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
    /// The terms of the stop words.
    private(set) var stopTerms = TermSet([])

    private init(_ method: Method) { self.method = method }

    /// The words of texts in all scripts, by Unicode's word boundaries.
    ///
    /// - Letters and digits join; punctuation separates: `can't` and `example.com` are two words each.
    /// - Scripts without spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) become overlapping pairs of
    ///   signs, and the last sign of each run. Katakana and Hangul words stay whole.
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
    public func stemmed(by stemmer: any TextStemmer) -> TextAnalyzer {
        changed { $0.stemmer = stemmer }
    }

    private func changed(_ change: (inout TextAnalyzer) -> Void) -> TextAnalyzer {
        var result = self
        change(&result)
        result.stopTerms = result.terms(of: result.stopWords)
        return result
    }

    /// The terms of stop words: each word may be several.
    private func terms(of words: StopWords) -> TermSet {
        var terms: [[UInt8]] = []
        for var word in words.words {
            word.withRawSpan { bytes in
                _ = visitUnreduced(bytes) { term, _ in
                    var copy: [UInt8] = []
                    copy.append(term)
                    terms.append(copy)
                }
            }
        }
        return TermSet(terms)
    }
}
