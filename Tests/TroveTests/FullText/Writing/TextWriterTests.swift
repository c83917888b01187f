// Writing full text: after any changes, the index has the counts of the texts.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

private struct UndoneText: Error {}

struct TextWriterTests {
    // MARK: Single changes

    @Test func firstText_hasTheBytesOfTheFormat() throws {
        let fixture = try TextFixture()
        try fixture.write { try $0.save("a", modelText("the cat the")) }
        try fixture.read { reader, _ in
            func content(_ part: TextPart, _ key: [UInt8]) throws -> [UInt8]? {
                try reader.parts[part]?.content(key, reader.keyspace)?.copy()
            }
            #expect(try content(.documents, [0, 0, 0, 0, 1]) == [0x03, 0x03, 0x01, 0x02, 0x01])
            #expect(
                try content(.tails, [0, 0, 0, 0, 1])
                    == [0x03, 0x74, 0x68, 0x65, 0x01, 0x02, 0x03, 0x01, 0x03, 0x02])
            #expect(
                try content(.tails, [0, 0, 0, 0, 2]) == [0x03, 0x63, 0x61, 0x74, 0x01, 0x01, 0x03, 0x01, 0x02])
            #expect(try content(.words, Array("cat".utf8)) == [0, 0, 0, 0, 2])
            #expect(try content(.words, Array("the".utf8)) == [0, 0, 0, 0, 1])
            #expect(try content(.tails, [0, 0, 0, 0, 0]) == [1, 1, 1, 3, 2, 3])
            let lengths = try #require(try content(.lengths, [0, 0, 0, 0]))
            #expect(lengths.count == 4064 && Array(lengths[..<6]) == [0, 0, 3, 0, 0, 0])
        }
    }

    @Test func firstParts_useTheFeature() throws {
        let fixture = try TextFixture()
        #expect(throws: UndoneText.self) {
            try fixture.write { _ in throw UndoneText() }
        }
        #expect(try fixture.store.info.features == [])
        try fixture.write { _ in }
        #expect(try fixture.store.info.features == [.text])
    }

    @Test func equalText_changesNothing() throws {
        let fixture = try TextFixture(fields: 2)
        try fixture.write { session throws in
            #expect(try session.save("a", modelText("x y", "z")))
            #expect(try !session.save("a", modelText("x y", "z")))
            #expect(try session.save("a", modelText("x", "y z")))
        }
        try fixture.write { session throws in
            #expect(try !session.save("a", modelText("x", "y z")))
            #expect(!session.writer.hasPendingChanges)
        }
    }

    @Test func emptyText_isInTheIndex() throws {
        let fixture = try TextFixture()
        try fixture.write { try $0.save("a", [[]]) }
        try expect(fixture, ["a": [[]]])
        #expect(try fixture.read { reader, _ in try reader.statistics().documentCount } == 1)
        #expect(try fixture.write { try $0.delete("a") })
        try expect(fixture, [:])
    }

    @Test func recordsWithoutWords_fillTheLog() throws {
        let fixture = try TextFixture()
        try fixture.write { session in
            session.writer.changeLimit = 10
            for number in 0..<25 { try session.save("r\(number)", [[]]) }
            #expect(try session.reader.statistics().documentCount == 20)
        }
        #expect(try fixture.read { reader, _ in try reader.statistics().documentCount } == 25)
    }

    @Test func word_isRemovedWithItsLastRecord() throws {
        let fixture = try TextFixture()
        try fixture.write { session in
            try session.save("a", modelText("both mine"))
            try session.save("b", modelText("both"))
        }
        #expect(try fixture.write { try $0.delete("a") })
        try expect(fixture, ["b": modelText("both")])
        try fixture.write { session in
            try session.save("b", modelText("other"))
            try session.writer.flush()
            try session.save("a", modelText("both other"))
        }
        try expect(fixture, ["a": modelText("both other"), "b": modelText("other")])
    }

    @Test func longWords_areFoundWhole() throws {
        let fixture = try TextFixture()
        let words =
            ["ä", "y"].map { String(repeating: "x", count: 300) + $0 } + [String(repeating: "z", count: 1_000_000)]
        let text = [words.enumerated().map { ModelWord(text: $1, position: $0) }]
        try fixture.write { try $0.save("a", text) }
        try expect(fixture, ["a": text])
        #expect(try fixture.write { try $0.delete("a") })
        try expect(fixture, [:])
    }

    @Test func frequencies_areExact() throws {
        let fixture = try TextFixture(fields: 2)
        let many = (0..<100_000).map { ModelWord(text: "x", position: $0) }
        try fixture.write { session in
            try session.save("a", [many, []])
            try session.save("b", [many, many])
            try session.save("c", [[], [ModelWord(text: "x", position: 0)]])
        }
        try fixture.read { reader, _ in
            let number = try #require(try ByteView.with(Array("x".utf8)) { try reader.number(of: $0) })
            let cursor = try #require(try reader.postings(of: number))
            #expect(cursor.greatestFrequency(of: 0) == 255)
            #expect(try cursor.next() == 1 && cursor.frequency(of: 0) == 100_000 && cursor.frequency(of: 1) == 0)
            #expect(try reader.lengths().length(of: 2) == 200_000)
        }
        try check(fixture)
    }

    @Test func recordNumber_isNeverReused() throws {
        let fixture = try TextFixture()
        try fixture.write { session in
            for key in ["a", "b", "c"] { try session.save(key, modelText("x")) }
            #expect(try session.delete("c"))
        }
        try fixture.write { session in
            #expect(try session.delete("b"))
            #expect(try session.numbers.assign(Array("d".utf8)) == 4)
            try session.save("d", modelText("x"))
        }
        #expect(try fixture.write { try $0.delete("d") })
        try fixture.reopen()
        #expect(try fixture.write { try $0.numbers.assign(Array("c".utf8)) } == 5)
        try expect(fixture, ["a": modelText("x")])
    }

    @Test func emptiedIndex_keepsTheNextRecordNumber() throws {
        let fixture = try TextFixture()
        try fixture.write { session in
            for key in ["a", "b"] { try session.save(key, modelText("x y")) }
        }
        fixture.forgetWords()
        try fixture.write { session in
            try session.parts.removeAll(session.context.keyspace)
            try session.numbers.removeAll()
        }
        fixture.forgetWords()
        try expect(fixture, [:])
        try fixture.write { session in
            #expect(try session.numbers.assign(Array("c".utf8)) == 3)
            try session.save("c", modelText("y"))
        }
        try expect(fixture, ["c": modelText("y")])
    }

    /// A bound of a text that has become shorter is lowered, or else a query would pass over the record.
    @Test func shorterText_lowersTheBounds() throws {
        let fixture = try TextFixture()
        let long = modelText(String(repeating: "a b c d ", count: 40))
        try fixture.write { session in
            for number in 0..<300 { try session.save("r\(number)", long) }
        }
        try fixture.write { session in
            try session.save("r7", modelText("a b c"))
            try session.save("r299", modelText("a b c d"))
        }
        try fixture.read { reader, _ in
            let number = try #require(try ByteView.with(Array("a".utf8)) { try reader.number(of: $0) })
            let cursor = try #require(try reader.postings(of: number))
            #expect(try cursor.reach(1) == 128 && cursor.leastLengthClass == 3)
            #expect(try cursor.reach(129) == 256 && cursor.leastLengthClass == LengthClass.of(160))
            #expect(try cursor.reach(257) == PostingCursor.end && cursor.leastLengthClass == 4)
        }
        try check(fixture)
    }

    @Test func unreadText_leavesTheTransactionUsable() throws {
        let fixture = try TextFixture()
        try fixture.write { session in
            try session.save("a", modelText("x"))
            #expect(throws: UndoneText.self) {
                try session.writer.write(try session.numbers.assign(Array("b".utf8))) { _, add in
                    try Array("new".utf8).withRawSpan { try add($0, 0) }
                    throw UndoneText()
                }
            }
            _ = try session.numbers.remove(Array("b".utf8))
            try session.save("c", modelText("new y"))
        }
        try expect(fixture, ["a": modelText("x"), "c": modelText("new y")])
    }

    // MARK: Nested transactions

    @Test func abortedFlush_isPendingAgain() throws {
        let fixture = try TextFixture()
        try fixture.write { session in
            try session.save("a", modelText("x y"))
            #expect(throws: UndoneText.self) {
                try session.nested { session in
                    try session.save("b", modelText("y z"))
                    try session.writer.flush()
                    try session.delete("a")
                    try session.writer.flush()
                    try session.save("c", modelText("x w"))
                    throw UndoneText()
                }
            }
            #expect(session.writer.hasPendingChanges)
            try session.save("d", modelText("z"))
        }
        try expect(fixture, ["a": modelText("x y"), "d": modelText("z")])
    }

    // MARK: Random changes

    @Test(arguments: [(1, true), (3, true), (2, false)])
    func randomChanges_leaveAnIndexAsIfBuiltAnew(_ fields: Int, _ keepsOrder: Bool) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let fixture = try TextFixture(fields: fields, keepsOrder: keepsOrder)
        var changes = RandomTexts(fields: fields, keysTotal: 500)
        for round in 0..<10 {
            changes.keysTotal = [500, 500, 40][round % 3]
            do {
                try fixture.write { session in
                    // In some rounds the log is flushed again and again, also in nested transactions.
                    if round % 3 == 2 { session.writer.changeLimit = 60 }
                    try changes.run(150, in: session, fixture, depth: 0, &generator)
                    if round % 4 == 3 { throw UndoneText() }
                }
                changes.commit()
            } catch is UndoneText {
                changes.undo()
            }
            if round % 5 == 4 { try fixture.reopen() }
            try expect(fixture, changes.texts, "seed \(seed), round \(round)")
        }
        // All records go, in a random order: blocks are joined, and no word is left.
        while !changes.texts.isEmpty {
            try fixture.write { session throws in
                for key in changes.texts.keys.shuffled(using: &generator).prefix(120) {
                    #expect(try session.delete(key))
                    changes.texts[key] = nil
                }
            }
            try expect(fixture, changes.texts, "seed \(seed), removing")
        }
        #expect(try fixture.read { reader, _ in try reader.keyspace.count(reader.parts.blocks.database) } == 0)
    }

    /// Records added before and between others: blocks are split.
    @Test func randomOrder_splitsBlocks() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let fixture = try TextFixture(fields: 1)
        var texts: [String: ModelText] = [:]
        try fixture.write { session in
            for number in 0..<900 { _ = try session.numbers.assign(Array("r\(number)".utf8)) }
        }
        for numbers in [Array(0..<900).shuffled(using: &generator)].flatMap({ order in
            stride(from: 0, to: 900, by: 60).map { Array(order[$0..<$0 + 60]) }
        }) {
            try fixture.write { session in
                for number in numbers {
                    let text = modelText("a b\(number % 2)" + String(repeating: " c", count: number % 5))
                    try session.save("r\(number)", text)
                    texts["r\(number)"] = text
                }
            }
        }
        try expect(fixture, texts, "seed \(seed)")
    }

    // MARK: Expectations

    private func expect(_ fixture: TextFixture, _ texts: [String: ModelText], _ comment: Comment? = nil) throws {
        let expected = TextContents(texts, fields: fixture.fields, keepsOrder: fixture.keepsOrder)
        let stored = try fixture.contents()
        #expect(stored.documents == expected.documents, comment)
        #expect(stored.postings == expected.postings, comment)
        #expect(stored.lengths == expected.lengths, comment)
        #expect(stored.totalLengths == expected.totalLengths, comment)
        try check(fixture, comment)
    }

    private func check(_ fixture: TextFixture, _ comment: Comment? = nil) throws {
        let findings = try fixture.read { reader, numbers in try TextCheck.findings(in: reader, numbers) }
        #expect(findings.isEmpty, comment)
    }
}

