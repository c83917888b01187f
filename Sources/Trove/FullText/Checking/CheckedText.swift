// A full-text index as a check reads it: its documents beside the texts of the records, then its own parts.

import LMDB
import TroveCoding
import TroveText

/// A full-text index to compare with its records.
final class CheckedText {
    private let text: OpenText
    private let analyzer: TextAnalyzer
    private let reader: TextReader
    private let numbers: RecordNumbers
    /// The numbers of the words met so far, 0 for unknown words.
    private var words: [[UInt8]: UInt64] = [:]

    /// The number of words to remember.
    private static let wordLimit = 1 << 20

    init(_ text: OpenText, _ analyzer: TextAnalyzer, _ keyspace: Keyspace) {
        self.text = text
        self.analyzer = analyzer
        reader = TextReader(text.parts, keyspace)
        numbers = RecordNumbers(text.numbers, keyspace)
    }

    /// A word of a document, by its number.
    private struct Place: Hashable {
        var word: UInt64
        var position: Int
    }

    /// The state of a record's words.
    enum State {
        case sound, missing, different
    }

    /// Compares the words of a record with its document.
    ///
    /// - Parameter columns: The texts of the record.
    func state(of key: [UInt8], _ columns: ByteView) throws -> State {
        guard let id = try numbers.number(of: key) else { return .missing }
        let expected = try places(columns)
        let stored = try reader.withDocument(id) { document throws(CodingError) in try places(document) }
        guard let stored else { return .missing }
        return stored == expected ? .sound : .different
    }

    /// Returns the words of each field of a record; unordered, each with its frequency.
    private func places(_ columns: ByteView) throws -> [[Place]] {
        var offset = 0
        return try (0..<text.parts.fields).map { _ in
            var places: [Place] = []
            try TextColumn.forEachWord(columns, from: &offset, analyzer) { term, position in
                places.append(Place(word: try number(of: copiedBytes(term)), position: position))
            }
            return text.parts.keepsOrder ? places : Self.counted(places)
        }
    }

    private static func counted(_ places: [Place]) -> [Place] {
        Dictionary(grouping: places, by: \.word).map { Place(word: $0, position: $1.count) }
            .sorted { $0.word < $1.word }
    }

    private func number(of word: [UInt8]) throws -> UInt64 {
        if let known = words[word] { return known }
        if words.count >= Self.wordLimit { words = [:] }
        let number = try ByteView.with(word) { try reader.number(of: $0) } ?? 0
        words[word] = number
        return number
    }

    private func places(_ document: DocumentRow) throws(CodingError) -> [[Place]] {
        var fields: [[Place]] = []
        for field in 0..<text.parts.fields {
            let stream = try document.field(field).stream
            var places: [Place] = []
            if text.parts.keepsOrder {
                var words = OrderedStream(stream)
                while let (word, position) = try words.next() { places.append(Place(word: word, position: position)) }
            } else {
                var words = UnorderedStream(stream)
                while let (word, frequency) = try words.next() {
                    places.append(Place(word: word, position: Int(frequency)))
                }
            }
            fields.append(places)
        }
        return fields
    }

    // MARK: The index itself

    /// The number of documents.
    func documentCount() throws -> Int { try reader.keyspace.count(text.parts.documents.database) }

    /// Calls a closure with the record key of each document, until it returns false; nil for a document without record.
    func forEachDocument(_ body: (_ key: [UInt8]?, _ id: [UInt8]) throws -> Bool) throws {
        try reader.keyspace.scan(text.parts.documents.database, ScanRange()) { id, _ in
            let key = try numbers.key(of: ByteView.with(id) { RowNumber.read($0) })?.copy()
            return try body(key, copiedBytes(id)) ? .continue : .stop
        }
    }

    /// Returns the differences of the index's parts from each other, each as the key of a record or of a row.
    func findings(limit: Int) throws -> [(record: [UInt8]?, row: [UInt8])] {
        try TextCheck.findings(in: reader, text.numbers, limit: limit).map { finding in
            let record = finding.record.flatMap { id in try? numbers.key(of: id)?.copy() }
            var row = finding.key ?? []
            if row.isEmpty { RowNumber.append(finding.word ?? finding.record ?? 0, to: &row) }
            return (record, row)
        }
    }
}
