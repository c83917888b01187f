// The errors of searches.

extension StoreError {
    /// An error of a search, or of a full-text index.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TextError: Hashable, Sendable {
        /// A query of words names properties that no full-text index of the type has, or the type has no such index.
        case noFullTextIndex(type: String, properties: Set<String>)
        /// A query of words names properties that the searched full-text indexes do not have, and other indexes do.
        case notInTextIndex(type: String, properties: Set<String>, searched: [String])
        /// A phrase needs the order of words, which a full-text index with `keepsOrder: false` does not keep.
        case noPhrases(type: String, index: String)
        /// The queries of a query of words are nested more than `limit` deep.
        case textTooDeep(type: String, limit: Int)
        /// A query of words needs a full-text index that is still being built: of `total` records, `done` are in it.
        case textNotReady(type: String, index: String, done: Int, total: Int)
        /// The closure of an index of gathered text has thrown an error, which `reason` describes.
        case gatheringFailed(type: String, index: String, reason: String)
        /// A call about gathered text names a type without an index of gathered text.
        case noGatheredText(type: String)
        /// A stored full-text index has an analyzer that only its own program has, such as `codes/1`.
        case unknownAnalyzer(type: String, index: String, analyzer: String)
        /// A full-text index has given 2⁴⁰ numbers to records, or to words.
        case idsExhausted(type: String, index: String)
    }
}

extension StoreError.TextError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .noFullTextIndex(let type, let properties):
            properties.isEmpty
                ? "\(type) has no full-text index. Declare #FullTextIndex<\(type)>."
                : "\(type) has no full-text index with \(properties.sorted().joined(separator: ", ")). Declare an index with them."
        case .notInTextIndex(let type, let properties, let searched):
            "A search of \(searched.joined(separator: ", ")) of \(type) names \(properties.sorted().joined(separator: ", ")), which only another index has. Name properties of the searched index, or search the other by its name: index:."
        case .noPhrases(let type, let index):
            "\(index) of \(type) keeps no order of words, so it finds no phrases. Search for the words without quotes, or declare the index without keepsOrder: false."
        case .textTooDeep(let type, let limit):
            "A query for the words of \(type) is nested more than \(limit) queries deep. Join queries beside each other, with all(_:) or any(_:)."
        case .textNotReady(let type, let index, let done, let total):
            "\(index) of \(type) is still being built: \(done) of \(total) records are done. A program that declares \(type) builds it when it opens the store: wait until indexesAreReady."
        case .gatheringFailed(let type, let index, let reason):
            "The closure that gathers the texts of \(index) of \(type) has thrown an error: \(reason) Make it return a text, or no text, for each of its keys."
        case .noGatheredText(let type):
            "\(type) has no index of gathered text. Declare one: #FullTextIndex<\(type)>(\"name\", gathering: …)."
        case .unknownAnalyzer(let type, let index, let analyzer):
            "Only the program of \(type) has the analyzer “\(analyzer)” of \(index). Search in that program."
        case .idsExhausted(let type, let index):
            "\(index) of \(type) has given all of its 2⁴⁰ numbers. Give new ones: rebuild the indexes of the type with rebuild(_:)."
        }
    }
}
