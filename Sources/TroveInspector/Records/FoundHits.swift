// The hits of typed words in a full-text index.

#if Inspector
import Trove

/// A full-text index of a type.
struct SearchedIndex {
    let type: StoredType
    let index: StoredIndex

    /// Returns the full-text indexes of all types.
    static func all(_ snapshot: Snapshot) throws -> [SearchedIndex] {
        try snapshot.context.storedTypes().flatMap { type in
            type.indexes.filter { $0.fullText != nil }.map { SearchedIndex(type: type, index: $0) }
        }
    }
}

/// The hits of typed words in an index, or the error of the search.
struct FoundHits {
    let place: SearchedIndex
    private(set) var hits: [StoredHit] = []
    /// Whether the index has more hits.
    private(set) var hasMore = false
    /// The error of an index that is damaged or not ready, or whose analyzer is not known.
    private(set) var error: (any Error)?

    /// The number of words of a snippet.
    private static let snippetWords = 24

    /// Searches an index.
    ///
    /// - Throws: The error of a snapshot that has ended.
    init(
        _ words: String, in place: SearchedIndex, limit: Int, _ analyzers: [TextAnalyzer], _ snapshot: Snapshot
    ) throws {
        self.place = place
        do {
            let found = try snapshot.context.storedHits(
                of: place.type, matching: words, index: place.index.name, limit: limit + 1,
                snippetWords: Self.snippetWords, analyzers: analyzers)
            hits = Array(found.prefix(limit))
            hasMore = found.count > limit
        } catch  where !error.endsPage {
            self.error = error
        }
    }
}
#endif
