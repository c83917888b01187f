// The rows of full text: their bytes, and what is read from any bytes.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

struct TextRowTests {
    // MARK: Bytes

    @Test func document_hasItsLengthSizeAndWords() throws {
        var builder = DocumentBuilder(fields: 1, keepsOrder: true)
        builder.begin()
        builder.beginField()
        builder.add(1, (0, true), at: 0, in: 0)
        builder.add(2, (1, true), at: 1, in: 0)
        builder.add(1, (0, false), at: 2, in: 0)
        builder.endField(0)
        var row: [UInt8] = []
        builder.append(to: &row)
        #expect(row == [0x03, 0x03, 0x01, 0x02, 0x01])
        #expect(builder.words == [1, 2])
        #expect(builder.frequencies == [2, 1])
    }

    @Test func tail_hasWordCountsBoundsAndPostings() throws {
        var counts = DocumentCounts(fields: 1)
        counts.all = 1
        var row: [UInt8] = []
        ByteView.with(Array("the".utf8)) { word in
            TailRow.append(
                word: word, counts, postings([(1, [2])], fields: 1), leastLengthClass: LengthClass.of(3), to: &row)
        }
        #expect(row == [0x03, 0x74, 0x68, 0x65, 0x01, 0x02, 0x03, 0x01, 0x03, 0x02])
    }

    @Test func block_hasBoundsGapsAndFrequencies() throws {
        var row: [UInt8] = []
        let list = postings([(5, [1]), (6, [3]), (10, [1])], fields: 1)
        PostingBlock.append(list, 0..<3, leastLengthClass: 4, to: &row)
        // Gaps 0 and 3 in two bits each; frequencies less 1: 0, 2 and 0 in two bits each.
        #expect(row == [3, 2, 4, 5, 3, 2, 0b1100, 0b001000])
    }

    @Test func row_hasTheChecksumOfTableKeyAndContent() throws {
        let seed = TableName(keyPrefix: 1, table: TableNumber(rawValue: 2), part: 3).checksumSeed
        var row: [UInt8] = []
        StoredRow.begin(&row)
        row += [7, 8]
        StoredRow.seal(&row, key: [1, 2], seed: seed)
        var checksum = CRC32C()
        checksum.update([0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 1, 2, 7, 8])
        #expect(row == (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> ($0 * 8)) } + [7, 8])
        let isIntact = ByteView.with(row) { row in
            ByteView.with([1, 2]) { StoredRow.isIntact(row, key: $0, seed: seed) }
        }
        #expect(isIntact)
    }

    @Test func name_hasThePartUnlessItIsTheFirst() throws {
        let name = TableName(keyPrefix: 0xAB, table: TableNumber(rawValue: 3))
        #expect(name.text == "000000AB.3.0")
        #expect(name.part(2).text == "000000AB.3.0.2")
        #expect(TableName("000000AB.3.0.2") == name.part(2))
        #expect(TableName("000000AB.3.0.0") == nil)
        #expect(TableName("000000AB.3.0.2.1") == nil)
        #expect(name.part(2).checksumSeed != name.checksumSeed)
    }

    // MARK: Words

    @Test func wordKey_isTheWordUpToItsLimit() {
        #expect(key(of: "straße") == Array("straße".utf8))
        let long = String(repeating: "a", count: 255)
        #expect(key(of: long) == Array(long.utf8))
    }

    @Test func wordKey_ofALongWordIsItsHeadAndAHash() {
        // The 238th byte is within the last ä of the head.
        let word = "x" + String(repeating: "ä", count: 200)
        let stored = key(of: word)
        let bytes = Array(word.utf8)
        #expect(stored == bytes[..<237] + [0xFF] + LongEntryHash.bytes(of: bytes[...]))
        #expect(stored != key(of: word + "y"))
        #expect(key(of: String(repeating: "z", count: 1_000_000)).count == 255)
    }

