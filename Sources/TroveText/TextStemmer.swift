// The reduction of words to stems.

/// An algorithm that reduces the forms of a word to a stem: *stores*, *stored* and *storing* to *store*.
public protocol TextStemmer: Sendable {
    /// The name of the algorithm and its language, such as `snowball-english`. It is part of an index's definition: an
    /// index with a stemmer of another name is made again.
    var name: String { get }

    /// Words that the algorithm reduces in different ways, separated by spaces; by default none.
    ///
    /// Their stems are part of the ``TextAnalyzer/fingerprint``, beside those of a fixed text in many languages: an
    /// index is made again when the algorithm reduces one of the words to another stem.
    var probe: String { get }

    /// Returns the stem of a word. An empty stem leaves the word out.
    ///
    /// The word is in lower case, unless the analyzer keeps the case. It has its marks, as the algorithms of most
    /// languages need them; its stem is folded afterwards, so that marks do not matter in the index unless the analyzer
    /// keeps them. The same word always has the same stem: an analyzer keeps the stems of the words that it has met
    /// lately. The function is called from several threads at once.
    func stem(_ word: String) -> String
}

/// A stemmer that calls no function of an application, so that a transaction may be in use meanwhile.
package protocol SelfContainedStemmer: TextStemmer {}

extension TextStemmer {
    /// No words.
    public var probe: String { "" }
}
