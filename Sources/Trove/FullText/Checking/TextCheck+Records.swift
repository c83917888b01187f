// The check of documents, lengths, and record numbers.

import LMDB
import TroveCoding

extension TextCheck {
    /// Counts the documents, and checks their lengths and their records.
    mutating func checkDocuments(_ numbers: RecordNumberParts?) throws {
        let fields = parts.fields
        var ids: [UInt64] = []
        var totals: [UInt64: UInt64] = [:]
        try forEachRow(.documents, isSecondPass: range.upperBound > 1) { (check, key, content) throws(CodingError) in
            let document = try DocumentRow(content, fields: fields)
            check.counted.documentCount += 1
            var total: UInt64 = 0
            for field in 0..<fields {
                let length = try document.field(field).length
                check.counted.totalLengths[field] &+= length
                total &+= length
            }
            let id = RowNumber.read(key)
            let (length, lastWord) = try check.count(document)
            if length != total { check.add(TextFinding(kind: .wrongLength, record: id)) }
            if lastWord > check.lastWord { check.add(TextFinding(kind: .unknownWord, word: lastWord, record: id)) }
            ids.append(id)
            totals[id] = total
        }
        try checkLengths(totals)
        guard let numbers else { return }
        for id in ids where try numbers.keys.content(Self.key(id), keyspace) == nil {
            add(TextFinding(kind: .wrongRecord, record: id))
        }
    }

    /// Returns the number of words in the streams of a document, and the greatest number of a word.
    private func count(_ document: DocumentRow) throws(CodingError) -> (length: UInt64, lastWord: UInt64) {
        var length: UInt64 = 0
        var lastWord: UInt64 = 0
        for field in 0..<parts.fields {
            let stream = try document.field(field).stream
            if parts.keepsOrder {
                var words = OrderedStream(stream)
                while let (word, _) = try words.next() {
                    length += 1
                    lastWord = max(lastWord, word)
                }
            } else {
                var words = UnorderedStream(stream)
                while let (word, frequency) = try words.next() {
                    length &+= UInt64(frequency)
                    lastWord = word
                }
            }
        }
        return (length, lastWord)
    }

    /// Compares the stored lengths with those of the documents.
    private mutating func checkLengths(_ totals: [UInt64: UInt64]) throws {
        var totals = totals
        try forEachRow(.lengths) { (check, key, content) throws(CodingError) in
            guard key.count == 4, content.count == LengthPage.size else {
                throw CodingError(.malformed(expected: "the lengths of \(LengthPage.capacity) records"))
            }
            let first = (key.head >> 32) * LengthPage.capacity
            for id in first..<first + LengthPage.capacity {
                let expected = UInt16(clamping: totals.removeValue(forKey: id) ?? 0)
                if try LengthPage.length(id, in: content) != expected {
                    check.add(TextFinding(kind: .wrongLength, record: id))
                }
            }
        }
        for id in totals.filter({ $0.value > 0 }).keys.sorted() { add(TextFinding(kind: .wrongLength, record: id)) }
    }

    /// Checks that the numbers of records and the records of numbers agree.
    mutating func checkRecordNumbers(_ numbers: RecordNumberParts) throws {
        var greatest: UInt64 = 0
        var next: UInt64?
        try forEachRow(of: numbers.keys) { check, key, content in
            let number = RowNumber.read(key)
            if number == 0 {
                next = RowNumber.read(content)
                return
            }
            greatest = number
            let stored = try numbers.numbers.content(content.copy(), check.keyspace)
            if stored.map({ $0.count == RowNumber.size && RowNumber.read($0) == number }) != true {
                check.add(TextFinding(kind: .wrongRecord, record: number))
            }
        }
        try forEachRow(of: numbers.numbers) { check, key, content in
            let number = RowNumber.read(content)
            let stored = try numbers.keys.content(Self.key(number), check.keyspace)
            if number == 0 || stored?.equals(key) != true {
                check.add(TextFinding(kind: .wrongRecord, record: number))
            }
        }
        if greatest >= next ?? 1 { add(TextFinding(kind: .wrongRecord, record: greatest)) }
    }

    private mutating func forEachRow(
        of table: TextTable, _ body: (inout TextCheck, _ key: ByteView, _ content: ByteView) throws -> Void
    ) throws {
        guard var cursor = try keyspace.seeks(in: table.database) else { return }
        var entry = try ByteView.with([0]) { try cursor.seek($0) }
        while let row = entry {
            if table.isIntact(row.value, key: row.key) {
                let isSound: Void? = try unlessDamaged {
                    try body(&self, row.key, row.value.dropFirst(TextRow.checksumSize))
                }
                if isSound == nil { add(TextFinding(kind: .wrongRecord, key: row.key.copy())) }
            } else {
                add(TextFinding(kind: .wrongRecord, key: row.key.copy()))
            }
            entry = try cursor.next()
        }
    }
}