/// Random changes of texts, and the texts they leave.
private struct RandomTexts {
    let fields: Int
    var keysTotal: Int
    var texts: [String: ModelText] = [:]
    private var committed: [String: ModelText] = [:]

    init(fields: Int, keysTotal: Int) {
        self.fields = fields
        self.keysTotal = keysTotal
    }

    mutating func commit() { committed = texts }
    mutating func undo() { texts = committed }

    mutating func run(
        _ count: Int, in session: TextSession, _ fixture: TextFixture, depth: Int, _ generator: inout SeededGenerator
    ) throws {
        for _ in 0..<count {
            let key = "r\(Int.random(in: 0..<keysTotal, using: &generator))"
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<60:
                let text = randomText(&generator)
                try session.save(key, text)
                texts[key] = text
            case 60..<75:
                #expect(try session.delete(key) == (texts[key] != nil))
                texts[key] = nil
            case 75..<88:
                guard var text = texts[key] else { continue }
                edit(&text, &generator)
                try session.save(key, text)
                texts[key] = text
            case 88..<90:
                try session.writer.flush()
                try session.numbers.flush()
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    let expected = TextContents(texts, fields: fields, keepsOrder: fixture.keepsOrder)
                    let stored = try fixture.contents(session.reader, session.numberParts)
                    #expect(stored == expected)
                }
            default:
                guard depth < 3 else { continue }
                let before = texts
                let aborts = Bool.random(using: &generator)
                do {
                    try session.nested { session in
                        let count = Int.random(in: 0...8, using: &generator)
                        try run(count, in: session, fixture, depth: depth + 1, &generator)
                        if aborts { throw UndoneText() }
                    }
                } catch is UndoneText {
                    texts = before
                }
            }
        }
    }

    private func randomText(_ generator: inout SeededGenerator) -> ModelText {
        (0..<fields).map { _ in
            var position = 0
            return (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                if Int.random(in: 0..<9, using: &generator) == 0 {
                    position += [1, 2, 100, 127, 128, 400].randomElement(using: &generator) ?? 1
                }
                position += 1
                return ModelWord(text: randomWord(&generator), position: position - 1)
            }
        }
    }

    private func edit(_ text: inout ModelText, _ generator: inout SeededGenerator) {
        let field = Int.random(in: 0..<fields, using: &generator)
        if Bool.random(using: &generator), !text[field].isEmpty {
            text[field].removeLast(Int.random(in: 1...text[field].count, using: &generator))
        } else {
            let position = (text[field].last?.position ?? -1) + 1
            text[field].append(ModelWord(text: randomWord(&generator), position: position))
        }
    }

    /// Some words are in most texts, some in few, and some in a single one.
    private func randomWord(_ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<6: "c\(Int.random(in: 0..<4, using: &generator))"
        case 6..<9: "m\(Int.random(in: 0..<60, using: &generator))"
        default: "rare\(Int.random(in: 0..<100_000, using: &generator))"
        }
    }
}
