// The occurrences of a phrase in a record.

import TroveCoding

/// The occurrences of a phrase in the records of an index.
protocol PhraseOccurrences: AnyObject {
    /// Calls a closure with the number of occurrences in each of some fields of a record. A record that is not in the
    /// index has none.
    func forEachCount(in id: UInt64, _ fields: [Int], _ body: (_ index: Int, _ count: Int) -> Void) throws
}

/// The occurrences of a phrase in documents that keep the order of their words.
final class DocumentOccurrences: PhraseOccurrences {
    private let matcher: PhraseMatcher
    private let documents: DocumentCursor

    init(_ matcher: PhraseMatcher, _ text: SearchedText) {
        self.matcher = matcher
        documents = DocumentCursor(text)
    }

    func forEachCount(in id: UInt64, _ fields: [Int], _ body: (_ index: Int, _ count: Int) -> Void) throws {
        _ = try documents.withDocument(id) { document throws(CodingError) in
            for index in fields.indices { body(index, try matcher.count(in: document.field(fields[index]).stream)) }
        }
    }
}
