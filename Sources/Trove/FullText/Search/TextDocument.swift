// The words of a record as a full-text index has them, made from the record's texts.

import LMDB
import TroveCoding
import TroveText

/// The words of a record in a full-text index.
struct TextDocument {
    private let fields: Int
    private var builder: DocumentBuilder
    /// The content of the document's row, in which words have numbers of their own: from 1, in the order of the text.
    private var row: [UInt8] = []
    /// The places of the different words in the order of the text.
    private var places: [[UInt8]: Int] = [:]

    /// - Parameter columns: The texts of the record (TextColumn.swift).
    init(_ columns: ByteView, _ analyzer: TextAnalyzer, fields: Int) {
        self.fields = fields
        builder = DocumentBuilder(fields: fields, keepsOrder: true)
        builder.begin()
        var offset = 0
        for field in 0..<fields {
            builder.beginField()
            TextColumn.forEachWord(columns, from: &offset, analyzer) { term, position in
                let word = copiedBytes(term)
                let known = places[word]
                let place = known ?? places.count
                places[word] = place
                builder.add(UInt64(place + 1), (place, known == nil), at: position, in: field)
            }
            builder.endField(field)
        }
        builder.append(to: &row)
    }

    /// The number of words in all fields.
    var length: UInt64 { builder.totalLength }

    /// Returns the number of occurrences of a word in a field.
    func frequency(of word: ScoredWords.Word, in field: Int) -> Double {
        places(of: word).reduce(0) { $0 + Double(builder.frequencies[$1 * fields + field]) }
    }

    /// Returns a word as a part of phrases in this document.
    func phraseWord(_ word: ScoredWords.Word) -> PhraseWord {
        let numbers = places(of: word).map { UInt64($0 + 1) }
        return numbers.count == 1 ? .word(numbers[0]) : .anyOf(Set(numbers))
    }

    private func places(of word: ScoredWords.Word) -> [Int] {
        if word.form == .word { return places[word.bytes].map { [$0] } ?? [] }
        return places.filter { ByteView.with($0.key, word.matches) }.map(\.value)
    }

    /// Returns the words of the document that a word means, in the order of their bytes.
    func words(_ word: ScoredWords.Word, in fields: [Int]) -> [String] {
        let found = places.filter { other, place in
            fields.contains { builder.frequencies[place * self.fields + $0] > 0 } && ByteView.with(other, word.matches)
        }
        return found.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Returns the number of occurrences of a phrase in a field.
    func count(of phrase: PhraseMatcher, in field: Int) -> Int {
        ByteView.with(row) { row in
            do throws(CodingError) {
                return try phrase.count(in: try DocumentRow(row, fields: fields).field(field).stream)
            } catch {
                // The row was made here.
                return 0
            }
        }
    }
}

/// The words of a record in the full-text indexes of a query, made from its texts when they are needed.
struct RecordDocuments<Record: IndexKeyRecord> {
    private let record: Record
    /// The record's text in indexes of gathered text; nil if it is unknown.
    private let gathered: String?
    private var documents: [String: TextDocument?] = [:]

    init(_ record: Record, gathered: String? = nil) {
        self.record = record
        self.gathered = gathered
    }

    /// Returns the score of the record; nil if it does not match.
    ///
    /// - Parameter parts: Receives the part of each word and phrase.
    mutating func score(_ clause: ScoredClause, _ parts: inout [ScorePart]) -> Double? {
        clause.score(&parts) { document(inIndex: $0) }
    }

    private mutating func document(inIndex index: String) -> TextDocument? {
        if let known = documents[index] { return known }
        let document = Record.textDocument(of: record, inIndex: index, gathered: gathered)
        documents[index] = .some(document)
        return document
    }
}

extension IndexKeyRecord {
    /// Returns the words of a record in a full-text index; nil if the record is not in the index, or if its text is
    /// gathered and unknown.
    ///
    /// - Parameters:
    ///   - index: The index's name in errors.
    ///   - gathered: The record's text in an index of gathered text; nil if it is unknown.
    fileprivate static func textDocument(
        of record: Self, inIndex index: String, gathered: String?
    ) -> TextDocument? {
        guard let place = schema.indexes.firstIndex(where: { $0.kind == .fullText && $0.text == index }),
            let rule = schema.indexes[place].rule
        else { return nil }
        let fields = schema.indexes[place].properties.count
        if rule.gathering != nil {
            guard let gathered else { return nil }
            let columns = KeyWriter.bytes { TextColumn.encode(gathered, into: &$0) }
            return ByteView.with(columns) { TextDocument($0, rule.analyzer, fields: fields) }
        }
        var entries = IndexEntries()
        let key = KeyWriter.bytes(of: record.indexKey)
        key.withRawSpan { derive(record, $0, IndexMask(place), into: &entries) }
        guard let entry = entries.entries.firstIndex(where: { $0.index == place }) else { return nil }
        return ByteView.with(entries.value(of: entry)) { TextDocument($0, rule.analyzer, fields: fields) }
    }

    /// Returns the score of a record, made from its texts; nil if it does not match.
    ///
    /// - Parameter parts: Receives the part of each word and phrase.
    static func score(
        of record: Self, _ clause: ScoredClause, _ parts: inout [ScorePart]
    ) -> Double? {
        var documents = RecordDocuments(record)
        return documents.score(clause, &parts)
    }
}
