// The check of a full-text index: its parts agree with the documents, and the documents with the record numbers.
//
// The documents are read once for each range of 4 million words. Each posting is hashed to 16 bytes, and the hashes of
// a word are added: in the order of the records for the documents, in the order of the words for the postings. Only a
// word whose sums differ is compared posting by posting.
//
// Memory: 64 MB for the sums of a range, a few MB for the words that are compared, and the words of a single document.

import LMDB
import TroveCoding

/// Checks a full-text index in a transaction without pending changes.
///
/// - Complexity: O(*n*) in the size of the index for each range of 4 million words. Memory is bounded: at most 64 MB of
///   sums, and 20 bytes for each word of the longest document.
struct TextCheck {
    /// The number of words in a range: 64 MB of sums.
    static let rangeSize: UInt64 = 1 << 22

    /// The sum of the hashes of postings.
    struct Sum: Equatable {
        private var first: UInt64 = 0
        private var second: UInt64 = 0

        /// Adds a posting.
        mutating func add(_ id: UInt64, _ frequencies: ArraySlice<UInt32>) {
            var hash = id &* 0x9E37_79B9_7F4A_7C15
            var other = ~id &* 0xC2B2_AE3D_27D4_EB4F
            for frequency in frequencies {
                hash = (hash ^ UInt64(frequency)) &* 0x87C3_7B91_1142_53D5
                hash ^= hash >> 29
                other = (other ^ UInt64(frequency)) &* 0x4CF5_AD43_2745_937F
                other ^= other >> 31
            }
            first &+= hash ^ hash >> 32
            second &+= other ^ other >> 32
        }
    }

    let reader: TextReader
    let lengths: TextLengths
    /// The number of findings to return at most.
    let limit: Int
    private(set) var findings: [TextFinding] = []
    /// The words of the current range, and the sums of their postings in the documents.
    var range: Range<UInt64> = 1..<1
    var sums: [Sum] = []
    /// The least word of a document after the current range.
    var nextWord = UInt64.max
    /// The greatest number of a stored word.
    private(set) var lastWord: UInt64 = 0
    /// The statistics as counted.
    var counted: TextStatistics

    var parts: TextParts { reader.parts }
    var keyspace: Keyspace { reader.keyspace }

    private init(_ reader: TextReader, limit: Int) {
        self.reader = reader
        self.limit = limit
        lengths = reader.lengths()
        counted = TextStatistics(fields: reader.parts.fields)
    }

    /// Returns the findings of an index; none if it is sound.
    ///
    /// - Parameters:
    ///   - numbers: The record numbers of the type; nil if they are not checked.
    ///   - limit: The number of findings to return at most.
    static func findings(
        in reader: TextReader, _ numbers: RecordNumberParts? = nil, limit: Int = 1000
    ) throws -> [TextFinding] {
        var check = TextCheck(reader, limit: limit)
        try check.run(numbers)
        return check.findings
    }

    mutating func add(_ finding: TextFinding) { if !isFull { findings.append(finding) } }

    var isFull: Bool { findings.count >= limit }

    static func key(_ number: UInt64) -> [UInt8] {
        var key: [UInt8] = []
        RowNumber.append(number, to: &key)
        return key
    }

    /// Calls a closure with each row of a part, while further findings are wanted. Damaged rows are found.
    ///
    /// - Parameters:
    ///   - isSecondPass: Whether damaged rows are findings already.
    ///   - body: Reads the row. A `CodingError` is a finding.
    mutating func forEachRow(
        _ part: TextPart, isSecondPass: Bool = false,
        _ body: (inout TextCheck, _ key: ByteView, _ content: ByteView) throws -> Void
    ) throws {
        guard let table = parts[part] else { return }
        let rows = try TextRowCursor(table, keyspace)
        while !isFull, let row = try rows.next() {
            do {
                guard let content = row.content else { throw CodingError(.malformed(expected: "the checksum")) }
                try body(&self, row.key, content)
            } catch is CodingError {
                if !isSecondPass { add(TextFinding(kind: .damagedRow(part), key: row.key.copy())) }
            }
        }
    }

    // MARK: Ranges of words

    private mutating func run(_ numbers: RecordNumberParts?) throws {
        // Damaged statistics are found with the tails.
        let stored = try unlessDamaged { try reader.statistics() }
        counted.nextWord = stored?.nextWord ?? RowNumber.limit
        if let numbers { try checkRecordNumbers(numbers) }
        lastWord = try readLastWord()
        var lowest: UInt64? = 1
        while let first = lowest, !isFull {
            range = first..<min(first + Self.rangeSize, max(lastWord, first) + 1)
            sums = [Sum](repeating: Sum(), count: range.count)
            nextWord = .max
            try sumDocuments(isFirst: first == 1)
            try checkWords()
            lowest = try firstWord(from: range.upperBound)
        }
        try checkDocuments(numbers)
        if let numbers { try checkWaiting(numbers) }
        try checkWordRows()
        try checkStrayBlocks()
        if let stored, counted != stored { add(TextFinding(kind: .wrongStatistics)) }
    }

    /// Returns the first word of the next range: of a tail or of a document; nil if there is none.
    ///
    /// Damaged keys may be far apart: ranges without words are passed over.
    private func firstWord(from number: UInt64) throws -> UInt64? {
        guard number <= lastWord else { return nil }
        var first = nextWord
        try keyspace.scan(parts.tails.database, ScanRange(from: Self.key(number))) { key, _ in
            first = min(first, max(number, ByteView.with(key) { RowNumber.read($0) }))
            return .stop
        }
        return first <= lastWord ? first : nil
    }

    /// Returns the greatest number of a stored word; 0 if there is none.
    private func readLastWord() throws -> UInt64 {
        var last: UInt64 = 0
        try keyspace.scan(parts.tails.database, ScanRange(isDescending: true)) { key, _ in
            last = ByteView.with(key) { RowNumber.read($0) }
            return .stop
        }
        return last
    }
}

/// Calls a closure that reads rows of full text; nil for a damaged row.
func unlessDamaged<R>(_ body: () throws -> R?) throws -> R? {
    do {
        return try body()
    } catch StoreError.record(.indexDamaged) {
        return nil
    }
}
