// Several words at one position of a text, as replacements of a word have it.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Words at one position") struct SharedPositionTests {
    /// Words at one position are read back with their positions, also beside gaps.
    @Test func streams_haveTheirPositions() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for _ in 0..<200 {
            var words: [(word: UInt64, position: Int)] = []
            var position = Int.random(in: 0...3, using: &random)
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                words.append((UInt64.random(in: 1...300, using: &random), position))
                position += [0, 0, 1, 1, 1, 2, 127, 128, 400].randomElement(using: &random) ?? 1
            }
            var builder = DocumentBuilder(fields: 1, keepsOrder: true)
            builder.begin()
            builder.beginField()
            var places: [UInt64: Int] = [:]
            for (word, position) in words {
                let known = places[word]
                let place = known ?? places.count
                places[word] = place
                builder.add(word, (place, known == nil), at: position, in: 0)
            }
            builder.endField(0)
            var row: [UInt8] = []
            builder.append(to: &row)
            try ByteView.with(row) { row in
                let (length, stream) = try DocumentRow(row, fields: 1).field(0)
                #expect(length == UInt64(words.count))
                var reader = OrderedStream(stream)
                for (word, position) in words {
                    let next = try reader.next()
                    #expect(next?.word == word && next?.position == position, "TROVE_TEST_SEED=\(seed)")
                }
                #expect(try reader.next() == nil)
                let isShared = zip(words, words.dropFirst()).contains { $0.position == $1.position }
                #expect(OrderedStream.sharesPositions(stream) == isShared, "TROVE_TEST_SEED=\(seed)")
                try expectPhrases(words, stream, &random, seed)
            }
            var read = DocumentBuilder(fields: 1, keepsOrder: true)
            try ByteView.with(row) { try read.read(DocumentRow($0, fields: 1)) }
            #expect(Set(read.words) == Set(words.map(\.word)) && read.totalLength == UInt64(words.count))
        }
    }

    /// A phrase of two words is found where its words are at successive positions, whatever else is at these.
    private func expectPhrases(
        _ words: [(word: UInt64, position: Int)], _ stream: ByteView, _ random: inout SeededGenerator, _ seed: UInt64
    ) throws {
        for _ in 0..<4 {
            guard let first = words.randomElement(using: &random), let second = words.randomElement(using: &random),
                first.word != second.word
            else { continue }
            let phrase = PhraseMatcher(
                [.word(first.word), .word(second.word)], offsets: [0, 1], .exact, atStart: false)
            let isPhrase = words.contains { place in
                place.word == first.word
                    && words.contains { $0.word == second.word && $0.position == place.position + 1 }
            }
            #expect(try (phrase.count(in: stream) > 0) == isPhrase, "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test func damagedStreams_areErrors() throws {
        for bytes: [UInt8] in [[0, 0, 0], [0, 0, 0, 5], [5, 0, 0, 0], [5, 0, 0, 1, 6], [5, 0, 0, 0, 0, 0, 0, 6]] {
            ByteView.with(bytes) { bytes in
                _ = #expect(throws: CodingError.self) {
                    var stream = OrderedStream(bytes)
                    while try stream.next() != nil {}
                }
            }
        }
    }

    @Test func anIndex_hasThem() throws {
        let fixture = try TextFixture()
        let words = [("a", 0), ("car", 1), ("auto", 1), ("in", 2), ("new", 3), ("york", 4)]
            .map { ModelWord(text: $0.0, position: $0.1) }
        try fixture.write { try $0.save("1", [words]) }
        try fixture.write { try $0.save("2", [Array(words.dropFirst(2))]) }
        #expect(try fixture.contents().documents["1"]?[0] == words)
        #expect(try fixture.read { try TextCheck.findings(in: $0, $1) } == [])
        try fixture.write { try $0.save("1", [Array(words.prefix(2))]) }
        #expect(try fixture.read { try TextCheck.findings(in: $0, $1) } == [])
    }
}
