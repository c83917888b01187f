// The check of words and postings against the documents.

import LMDB
import TroveCoding

extension TextCheck {
    /// Adds the postings of all documents to the sums of the words of the range.
    mutating func sumDocuments(isFirst: Bool) throws {
        var document = DocumentBuilder(fields: parts.fields, keepsOrder: parts.keepsOrder)
        let fields = parts.fields
        try forEachRow(.documents, isSecondPass: !isFirst) { (check, key, content) throws(CodingError) in
            try document.read(try DocumentRow(content, fields: fields))
            let id = RowNumber.read(key)
            for place in document.words.indices where check.range.contains(document.words[place]) {
                check.sums[Int(document.words[place] - check.range.lowerBound)]
                    .add(id, document.frequencies[place * fields..<(place + 1) * fields])
            }
        }
    }

    /// Checks the words of the range: their tails, blocks, counts, bounds and sums.
    mutating func checkWords() throws {
        var next = range.lowerBound
        var suspects: Set<UInt64> = []
        let isFirst = next == 1
        let fields = parts.fields
        var words: [(number: UInt64, row: [UInt8])] = []
        try forEachRow(.tails, from: Self.key(isFirst ? 0 : next)) { (check, key, content) throws(CodingError) in
            let number = RowNumber.read(key)
            if number == 0 {
                _ = try TextStatistics(content, fields: fields)
                return
            }
            guard number < check.range.upperBound else { return }
            words.append((number, content.copy()))
        }
        for (number, row) in words {
            let sum = try checkWord(number, row)
            while next < number {
                if sums[Int(next - range.lowerBound)] != Sum() { suspects.insert(next) }
                next += 1
            }
            if sum != sums[Int(number - range.lowerBound)] { suspects.insert(number) }
            next = number + 1
        }
        while next < range.upperBound {
            if sums[Int(next - range.lowerBound)] != Sum() { suspects.insert(next) }
            next += 1
        }
        if !suspects.isEmpty { try comparePostings(of: suspects) }
    }

    static func key(_ number: UInt64) -> [UInt8] {
        var key: [UInt8] = []
        RowNumber.append(number, to: &key)
        return key
    }

    /// Checks a word. Returns the sum of its postings; nil if a row is damaged.
    private mutating func checkWord(_ number: UInt64, _ content: [UInt8]) throws -> Sum? {
        counted.wordCount += 1
        if number >= counted.nextWord { add(TextFinding(kind: .wrongWord, word: number)) }
        var walk = WordWalk(number, fields: parts.fields)
        do throws(CodingError) {
            try content.withRawSpan { (content) throws(CodingError) in
                try ByteView.with(content) { (content) throws(CodingError) in try walk.read(content) }
            }
        } catch {
            add(TextFinding(kind: .damagedRow(.tails), word: number, key: Self.key(number)))
            return nil
        }
        let stored = try unlessDamaged { try ByteView.with(walk.word) { try reader.number(of: $0) } }
        if stored != number { add(TextFinding(kind: .wrongWord, word: number)) }
        guard try checkBlocks(&walk) else { return nil }
        try check(walk.tail, &walk)
        if walk.found.all == 0 { add(TextFinding(kind: .orphan, word: number)) }
        if walk.found.all != walk.counts.all || parts.fields > 1 && walk.found.byField != walk.counts.byField {
            add(TextFinding(kind: .wrongCount, word: number))
        }
        return walk.sum
    }

    /// The state of the walk over the postings of a word.
    private struct WordWalk {
        let number: UInt64
        var word: [UInt8] = []
        var tail: Postings
        var counts: DocumentCounts
        var found: DocumentCounts
        /// The bounds of the current postings.
        var bounds: [UInt8] = []
        var lengthClass: UInt8 = 0
        var last: UInt64 = 0
        var sum = Sum()

        init(_ number: UInt64, fields: Int) {
            self.number = number
            tail = Postings(fields: fields)
            counts = DocumentCounts(fields: fields)
            found = counts
        }

        /// Reads the tail.
        mutating func read(_ content: ByteView) throws(CodingError) {
            let row = try TailRow(content, fields: tail.fields)
            try row.decode(into: &tail)
            try counts.read(row)
            bounds = (0..<tail.fields).map { row.greatestFrequency(of: $0) }
            lengthClass = row.leastLengthClass
            word = row.word.copy()
        }
    }

