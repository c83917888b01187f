// The check of documents, lengths, and record numbers.

import LMDB
import TroveCoding

extension TextCheck {
    /// Counts the documents, and checks their lengths and their records.
    mutating func checkDocuments(_ numbers: RecordNumberParts?) throws {
        var page = StoredLengths(parts.lengths, keyspace)
        try forEachRow(.documents, isSecondPass: true) { check, key, content in
            let id = try check.checkedID(key)
            let document = try DocumentRow(content, fields: check.parts.fields)
            var total: UInt64 = 0
            for field in 0..<check.parts.fields {
                let length = try document.field(field).length
                check.counted.totalLengths[field] &+= length
                total &+= length
            }
            check.counted.documentCount += 1
            let (length, lastWord) = try check.count(document)
            let stored = try page.length(of: id)
            if length != total || stored.map({ $0 != UInt16(clamping: total) }) ?? false {
                check.add(TextFinding(kind: .wrongLength, record: id))
            }
            if lastWord > check.lastWord { check.add(TextFinding(kind: .unknownWord, word: lastWord, record: id)) }
            if let numbers, try unlessDamaged({ try numbers.keys.content(key.copy(), check.keyspace) }) == nil {
                check.add(TextFinding(kind: .wrongRecord, record: id))
            }
        }
        try checkLengths()
    }

    /// Returns the number in the key of a document.
    func checkedID(_ key: ByteView) throws(CodingError) -> UInt64 {
        guard key.count == RowNumber.size, RowNumber.read(key) > 0 else {
            throw CodingError(.malformed(expected: "the number of a record"))
        }
        return RowNumber.read(key)
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
                    lastWord = max(lastWord, word)
                }
            }
        }
        return (length, lastWord)
    }

    /// The stored lengths of records, a page at a time.
    private struct StoredLengths {
        private let table: RowTable
        private let keyspace: Keyspace
        private var page = UInt64.max
        private var content: ByteView?
        private var isDamaged = false

        init(_ table: RowTable, _ keyspace: Keyspace) {
            self.table = table
            self.keyspace = keyspace
        }

        /// Returns the stored length of a record; nil in a damaged page.
        mutating func length(of id: UInt64) throws -> UInt16? {
            if page != id / LengthPage.capacity {
                page = id / LengthPage.capacity
                var key: [UInt8] = []
                LengthPage.writeKey(page, to: &key)
                do {
                    content = try table.content(key, keyspace)
                    isDamaged = content.map { $0.count != LengthPage.size } ?? false
                } catch StoreError.record(.indexDamaged) {
                    isDamaged = true
                }
            }
            guard !isDamaged else { return nil }
            return try content.map { try LengthPage.length(id, in: $0) } ?? 0
        }
    }

    /// Checks that each stored length belongs to a document.
    private mutating func checkLengths() throws {
        try forEachRow(.lengths) { check, key, content in
            guard key.count == 4, content.count == LengthPage.size else {
                throw CodingError(.malformed(expected: "the lengths of \(LengthPage.capacity) records"))
            }
            let first = (key.head >> 32) * LengthPage.capacity
            guard first < RowNumber.limit else { throw CodingError(.malformed(expected: "the lengths of records")) }
            let ids = first..<min(first + LengthPage.capacity, RowNumber.limit)
            var documents = Set<UInt64>()
            let upper = ids.upperBound < RowNumber.limit ? Self.key(ids.upperBound) : nil
            try check.keyspace.scan(
                check.parts.documents.database, ScanRange(from: Self.key(first), upTo: upper)
            ) { key, _ in
                documents.insert(ByteView.with(key) { RowNumber.read($0) })
                return .continue
            }
            for id in ids where !documents.contains(id) {
                if try LengthPage.length(id, in: content) != 0 {
                    check.add(TextFinding(kind: .wrongLength, record: id))
                }
            }
        }
    }

    /// Checks the rows of records that wait for their text: none of them is in the index.
    mutating func checkWaiting(_ numbers: RecordNumberParts) throws {
        try forEachRow(.waiting) { check, key, content in
            _ = try WaitingRow.read(content)
            // Damaged numbers are findings already.
            let number = try unlessDamaged { try RecordNumbers(numbers, check.keyspace).number(of: key.copy()) } ?? nil
            if let number, try check.reader.hasDocument(number) {
                check.add(TextFinding(kind: .waitingDocument, record: number))
            }
        }
    }

    /// Checks that the numbers of records and the records of numbers agree.
    mutating func checkRecordNumbers(_ numbers: RecordNumberParts) throws {
        let keyspace = keyspace
        try numbers.forEachDifference(keyspace) { difference in
            add(TextFinding(kind: .wrongRecord, record: difference.number, key: difference.key))
            return !isFull
        }
    }
}
