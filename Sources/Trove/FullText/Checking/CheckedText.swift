// A full-text index as a check reads it: its documents beside the texts of the records, then its own parts.

import LMDB
import TroveCoding
import TroveText

/// A full-text index to compare with its records.
final class CheckedText: CheckedContents {
    private let text: OpenText
    /// The analyzer of the records' own texts; nil for gathered text, which the records do not have.
    private let analyzer: TextAnalyzer?
    private let reader: TextReader
    private let numbers: RecordNumbers
    /// The numbers of the words met so far, 0 for unknown words.
    private var words: [[UInt8]: UInt64] = [:]

    /// The number of words to remember: a few MB.
    private static let wordLimit = 1 << 15

    init(_ text: OpenText, _ analyzer: TextAnalyzer?, _ keyspace: Keyspace) {
        self.text = text
        self.analyzer = analyzer
        reader = TextReader(text.parts, keyspace)
        numbers = RecordNumbers(text.numbers, keyspace)
    }

    /// Compares the words of a record with its document. A damaged document is different.
    ///
    /// - Parameter columns: The texts of the record.
    func state(of key: [UInt8], _ columns: ByteView) throws -> DocumentState {
        do {
            guard let id = try numbers.number(of: key), let streams = try streams(of: id) else { return .missing }
            if analyzer == nil { return .sound }
            var offset = 0
            for stream in streams where try !hasWords(stream, of: columns, from: &offset) { return .different }
            return .sound
        } catch is CodingError {
            return .different
        } catch StoreError.record(.indexDamaged) {
            return .different
        }
    }

    /// Returns the words of each field of a document; nil for no document.
    private func streams(of id: UInt64) throws -> [ByteView]? {
        try reader.withDocument(id) { document throws(CodingError) in
            var streams: [ByteView] = []
            for field in 0..<text.parts.fields { streams.append(try document.field(field).stream) }
            return streams
        }
    }

    /// Returns whether a field of a document has the words of the next column of a record.
    private func hasWords(_ stream: ByteView, of columns: ByteView, from offset: inout Int) throws -> Bool {
        text.parts.keepsOrder
            ? try hasOrderedWords(stream, of: columns, from: &offset)
            : try hasUnorderedWords(stream, of: columns, from: &offset)
    }

    private func hasOrderedWords(_ stream: ByteView, of columns: ByteView, from offset: inout Int) throws -> Bool {
        var stored = OrderedStream(stream)
        var isEqual = true
        try forEachWord(of: columns, from: &offset) { word, position in
            guard isEqual else { return }
            let next = try stored.next()
            isEqual = next?.word == word && next?.position == position
        }
        return try isEqual && stored.next() == nil
    }

    private func hasUnorderedWords(
        _ stream: ByteView, of columns: ByteView, from offset: inout Int
    ) throws -> Bool {
        var counts: [UInt64: UInt32] = [:]
        try forEachWord(of: columns, from: &offset) { word, _ in counts[word, default: 0] += 1 }
        var stored = UnorderedStream(stream)
        while let (word, frequency) = try stored.next() {
            guard counts.removeValue(forKey: word) == frequency else { return false }
        }
        return counts.isEmpty
    }

    /// Calls a closure with the number and the position of each word of a column, and moves past the column.
    private func forEachWord(
        of columns: ByteView, from offset: inout Int, _ body: (_ word: UInt64, _ position: Int) throws -> Void
    ) throws {
        guard let analyzer else { return }
        try TextColumn.forEachWord(columns, from: &offset, analyzer) { term, position in
            try body(try number(of: copiedBytes(term)), position)
        }
    }

    private func number(of word: [UInt8]) throws -> UInt64 {
        if let known = words[word] { return known }
        if words.count >= Self.wordLimit { words = [:] }
        let number = try ByteView.with(word) { try reader.number(of: $0) } ?? 0
        words[word] = number
        return number
    }

    // MARK: The index itself

    // MARK: Waiting records

    /// Calls a closure with the key of each record that waits for its text, until it returns false. Damaged rows are
    /// among the ``findings(limit:)``.
    func forEachWaiting(_ body: (_ key: [UInt8]) throws -> Bool) throws {
        guard let waiting = text.parts.waiting else { return }
        let rows = try TextRowCursor(waiting, reader.keyspace)
        while let row = try rows.next(), try body(row.key.copy()) {}
    }

    /// The number of documents.
    func documentCount() throws -> Int { try reader.keyspace.count(text.parts.documents.database) }

    /// Calls a closure with the record key of each document, until it returns false; nil for a document without record.
    func forEachDocument(_ body: (_ key: [UInt8]?, _ id: [UInt8]) throws -> Bool) throws {
        try reader.keyspace.scan(text.parts.documents.database, ScanRange()) { id, _ in
            let number = ByteView.with(id) { RowNumber.read($0) }
            let key = try unlessDamaged { try numbers.key(of: number)?.copy() }
            return try body(key, copiedBytes(id)) ? .continue : .stop
        }
    }

    /// Returns the differences of the index's parts from each other, each as the key of a record or of a row.
    func findings(limit: Int) throws -> [(record: [UInt8]?, row: [UInt8])] {
        try TextCheck.findings(in: reader, text.numbers, limit: limit).map { finding in
            let record = try finding.record.flatMap { id in
                try unlessDamaged { try numbers.key(of: id)?.copy() }
            }
            var row = finding.key ?? []
            if row.isEmpty { RowNumber.append(finding.word ?? finding.record ?? 0, to: &row) }
            return (record, row)
        }
    }
}
