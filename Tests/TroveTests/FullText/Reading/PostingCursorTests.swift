// The cursor over the postings of a word: what it finds is what a search through all postings finds.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

struct PostingCursorTests {
    @Test func seeks_findTheFirstPostingAtOrAfterARecord() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let fixture = try TextFixture(fields: 2)
        let expected = try fill(fixture, &generator)
        try fixture.read { reader, _ in
            for _ in 0..<60 { try compare(reader, expected, &generator, "seed \(seed)") }
        }
        // In a write transaction too, with changes of the postings between the steps.
        try fixture.write { session in
            for round in 0..<20 {
                try compare(session.reader, expected, &generator, "seed \(seed), writing") {
                    try session.save("other\(round)", modelText("other", "else"))
                    try session.writer.flush()
                }
            }
        }
    }

    @Test func bounds_holdThroughTheirLastRecord() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let fixture = try TextFixture(fields: 2)
        let expected = try fill(fixture, &generator)
        try fixture.read { reader, _ in
            let lengths = reader.lengths()
            let cursor = try #require(try self.cursor(reader))
            var target: UInt64 = 1
            var blocks = 0
            while target != PostingCursor.end {
                let last = try cursor.reach(target)
                for (id, frequencies) in expected where id >= target && id <= last {
                    #expect(try LengthClass.of(lengths.length(of: id)) >= cursor.leastLengthClass, "seed \(seed)")
                    for field in 0..<2 {
                        #expect(frequencies[field] <= UInt32(cursor.greatestFrequency(of: field)), "seed \(seed)")
                    }
                }
                blocks += 1
                target = last == PostingCursor.end ? last : last + 1
            }
            #expect(blocks > 3)
        }
    }

    @Test func unknownWords_haveNoCursor() throws {
        let fixture = try TextFixture()
        try fixture.write { _ in }
        try fixture.read { reader, _ throws in
            #expect(try cursor(reader) == nil)
            #expect(try reader.postings(of: 0) == nil)
            #expect(try reader.postings(of: .max) == nil)
            #expect(try reader.withDocument(1) { _ in true } == nil)
            #expect(try reader.lengths().length(of: 1) == 0)
            #expect(try reader.statistics() == TextStatistics(fields: 1))
        }
    }

    /// Saves texts, some with the word. Returns the frequencies of the word by record number.
    private func fill(
        _ fixture: TextFixture, _ generator: inout SeededGenerator
    ) throws -> [(UInt64, [UInt32])] {
        var expected: [(UInt64, [UInt32])] = []
        try fixture.write { session in
            for number in 0..<900 {
                let counts = (0..<2).map { _ in max(0, Int.random(in: -3...3, using: &generator)) }
                let texts = counts.map { count in
                    String(repeating: "word ", count: count)
                        + String(repeating: "filler ", count: Int.random(in: 0...30, using: &generator))
                }
                try session.save("r\(number)", modelText(texts[0], texts[1]))
                if counts.contains(where: { $0 > 0 }) { expected.append((UInt64(number + 1), counts.map(UInt32.init))) }
            }
        }
        return expected
    }

    private func cursor(_ reader: TextReader) throws -> PostingCursor? {
        let number = try ByteView.with(Array("word".utf8)) { try reader.number(of: $0) }
        return try number.flatMap { try reader.postings(of: $0) }
    }

    private func compare(
        _ reader: TextReader, _ expected: [(UInt64, [UInt32])], _ generator: inout SeededGenerator, _ comment: Comment,
        between: () throws -> Void = {}
    ) throws {
        let cursor = try #require(try self.cursor(reader))
        #expect(cursor.counts.all == UInt64(expected.count), comment)
        let greatestStep = [2, 30, 400, 2000].randomElement(using: &generator) ?? 2
        var target: UInt64 = 0
        while target <= 1000 {
            if Bool.random(using: &generator) {
                target = max(cursor.id, target) + 1
                // Before the first posting and after a block, the next posting is a seek.
                if cursor.id + 1 == target { try cursor.next() } else { try cursor.seek(target) }
            } else {
                target = max(target, 1) + UInt64.random(in: 0...UInt64(greatestStep), using: &generator)
                if Bool.random(using: &generator) { try cursor.reach(target) }
                try cursor.seek(target)
            }
            let found = expected.first { $0.0 >= target }
            #expect(cursor.id == found?.0 ?? PostingCursor.end, comment)
            guard let found else { return }
            if Bool.random(using: &generator) {
                #expect(try cursor.frequency(of: 0) == found.1[0], comment)
                #expect(try cursor.frequency(of: 1) == found.1[1], comment)
            }
            target = found.0
            try between()
        }
    }
}
