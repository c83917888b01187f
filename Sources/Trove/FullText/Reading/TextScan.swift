// The scan of all records for the words of a query: the slow way of a search, for an index that is not built yet.

import LMDB
import TroveCoding
import TroveText

/// A scan for the words of a query.
struct TextScan {
    /// The number of bytes of known words after which they are forgotten.
    private static let wordBytes = 32 << 20

    private let wanted: WantedWords
    private let analyzer: TextAnalyzer
    /// The query's words in the records so far.
    private(set) var text: ScannedText
    private var document: DocumentBuilder
    /// The words met so far, with their numbers.
    private var words = WordTable()
    /// The place of all other words among the words of the document.
    private var otherPlace: Int?

    init(_ wanted: WantedWords, _ rule: TextRule, fields: Int) {
        self.wanted = wanted
        analyzer = rule.analyzer
        text = ScannedText(fields: fields, keepsOrder: rule.findsPhrases)
        document = DocumentBuilder(fields: fields, keepsOrder: rule.findsPhrases && wanted.hasPhrases)
    }

    /// Adds the next record.
    ///
    /// - Parameters:
    ///   - number: The number of the record, greater than all numbers before.
    ///   - columns: The texts of the record (TextColumn.swift).
    mutating func add(_ number: UInt64, _ key: ByteView, _ columns: ByteView) throws {
        if words.byteCount > Self.wordBytes { words.removeAll() }
        words.beginDocument()
        document.begin()
        otherPlace = nil
        var offset = 0
        for field in 0..<text.fields {
            document.beginField()
            TextColumn.forEachWord(columns, from: &offset, analyzer) { term, position in
                ByteView.with(term) { add($0, at: position, in: field) }
            }
            document.endField(field)
        }
        text.add(number, key, document, isKept: wanted.hasEverything, keepsDocument: wanted.hasPhrases)
    }

    private mutating func add(_ term: ByteView, at position: Int, in field: Int) {
        let hash = words.hash(of: term)
        let index = words.index(of: term, hash) ?? words.add(term, hash, number: number(of: term), isNew: false)
        let word = words.entries[index].number
        let next = document.words.count
        guard word == ScannedText.otherWord else {
            return document.add(word, words.use(index, next: next), at: position, in: field)
        }
        document.add(word, (otherPlace ?? next, otherPlace == nil), at: position, in: field)
        otherPlace = otherPlace ?? next
    }

    private mutating func number(of term: ByteView) -> UInt64 {
        wanted.contains(term) ? text.assign(term.copy()) : ScannedText.otherWord
    }
}

extension IndexKeyRecord {
    /// Calls a closure with the texts of each record in a full-text index, in the order of the keys.
    ///
    /// - Parameters:
    ///   - place: The position of the index among the indexes of the type.
    ///   - body: Receives the number of a record in the order of the keys of all records, its key and its texts
    ///     (TextColumn.swift).
    static func forEachText(
        ofIndex place: Int, _ table: RecordTable, _ context: ReadContext,
        _ body: (_ number: UInt64, _ key: ByteView, _ columns: ByteView) throws -> Void
    ) throws {
        var number: UInt64 = 0
        var scan = try context.keyspace.scan(table.database, ScanRange(), mayWrite: false)
        while let batch = try scan?.next() {
            var collector = EntryCollector<Self>([place], of: table)
            try collector.add(batch)
            var record = 0
            for (_, _, entries) in collector.takeLists() {
                for entry in entries.indices {
                    try ByteView.with(entries.recordKey(of: entry)) { key in
                        while record < batch.count - 1, !batch[record].key.equals(key) { record += 1 }
                        let id = number + UInt64(record) + 1
                        try ByteView.with(entries.value(of: entry)) { try body(id, key, $0) }
                    }
                }
            }
            number += UInt64(batch.count)
        }
    }
}
