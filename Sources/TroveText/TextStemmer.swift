// The reduction of words to stems.

/// An algorithm that reduces the forms of a word to a stem: *stores*, *stored* and *storing* to *store*.
public protocol TextStemmer: Sendable {
    /// The name of the algorithm and its language, such as `snowball-english`. It is part of an index's definition: an
    /// index with a stemmer of another name is made again.
    var name: String { get }

    /// Returns the stem of a folded word. An empty stem leaves the word out.
    ///
    /// The same word always has the same stem. The function is called from several threads at once.
    func stem(_ word: String) -> String
}