    /// Checks the blocks of a word. Returns false if a block is damaged.
    private mutating func checkBlocks(_ walk: inout WordWalk) throws -> Bool {
        guard var cursor = try keyspace.seeks(in: parts.blocks.database) else { return true }
        let (bounds, lengthClass) = (walk.bounds, walk.lengthClass)
        defer { (walk.bounds, walk.lengthClass) = (bounds, lengthClass) }
        var postings = Postings(fields: parts.fields)
        var entry = try ByteView.with(Self.key(walk.number)) { try cursor.seek($0) }
        while let row = entry, row.key.count == PostingBlock.keySize, RowNumber.read(row.key) == walk.number {
            do throws(CodingError) {
                guard parts.blocks.isIntact(row.value, key: row.key) else {
                    throw CodingError(.malformed(expected: "the checksum"))
                }
                let block = try PostingBlock(
                    row.value.dropFirst(TextRow.checksumSize),
                    lastID: RowNumber.read(row.key, at: RowNumber.size), fields: parts.fields)
                try block.decode(into: &postings)
                walk.bounds = (0..<parts.fields).map { block.greatestFrequency(of: $0) }
                walk.lengthClass = block.leastLengthClass
            } catch {
                add(TextFinding(kind: .damagedRow(.blocks), word: walk.number, key: row.key.copy()))
                return false
            }
            try check(postings, &walk)
            entry = try cursor.next()
        }
        return true
    }

    /// Checks postings against the bounds, and adds them to the sum.
    private mutating func check(_ postings: Postings, _ walk: inout WordWalk) throws {
        if let first = postings.ids.first, first <= walk.last {
            add(TextFinding(kind: .wrongOrder, word: walk.number, record: first))
        }
        for index in 0..<postings.count {
            let id = postings.ids[index]
            walk.found.add(postings, at: index)
            walk.sum.add(id, postings.frequencies[index * parts.fields..<(index + 1) * parts.fields])
            let exceeds = (0..<parts.fields).contains { field in
                walk.bounds[field] < UInt8.max && postings.frequency(at: index, of: field) > walk.bounds[field]
            }
            let length = try unlessDamaged { try lengths.length(of: id) } ?? .max
            if exceeds || LengthClass.of(length) < walk.lengthClass {
                add(TextFinding(kind: .wrongBound, word: walk.number, record: id))
            }
            walk.last = id
        }
    }

    // MARK: Differences

    /// Compares the postings of some words with the documents, posting by posting.
    private mutating func comparePostings(of words: Set<UInt64>) throws {
        var expected: [UInt64: [UInt64: [UInt32]]] = [:]
        var document = DocumentBuilder(fields: parts.fields, keepsOrder: parts.keepsOrder)
        let fields = parts.fields
        try forEachRow(.documents, isSecondPass: true) { (_, key, content) throws(CodingError) in
            try document.read(try DocumentRow(content, fields: fields))
            for place in document.words.indices where words.contains(document.words[place]) {
                expected[document.words[place], default: [:]][RowNumber.read(key)] =
                    Array(document.frequencies[place * fields..<(place + 1) * fields])
            }
        }
        for word in words.sorted() { try compare(word, expected[word] ?? [:]) }
    }

    private mutating func compare(_ word: UInt64, _ expected: [UInt64: [UInt32]]) throws {
        var expected = expected
        guard let cursor = try unlessDamaged({ try reader.postings(of: word) }) else {
            for id in expected.keys.sorted() { add(TextFinding(kind: .unknownWord, word: word, record: id)) }
            return
        }
        let isSound: Void? = try unlessDamaged {
            var id = try cursor.next()
            while id != PostingCursor.end {
                let frequencies = try (0..<parts.fields).map { try cursor.frequency(of: $0) }
                if expected.removeValue(forKey: id) != frequencies {
                    add(TextFinding(kind: .wrongPosting, word: word, record: id))
                }
                id = try cursor.next()
            }
        }
        // The damaged row is a finding already.
        guard isSound != nil else { return }
        for id in expected.keys.sorted() { add(TextFinding(kind: .wrongPosting, word: word, record: id)) }
    }

    // MARK: Rows of words

    /// Checks that the number of each word leads back to the word.
    mutating func checkWordRows() throws {
        var wrong: [UInt64] = []
        let reader = reader
        try forEachRow(.words) { (_, key, content) throws(CodingError) in
            guard content.count == RowNumber.size else {
                throw CodingError(.malformed(expected: "the number of a word"))
            }
            let number = RowNumber.read(content)
            let expected = key.copy()
            var stored: [UInt8] = []
            do {
                guard let word = try reader.word(number) else { throw StoreError.closed(path: "") }
                ByteView.with(word) { WordKey.write($0, to: &stored) }
            } catch {
                stored = []
            }
            if stored != expected { wrong.append(number) }
        }
        for number in wrong { add(TextFinding(kind: .wrongWord, word: number)) }
    }

    /// Checks that each block belongs to a word.
    mutating func checkStrayBlocks() throws {
        guard var cursor = try keyspace.seeks(in: parts.blocks.database) else { return }
        var entry = try ByteView.with([0]) { try cursor.seek($0) }
        while let row = entry {
            let number = RowNumber.read(row.key)
            let exists = try parts.tails.content(Self.key(number), keyspace) != nil
            if !exists || number == 0 || row.key.count != PostingBlock.keySize {
                add(TextFinding(kind: .orphan, word: number, key: row.key.copy()))
            }
            guard number + 1 < RowNumber.limit else { return }
            entry = try ByteView.with(Self.key(number + 1)) { try cursor.seek($0) }
        }
    }
}
