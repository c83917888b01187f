// The check of full text, and damaged rows: each wrong part is found, and nothing traps.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

private struct EndedText: Error {}

struct TextCheckTests {
    /// Writes other content into a row, with a valid checksum, and returns the kinds of the findings.
    private func findings(
        _ fixture: TextFixture, _ part: TextPart, _ key: [UInt8], _ change: (inout [UInt8]) -> Void
    ) throws -> Set<TextFinding.Kind> {
        var findings: [TextFinding] = []
        #expect(throws: EndedText.self) {
            try fixture.write { session in
                let table = try #require(session.parts[part])
                var row = [UInt8](repeating: 0, count: StoredRow.checksumSize)
                try table.content(key, session.context.keyspace)?.append(to: &row)
                change(&row)
                try table.put(key, &row, session.context.keyspace)
                findings = try TextCheck.findings(in: session.reader, session.numberParts)
                throw EndedText()
            }
        }
        return Set(findings.map(\.kind))
    }

    private func makeFixture() throws -> TextFixture {
        let fixture = try TextFixture()
        try fixture.write { session in
            for number in 0..<300 { try session.save("r\(number)", modelText("all of r\(number) r\(number / 100)")) }
        }
        return fixture
    }

    private let firstNumber: [UInt8] = [0, 0, 0, 0, 1]

    @Test func soundIndex_hasNoFindings() throws {
        let fixture = try makeFixture()
        #expect(try fixture.read { try TextCheck.findings(in: $0, $1) } == [])
    }

    @Test func changedDocument_isFound() throws {
        let fixture = try makeFixture()
        // Another word: the first of "all of r0 r0".
        #expect(try findings(fixture, .documents, firstNumber) { $0[6] = 2 } == [.wrongPosting])
        // A word without number, and one that is not stored.
        #expect(
            try findings(fixture, .documents, firstNumber) {
                $0.replaceSubrange(6..<7, with: [0xFF, 0x7F]); $0[5] += 1
            }
                == [.wrongPosting, .unknownWord])
        // Another length than that of the stream.
        #expect(
            try findings(fixture, .documents, firstNumber) { $0[4] += 1 } == [.wrongLength, .wrongStatistics])
        // No document at all.
        #expect(
            try findings(fixture, .documents, [0, 0, 0, 9, 9]) { $0 += [0, 0] } == [.wrongRecord, .wrongStatistics])
        #expect(
            try findings(fixture, .documents, firstNumber) { $0.removeLast() } == [
                .damagedRow(.documents), .wrongPosting, .wrongStatistics,
            ])
    }

    @Test func changedPostings_areFound() throws {
        let fixture = try makeFixture()
        let block = firstNumber + [0, 0, 0, 0, 128]
        // The first record of the block is another.
        #expect(try findings(fixture, .blocks, block) { $0[6] = 9 }.contains(.wrongBound))
        #expect(try findings(fixture, .blocks, block) { $0[5] = 1 } == [.damagedRow(.blocks)])
        #expect(
            try findings(fixture, .blocks, [0, 0, 1, 0, 0] + firstNumber) { $0 += [1, 0, 0, 0, 1, 0] } == [.orphan])
        // The number of records, and the least length class.
        #expect(try findings(fixture, .tails, firstNumber) { $0[8] ^= 1 } == [.wrongCount])
        #expect(try findings(fixture, .tails, firstNumber) { $0[11] += 1 } == [.wrongBound])
        #expect(try findings(fixture, .tails, firstNumber) { $0[10] = 0 } == [.wrongBound])
        #expect(try findings(fixture, .tails, firstNumber) { $0[5] += 1 } == [.wrongWord])
    }

    @Test func changedWordsLengthsAndStatistics_areFound() throws {
        let fixture = try makeFixture()
        #expect(try findings(fixture, .words, Array("all".utf8)) { $0[8] += 1 } == [.wrongWord])
        #expect(try findings(fixture, .words, Array("none".utf8)) { $0 += [0, 0, 0, 0, 1] } == [.wrongWord])
        #expect(
            try findings(fixture, .words, Array("all".utf8)) { $0.removeLast() } == [.damagedRow(.words), .wrongWord])
        #expect(try findings(fixture, .lengths, [0, 0, 0, 0]) { $0[6] += 1 } == [.wrongLength])
        #expect(
            try findings(fixture, .lengths, [0, 0, 0, 5]) { $0 += [UInt8](repeating: 1, count: 4064) } == [.wrongLength]
        )
        // A page after the last number.
        #expect(
            try findings(fixture, .lengths, [0xFF, 0xFF, 0xFF, 0xFF]) { $0 += [UInt8](repeating: 1, count: 4064) }
                == [.damagedRow(.lengths)])
        #expect(try findings(fixture, .tails, [0, 0, 0, 0, 0]) { $0[6] ^= 1 } == [.wrongStatistics])
        #expect(try findings(fixture, .tails, [0, 0, 0, 0, 0]) { $0[4] = 9 } == [.damagedRow(.tails)])
    }

    @Test func changedRecordNumbers_areFound() throws {
        let fixture = try makeFixture()
        var findings: [TextFinding] = []
        #expect(throws: EndedText.self) {
            try fixture.write { session in
                var row: [UInt8] = [0, 0, 0, 0]
                row += Array("r1".utf8)
                try session.numberParts.keys.put(firstNumber, &row, session.context.keyspace)
                findings = try TextCheck.findings(in: session.reader, session.numberParts)
                throw EndedText()
            }
        }
        #expect(Set(findings.map(\.kind)) == [.wrongRecord])
    }

    @Test func verify_knowsTheChecksumsOfRows() throws {
        let fixture = try makeFixture()
        func damagedEntries() throws -> Int {
            try Store.verify(path: fixture.path).findings.filter { $0.kind == .indexEntry }.count
        }
        #expect(try damagedEntries() == 0)
        try fixture.write { session in
            let (table, keyspace) = (session.parts.blocks, session.context.keyspace)
            let key = firstNumber + [0, 0, 0, 0, 128]
            var row = try #require(try table.content(key, keyspace)).copy()
            row = [1, 2, 3, 4] + row
            try keyspace.put(table.database, key, row)
        }
        #expect(try damagedEntries() == 1)
    }

    // MARK: Any damage

    /// Random bytes of random rows are changed, with valid checksums and without: every read, check and write returns
    /// or throws, and a changed checksum is always found.
    @Test func damagedRows_areErrors() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let fixture = try makeFixture()
        for _ in 0..<150 {
            let part = try #require(TextPart.allCases.dropLast().randomElement(using: &generator))
            let seals = Bool.random(using: &generator)
            let isVerified = Bool.random(using: &generator)
            #expect(throws: EndedText.self, "seed \(seed)") {
                try fixture.store.write { context in
                    let parts = try TextParts(
                        TextFixture.name, type: "Poem", index: "fullText", fields: 1, keepsOrder: true,
                        verifiesChecksums: isVerified, context.keyspace.openTable)
                    try damage(#require(parts[part]), seals: seals, context.keyspace, &generator)
                    let reader = TextReader(parts, context.keyspace)
                    let findings = try TextCheck.findings(in: reader)
                    if !seals { #expect(!findings.isEmpty, "seed \(seed)") }
                    try? readAll(reader, &generator)
                    try? writeSome(parts, context.keyspace, &generator)
                    throw EndedText()
                }
            }
        }
    }

    private func damage(
        _ table: RowTable, seals: Bool, _ keyspace: Keyspace, _ generator: inout SeededGenerator
    ) throws {
        var rows: [([UInt8], [UInt8])] = []
        try keyspace.scan(table.database, ScanRange()) { key, value in
            rows.append((copiedBytes(key), copiedBytes(value)))
            return .continue
        }
        var (key, row) = try #require(rows.randomElement(using: &generator))
        let original = row
        while row == original {
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: (seals ? 4 : 0)..<row.count, using: &generator)
                row[place] = UInt8.random(in: 0...255, using: &generator)
            }
            if Int.random(in: 0..<6, using: &generator) == 0 {
                row.removeLast(Int.random(in: 0..<row.count - 3, using: &generator))
            }
        }
        if seals { try table.put(key, &row, keyspace) } else { try keyspace.put(table.database, key, row) }
    }

    private func readAll(_ reader: TextReader, _ generator: inout SeededGenerator) throws {
        let lengths = reader.lengths()
        for id in UInt64(1)...300 {
            _ = try? lengths.length(of: id)
            _ = try? reader.withDocument(id) { document throws(CodingError) in
                var words = OrderedStream(try document.field(0).stream)
                while try words.next() != nil {}
            }
        }
        var numbers: [UInt64] = []
        try? reader.forEachWord(startingWith: []) { _, number in
            numbers.append(number)
            return true
        }
        for number in numbers {
            guard let cursor = try? reader.postings(of: number) else { continue }
            var steps = 0
            while steps < 1000, let id = try? cursor.next(), id != PostingCursor.end {
                _ = try? cursor.frequency(of: 0)
                steps += 1
            }
        }
    }

    private func writeSome(_ parts: TextParts, _ keyspace: Keyspace, _ generator: inout SeededGenerator) throws {
        let writer = try TextWriter(parts, keyspace)
        for id in (1...300).map(UInt64.init).shuffled(using: &generator).prefix(20) {
            if Bool.random(using: &generator) {
                _ = try? writer.remove(id)
            } else {
                _ = try? writer.write(id) { _, add in
                    for (position, word) in ["all", "of", "r1", "new"].enumerated() {
                        try Array(word.utf8).withRawSpan { try add($0, position) }
                    }
                }
            }
        }
        try writer.flush()
    }
}
