// The check of words and postings against the documents.

import LMDB
import TroveCoding

extension TextCheck {
    /// The number of words to compare at once, posting by posting.
    private static let comparedWords = 256

    /// Adds the postings of all documents to the sums of the words of the range.
    mutating func sumDocuments(isFirst: Bool) throws {
        var document = DocumentBuilder(fields: parts.fields, keepsOrder: parts.keepsOrder)
        let fields = parts.fields
        try forEachRow(.documents, isSecondPass: !isFirst) { check, key, content in
            let id = try check.checkedID(key)
            try document.read(try DocumentRow(content, fields: fields))
            for place in document.words.indices {
                let word = document.words[place]
                if check.range.contains(word) {
                    check.sums[Int(word - check.range.lowerBound)]
                        .add(id, document.frequencies[place * fields..<(place + 1) * fields])
                } else if word >= check.range.upperBound {
                    check.nextWord = min(check.nextWord, word)
                }
            }
        }
    }

    /// Checks the words of the range: their tails, blocks, counts, bounds and sums.
    mutating func checkWords() throws {
        var next = range.lowerBound
        var suspects: [UInt64] = []
        let rows = try TextRowCursor(parts.tails, keyspace, from: Self.key(next == 1 ? 0 : next))
        while !isFull, let row = try rows.next() {
            let number = RowNumber.read(row.key)
            guard number < range.upperBound else { break }
            guard let content = row.content, row.key.count == RowNumber.size else {
                add(TextFinding(kind: .damagedRow(.tails), key: row.key.copy()))
                continue
            }
            if number == 0 {
                checkStatistics(content, row.key)
                continue
            }
            noteSuspects(next..<number, &suspects)
            let sum = try checkWord(number, content)
            if sum != sums[Int(number - range.lowerBound)], suspects.count < limit { suspects.append(number) }
            next = number + 1
        }
        noteSuspects(next..<range.upperBound, &suspects)
        for start in stride(from: 0, to: suspects.count, by: Self.comparedWords) where !isFull {
            try comparePostings(of: suspects[start..<min(start + Self.comparedWords, suspects.count)])
        }
    }

    private mutating func checkStatistics(_ content: ByteView, _ key: ByteView) {
        do throws(CodingError) {
            _ = try TextStatistics(content, fields: parts.fields)
        } catch {
            add(TextFinding(kind: .damagedRow(.tails), key: key.copy()))
        }
    }

    /// Adds the words without a tail that documents have.
    private func noteSuspects(_ words: Range<UInt64>, _ suspects: inout [UInt64]) {
        for word in words where suspects.count < limit && sums[Int(word - range.lowerBound)] != Sum() {
            suspects.append(word)
        }
    }

    /// Checks a word. Returns the sum of its postings; nil if a row is damaged.
    private mutating func checkWord(_ number: UInt64, _ content: ByteView) throws -> Sum? {
        counted.wordCount += 1
        if number >= counted.nextWord { add(TextFinding(kind: .wrongWord, word: number)) }
        var walk = WordWalk(number, fields: parts.fields)
        do throws(CodingError) {
            try walk.read(content)
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
                    row.value.dropFirst(StoredRow.checksumSize),
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

    /// The comparison of a word's postings with the documents.
    private final class ComparedWord {
        let word: UInt64
        /// The postings from the next one to compare on; nil if there is no such word.
        let postings: PostingCursor?
        /// Whether a row of the word is damaged, which is a finding already.
        var isDamaged = false

        init(_ word: UInt64, _ reader: TextReader) throws {
            self.word = word
            var found: PostingCursor?
            do {
                found = try reader.postings(of: word)
                try found?.next()
            } catch StoreError.record(.indexDamaged) {
                isDamaged = true
            }
            postings = found
        }

        /// Returns the records up to a record whose postings differ from the documents.
        ///
        /// - Parameters:
        ///   - id: The next record with the word; ``PostingCursor/end`` after the last.
        ///   - frequencies: Its frequencies.
        func differences(upTo id: UInt64, _ frequencies: ArraySlice<UInt32>, limit: Int) throws -> [UInt64] {
            guard let postings, !isDamaged else { return [] }
            var differences: [UInt64] = []
            do {
                while postings.id < id, differences.count < limit {
                    differences.append(postings.id)
                    try postings.next()
                }
                guard id != PostingCursor.end else { return differences }
                if try postings.id != id || !hasFrequencies(frequencies) { differences.append(id) }
                if postings.id == id { try postings.next() }
            } catch StoreError.record(.indexDamaged) {
                isDamaged = true
            }
            return differences
        }

        private func hasFrequencies(_ frequencies: ArraySlice<UInt32>) throws -> Bool {
            try frequencies.enumerated().allSatisfy { try postings?.frequency(of: $0) == $1 }
        }
    }

    /// Compares the postings of some words with the documents, posting by posting.
    private mutating func comparePostings(of words: ArraySlice<UInt64>) throws {
        var compared: [UInt64: ComparedWord] = [:]
        for word in words { compared[word] = try ComparedWord(word, reader) }
        var document = DocumentBuilder(fields: parts.fields, keepsOrder: parts.keepsOrder)
        let fields = parts.fields
        try forEachRow(.documents, isSecondPass: true) { check, key, content in
            let id = try check.checkedID(key)
            try document.read(try DocumentRow(content, fields: fields))
            for place in document.words.indices {
                guard let word = compared[document.words[place]] else { continue }
                let frequencies = document.frequencies[place * fields..<(place + 1) * fields]
                try check.add(word, upTo: id, frequencies)
            }
        }
        for word in words { if let word = compared[word] { try add(word, upTo: PostingCursor.end, []) } }
    }

    private mutating func add(_ word: ComparedWord, upTo id: UInt64, _ frequencies: ArraySlice<UInt32>) throws {
        if word.postings == nil, !word.isDamaged, id != PostingCursor.end {
            add(TextFinding(kind: .unknownWord, word: word.word, record: id))
        }
        for record in try word.differences(upTo: id, frequencies, limit: limit) {
            add(TextFinding(kind: .wrongPosting, word: word.word, record: record))
        }
    }

    // MARK: Rows of words

    /// Checks that the number of each word leads back to the word.
    mutating func checkWordRows() throws {
        try forEachRow(.words) { check, key, content in
            guard content.count == RowNumber.size else {
                throw CodingError(.malformed(expected: "the number of a word"))
            }
            let number = RowNumber.read(content)
            var stored: [UInt8] = []
            if let word = try unlessDamaged({ try check.reader.word(number) }) {
                ByteView.with(word) { WordKey.write($0, to: &stored) }
            }
            if stored != key.copy() { check.add(TextFinding(kind: .wrongWord, word: number)) }
        }
    }

    /// Checks that each block belongs to a word.
    mutating func checkStrayBlocks() throws {
        guard var cursor = try keyspace.seeks(in: parts.blocks.database) else { return }
        var entry = try ByteView.with([0]) { try cursor.seek($0) }
        while let row = entry, !isFull {
            let number = RowNumber.read(row.key)
            let exists = try unlessDamaged { try parts.tails.content(Self.key(number), keyspace) != nil } ?? true
            if !exists || number == 0 || row.key.count != PostingBlock.keySize {
                add(TextFinding(kind: .orphan, word: number, key: row.key.copy()))
            }
            guard number + 1 < RowNumber.limit else { return }
            entry = try ByteView.with(Self.key(number + 1)) { try cursor.seek($0) }
        }
    }
}
