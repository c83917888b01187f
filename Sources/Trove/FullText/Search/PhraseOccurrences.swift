// The occurrences of a phrase in a record.

import TroveCoding

/// The occurrences of a phrase in the records of an index.
protocol PhraseOccurrences: AnyObject {
    /// Returns the number of occurrences in some fields of a record. A record that is not in the index has none.
    func counts(in id: UInt64, _ fields: [Int]) throws -> [Int]
}

/// The occurrences of a phrase in documents that keep the order of their words.
final class DocumentOccurrences: PhraseOccurrences {
    private let matcher: PhraseMatcher
    private let documents: DocumentCursor

    init(_ matcher: PhraseMatcher, _ text: SearchedText) {
        self.matcher = matcher
        documents = DocumentCursor(text)
    }

    func counts(in id: UInt64, _ fields: [Int]) throws -> [Int] {
        try documents.withDocument(id) { document throws(CodingError) in
            var counts: [Int] = []
            for field in fields { counts.append(try matcher.count(in: document.field(field).stream)) }
            return counts
        } ?? []
    }
}
