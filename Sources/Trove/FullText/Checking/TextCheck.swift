// The check of a full-text index: its parts agree with the documents, and the documents with the record numbers.
//
// The documents are read once for each range of 4 million words. Each posting is hashed to 16 bytes, and the hashes of
// a word are added: in the order of the records for the documents, in the order of the words for the postings. Only a
// word whose sums differ is compared posting by posting.

import LMDB
import TroveCoding

/// Checks a full-text index in a transaction without pending changes.
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
    private let limit: Int
    private(set) var findings: [TextFinding] = []
    /// The words of the current range, and the sums of their postings in the documents.
    var range: Range<UInt64> = 1..<1
    var sums: [Sum] = []
    /// The greatest number of a stored word.
    private(set) var lastWord: UInt64 = 0
    /// The statistics as counted.
    var counted: TextStatistics

    var parts: TextParts { reader.parts }
    var keyspace: Keyspace { reader.keyspace }

    /// - Parameter limit: The number of findings to return at most.
    private init(_ reader: TextReader, limit: Int) {
        self.reader = reader
        self.limit = limit
        lengths = reader.lengths()
        counted = TextStatistics(fields: reader.parts.fields)
    }

    /// Returns the findings of an index; none if it is sound.
    ///
    /// - Parameter numbers: The record numbers of the type; nil if they are not checked.
    static func findings(
        in reader: TextReader, _ numbers: RecordNumberParts? = nil, limit: Int = 1000
    ) throws -> [TextFinding] {
        var check = TextCheck(reader, limit: limit)
        try check.run(numbers)
        return check.findings
    }

    mutating func add(_ finding: TextFinding) { if findings.count < limit { findings.append(finding) } }

    /// Calls a closure with each row of a table. Damaged rows are found.
    ///
    /// - Parameters:
    ///   - isSecondPass: Whether damaged rows are findings already.
    ///   - body: Reads the row. A `CodingError` is a finding.
    mutating func forEachRow(
        _ part: TextPart, from key: [UInt8] = [0], isSecondPass: Bool = false,
        _ body: (inout TextCheck, _ key: ByteView, _ content: ByteView) throws(CodingError) -> Void
    ) throws {
        let table = parts[part]
        guard var cursor = try keyspace.seeks(in: table.database) else { return }
        var entry = try ByteView.with(key) { try cursor.seek($0) }
        while let row = entry {
            do throws(CodingError) {
                guard table.isIntact(row.value, key: row.key) else {
                    throw CodingError(.malformed(expected: "the checksum"))
                }
                try body(&self, row.key, row.value.dropFirst(TextRow.checksumSize))
            } catch {
                if !isSecondPass { add(TextFinding(kind: .damagedRow(part), key: row.key.copy())) }
            }
            entry = try cursor.next()
        }
    }

    // MARK: Ranges of words

    private mutating func run(_ numbers: RecordNumberParts?) throws {
        // Damaged statistics are found with the tails.
        let stored = try unlessDamaged { try reader.statistics() }
        counted.nextWord = stored?.nextWord ?? RowNumber.limit
        if let numbers { try checkRecordNumbers(numbers) }
        lastWord = try readLastWord()
        var lowest: UInt64 = 1
        while lowest <= lastWord {
            range = lowest..<min(lowest + Self.rangeSize, lastWord + 1)
            sums = [Sum](repeating: Sum(), count: range.count)
            try sumDocuments(isFirst: lowest == 1)
            try checkWords()
            lowest = range.upperBound
        }
        try checkDocuments(numbers)
        try checkWordRows()
        try checkStrayBlocks()
        if let stored, counted != stored { add(TextFinding(kind: .wrongStatistics)) }
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

    /// Calls a closure; nil for a damaged row.
    func unlessDamaged<R>(_ body: () throws -> R?) throws -> R? {
        do {
            return try body()
        } catch StoreError.indexDamaged {
            return nil
        }
    }
}