    @Test func lengthClass_isExactThenInEighths() {
        for length in 0...16 { #expect(LengthClass.of(UInt64(length)) == UInt8(length)) }
        #expect(LengthClass.of(17) == 16 && LengthClass.of(18) == 17 && LengthClass.of(19) == 17)
        for lengthClass in UInt8.min...UInt8.max {
            let least = LengthClass.leastLength(of: lengthClass)
            #expect(LengthClass.of(least) == lengthClass)
            if lengthClass > 0 { #expect(LengthClass.of(least - 1) == lengthClass - 1) }
        }
        #expect(LengthClass.of(.max) == 255)
        #expect(LengthClass.leastLength(of: 255) > 20_000_000_000_000)
    }

    // MARK: Streams

    @Test func phrase_isFoundByItsBytes() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<300 {
            // Numbers of one to three bytes, some with bytes of others; gaps whose n looks like a number.
            let numbers: [UInt64] = [1, 2, 3, 127, 128, 129, 255, 256, 16_384, 16_513, 300]
            var words: [UInt64?] = []
            var stream: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<60, using: &generator) {
                if Int.random(in: 0..<6, using: &generator) == 0 {
                    let gap = [1, 2, 3, 127, 128, 130].randomElement(using: &generator) ?? 1
                    OrderedStream.appendGap(gap, to: &stream)
                    words += [UInt64?](repeating: nil, count: gap)
                }
                let word = numbers.randomElement(using: &generator) ?? 1
                LEB128.append(word, to: &stream)
                words.append(word)
            }
            let phrase = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
                numbers.randomElement(using: &generator) ?? 1
            }
            let expected = words.indices.filter { start in
                start + phrase.count <= words.count && Array(words[start..<start + phrase.count]) == phrase
            }
            ByteView.with(stream) { stream in
                ByteView.with(OrderedStream.bytes(of: phrase)) { phrase in
                    #expect(OrderedStream.occurrences(of: phrase, in: stream) == expected.count, "seed \(seed)")
                    #expect(
                        OrderedStream.occurrences(of: phrase, in: stream, atMost: 1) == min(1, expected.count),
                        "seed \(seed)")
                }
                var reader = OrderedStream(stream)
                var read: [UInt64?] = []
                while let (word, position) = try? reader.next() {
                    read += [UInt64?](repeating: nil, count: position - read.count)
                    read.append(word)
                }
                #expect(read == words, "seed \(seed)")
            }
        }
    }

    // MARK: Round trips

    @Test func postings_roundTrip() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<200 {
            let fields = Int.random(in: 1...4, using: &generator)
            let list = randomPostings(Int.random(in: 1...128, using: &generator), fields, &generator)
            var row: [UInt8] = []
            PostingBlock.append(list, 0..<list.count, leastLengthClass: 3, to: &row)
            var read = Postings(fields: fields)
            try ByteView.with(row) { row in
                let block = try PostingBlock(row, lastID: list.ids[list.count - 1], fields: fields)
                #expect(block.firstID == list.ids[0] && block.count == list.count && block.leastLengthClass == 3)
                for field in 0..<fields {
                    let greatest = list.greatestFrequency(of: field, in: 0..<list.count)
                    #expect(block.greatestFrequency(of: field) == Postings.bound(greatest), "seed \(seed)")
                }
                try block.decode(into: &read)
            }
            #expect(read.ids == list.ids && read.frequencies == list.frequencies, "seed \(seed)")

            guard list.count < 128 else { continue }
            var counts = DocumentCounts(fields: fields)
            for index in 0..<list.count { counts.add(list, at: index) }
            row = []
            ByteView.with(Array("word".utf8)) {
                TailRow.append(word: $0, counts, list, leastLengthClass: 9, to: &row)
            }
            try ByteView.with(row) { row in
                let tail = try TailRow(row, fields: fields)
                #expect(tail.word.copy() == Array("word".utf8) && tail.leastLengthClass == 9)
                var readCounts = DocumentCounts(fields: fields)
                try readCounts.read(tail)
                #expect(readCounts.all == counts.all, "seed \(seed)")
                #expect(fields == 1 || readCounts.byField == counts.byField, "seed \(seed)")
                try tail.decode(into: &read)
            }
            #expect(read.ids == list.ids && read.frequencies == list.frequencies, "seed \(seed)")
        }
    }

    @Test func aTailWithFurtherPostings_isTheTailOfAll() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<200 {
            let fields = Int.random(in: 1...4, using: &generator)
            let all = randomPostings(Int.random(in: 2..<128, using: &generator), fields, &generator)
            let split = Int.random(in: 1..<all.count, using: &generator)
            func part(_ range: Range<Int>) -> Postings {
                var part = Postings(fields: fields)
                for index in range { part.append(all, at: index) }
                return part
            }
            func tail(_ postings: Postings, _ leastLengthClass: UInt8) -> [UInt8] {
                var counts = DocumentCounts(fields: fields)
                for index in 0..<postings.count { counts.add(postings, at: index) }
                var row: [UInt8] = []
                ByteView.with(Array("word".utf8)) {
                    TailRow.append(word: $0, counts, postings, leastLengthClass: leastLengthClass, to: &row)
                }
                return row
            }
            let (start, rest) = (part(0..<split), part(split..<all.count))
            var row: [UInt8] = []
            try ByteView.with(tail(start, 9)) { stored in
                let stored = try TailRow(stored, fields: fields)
                let last = try #require(try stored.lastID())
                #expect(last == start.ids.last, "seed \(seed)")
                var counts = DocumentCounts(fields: fields)
                for index in 0..<all.count { counts.add(all, at: index) }
                stored.append(rest, after: last, counts, leastLengthClass: 7, to: &row)
            }
            #expect(row == tail(all, 7), "seed \(seed)")
        }
    }

    @Test func statistics_roundTrip() throws {
        var statistics = TextStatistics(fields: 3)
        statistics.documentCount = 70_000
        statistics.nextWord = 1 << 39
        statistics.wordCount = 12
        statistics.totalLengths = [0, 5, 1 << 50]
        var row: [UInt8] = []
        statistics.append(to: &row)
        try ByteView.with(row) { row in
            let read = try TextStatistics(row, fields: 3)
            #expect(read == statistics)
            #expect(throws: CodingError.self) { try TextStatistics(row, fields: 2) }
        }
    }

    // MARK: Any bytes

    /// Random bytes, and rows with some changed bytes, are read or are errors. They never trap.
    @Test func anyBytes_areReadOrAreErrors() {
        var (generator, _) = SeededGenerator.fromEnvironment()
        for round in 0..<20_000 {
            let fields = Int.random(in: 1...15, using: &generator)
            var bytes: [UInt8]
            if round % 2 == 0 {
                bytes = (0..<Int.random(in: 0..<80, using: &generator)).map { _ in
                    Bool.random(using: &generator)
                        ? UInt8.random(in: 0...5, using: &generator) : .random(in: 0...255, using: &generator)
                }
            } else {
                bytes = randomRow(fields, &generator)
                for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                if Bool.random(using: &generator) {
                    bytes.removeLast(Int.random(in: 0...min(3, bytes.count), using: &generator))
                }
            }
            let lastID = generator.next() >> UInt64.random(in: 24...63, using: &generator)
            ByteView.with(bytes) { readAll($0, fields, lastID) }
        }
    }

    private func readAll(_ bytes: ByteView, _ fields: Int, _ lastID: UInt64) {
        var list = Postings(fields: fields)
        if let block = try? PostingBlock(bytes, lastID: lastID, fields: fields) { try? block.decode(into: &list) }
        if let tail = try? TailRow(bytes, fields: fields) {
            try? tail.decode(into: &list)
            _ = try? tail.lastID()
            _ = tail.word.copy()
        }
        _ = try? TextStatistics(bytes, fields: fields).totalLength
        _ = try? LengthPage.length(lastID, in: bytes)
        for keepsOrder in [true, false] {
            var builder = DocumentBuilder(fields: fields, keepsOrder: keepsOrder)
            if let row = try? DocumentRow(bytes, fields: fields) {
                _ = try? row.totalLength()
                try? builder.read(row)
            }
        }
    }

    // MARK: Samples

    private func randomRow(_ fields: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        var row: [UInt8] = []
        let list = randomPostings(Int.random(in: 1...40, using: &generator), fields, &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            PostingBlock.append(list, 0..<list.count, leastLengthClass: 3, to: &row)
        case 1:
            var counts = DocumentCounts(fields: fields)
            for index in 0..<list.count { counts.add(list, at: index) }
            ByteView.with(Array("word".utf8)) {
                TailRow.append(word: $0, counts, list, leastLengthClass: 9, to: &row)
            }
        case 2:
            TextStatistics(fields: fields).append(to: &row)
        default:
            var builder = DocumentBuilder(fields: fields, keepsOrder: Bool.random(using: &generator))
            builder.begin()
            for field in 0..<fields {
                builder.beginField()
                for word in 1...UInt64.random(in: 1...9, using: &generator) {
                    builder.add(word, (builder.words.count, true), at: Int(word) * 2, in: field)
                }
                builder.endField(field)
            }
            builder.append(to: &row)
        }
        return row
    }

    private func randomPostings(_ count: Int, _ fields: Int, _ generator: inout SeededGenerator) -> Postings {
        var list = Postings(fields: fields)
        var id: UInt64 = 0
        let shift = UInt64.random(in: 31...63, using: &generator)
        for _ in 0..<count {
            id += 1 + generator.next() >> shift
            list.ids.append(id)
            let sure = Int.random(in: 0..<fields, using: &generator)
            for field in 0..<fields {
                let frequency = UInt32(
                    truncatingIfNeeded: generator.next() >> UInt64.random(in: 32...63, using: &generator))
                list.frequencies.append(field == sure ? max(1, frequency) : frequency / 2)
            }
        }
        return list
    }

    private func postings(_ list: [(UInt64, [UInt32])], fields: Int) -> Postings {
        var postings = Postings(fields: fields)
        for (id, frequencies) in list {
            postings.ids.append(id)
            postings.frequencies += frequencies
        }
        return postings
    }

    private func key(of word: String) -> [UInt8] {
        var key: [UInt8] = []
        ByteView.with(Array(word.utf8)) { WordKey.write($0, to: &key) }
        return key
    }
}
