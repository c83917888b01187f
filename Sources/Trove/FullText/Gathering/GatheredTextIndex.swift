// The full-text index of gathered text: a closure of the program returns the texts of records.
//
// It is of the kind of all full-text indexes. Its only column has no bytes: an entry says that there is a record, whose
// text FullText/Gathering requests.

import TroveCoding
import TroveText

extension RecordIndex {
    /// Creates a full-text index of texts that are gathered in the transaction of a save.
    ///
    /// - Parameters:
    ///   - name: The name of the index, for `matching(_:index:)`.
    ///   - analyzer: The rule that makes words of texts.
    ///   - version: The version of the closure. Another version is another index, whose texts are gathered again.
    ///   - gathering: Returns the texts of records by their keys, as for `#FullTextIndex`.
    public static func fullText(
        _ name: String, analyzer: TextAnalyzer = .standard, version: Int = 1,
        gathering:
            @escaping @Sendable (_ keys: [Record.IndexKey], _ context: ReadContext) throws -> [Record.IndexKey:
            String]
    ) -> RecordIndex {
        RecordIndex(
            name, analyzer: analyzer, version: version,
            gathering: TextGathering(of: Record.self, inTransaction: gathering))
    }

    /// Creates a full-text index of texts that are gathered after the commit of a save.
    ///
    /// - Parameters:
    ///   - name: The name of the index, for `matching(_:index:)`.
    ///   - analyzer: The rule that makes words of texts.
    ///   - version: The version of the closure. Another version is another index, whose texts are gathered again.
    ///   - gathering: Returns the texts of records by their keys, as for `#FullTextIndex`.
    @_disfavoredOverload
    public static func fullText(
        _ name: String, analyzer: TextAnalyzer = .standard, version: Int = 1,
        gathering:
            @escaping @Sendable (_ keys: [Record.IndexKey], _ store: Store) async throws -> [Record.IndexKey:
            String]
    ) -> RecordIndex {
        RecordIndex(
            name, analyzer: analyzer, version: version, gathering: TextGathering(of: Record.self, inTask: gathering))
    }

    private init(_ name: String, analyzer: TextAnalyzer, version: Int, gathering: TextGathering) {
        let rule = TextRule(analyzer, keepsOrder: true, weights: [], fields: 1, gathering: gathering)
        self.init(.fullText, [IndexedProperty(gathered: name, version)], rule: rule)
    }
}

extension IndexedProperty {
    /// Creates the column of gathered text.
    fileprivate init(gathered name: String, _ version: Int) {
        self.init(
            IndexColumn(name, .gathered, type: "\(version)"), encode: { _, _ in },
            skip: { reader throws(CodingError) in throw CodingError(.malformed(expected: "an entry of an index")) },
            reader: { { (run, columns) throws(CodingError) in columns.append(run.count) { _, _ in } } })
    }
}

/// Declares a full-text index of texts that are not properties of the records: texts of other records, of files, or of
/// recognized images. They are gathered in the transaction of a save.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct Post {
///     #FullTextIndex<Post>("Index", gathering: { keys, context in
///         var texts: [Int: String] = [:]
///         for post in try context.get(Post.self, keys: keys) {
///             let author = try context.get(Author.self, key: post.author)
///             texts[post.id] = post.title + " " + (author?.name ?? "")
///         }
///         return texts
///     })
///
///     let id: Int
///     var title: String
///     var author: Int
/// }
///
/// let posts = try Post.matching("I love My", index: "Index").resolve(in: store)
/// ```
///
/// A save notes the record's key. Before the transaction's next search of words, and at its commit, the closure is
/// called with at most 1,000 of the keys at a time, and with a context that reads the transaction's own changes and
/// cannot write. So the text of a record is never older than its last save. The closure gets each saved key once, and
/// also the keys of a new index, whose texts are gathered when a store is opened with the type.
///
/// A record without a text in the result is not in the index. Texts of other keys are ignored. An error of the closure
/// fails the search, or the commit, with ``StoreError/TextError/gatheringFailed(type:index:reason:)``.
///
/// When other records change, a text stays as it was gathered, until its record is saved again, `regather(in:)` names
/// it, or the index is rebuilt. `check(gathering:)` finds stale texts.
///
/// - Parameters:
///   - name: The name of the index, for `matching(_:index:)`: a string literal.
///   - analyzer: The rule that makes words of texts. Another rule is another index, which is built again.
///   - version: The version of the closure, an integer literal. Raise it when the closure returns other texts: then all
///     texts are gathered again.
///   - gathering: Returns the texts of records by their keys, as a closure literal.
@freestanding(declaration)
public macro FullTextIndex<Record: IndexKeyRecord>(
    _ name: String, analyzer: TextAnalyzer = .standard, version: Int = 1,
    gathering: @Sendable (_ keys: [Record.IndexKey], _ context: ReadContext) throws -> [Record.IndexKey: String]
) = #externalMacro(module: "TroveMacros", type: "FullTextIndexMacro")

/// Declares a full-text index of texts that are gathered after the commit of a save, by a closure that can wait.
///
/// ```swift
/// #FullTextIndex<Photo>("Signs", gathering: { keys, store in
///     var texts: [UUID: String] = [:]
///     for photo in try await store.get(Photo.self, keys: keys) {
///         texts[photo.id] = try await recognizedText(photo.file)
///     }
///     return texts
/// })
/// ```
///
/// A save removes the record's old text, and notes the record as waiting, in the same transaction. So a record is not
/// found by an old text. The store calls the closure after its commits, and when it is opened, unless
/// ``StoreOptions/gathersTexts`` is false; `gatherTexts(of:)` calls it at once. It gets at most 1,000 keys at a time,
/// outside of transactions. A text is stored if its record has not been saved since the closure was called; otherwise
/// the record waits on. Several processes can gather at once. Searches never wait; `waitingTexts(of:)` counts.
///
/// A record without a text in the result is not in the index. Texts of other keys are ignored. If the closure throws,
/// it is called again for each half of its keys, and so on, so that only the records whose text cannot be gathered wait
/// on. The store tries again after a second, then after twice as long, up to about two minutes.
///
/// - Parameters:
///   - name: The name of the index, for `matching(_:index:)`: a string literal.
///   - analyzer: The rule that makes words of texts. Another rule is another index, which is built again.
///   - version: The version of the closure, an integer literal. Raise it when the closure returns other texts: then all
///     texts are gathered again.
///   - gathering: Returns the texts of records by their keys, as a closure literal.
@freestanding(declaration)
public macro FullTextIndex<Record: IndexKeyRecord>(
    _ name: String, analyzer: TextAnalyzer = .standard, version: Int = 1,
    gathering: @Sendable (_ keys: [Record.IndexKey], _ store: Store) async throws -> [Record.IndexKey: String]
) = #externalMacro(module: "TroveMacros", type: "FullTextIndexMacro")
