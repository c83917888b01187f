// The sums of the frequencies of several words: those of a dictionary.

import Testing
import TroveTestSupport

@testable import Trove

struct SummedPostingsTests {
    /// The frequencies of a word, by record.
    private typealias Word = [UInt64: [UInt32]]

    private func cursor(_ word: Word, fields: Int) -> PostingCursor {
        var postings = Postings(fields: fields)
        var counts = DocumentCounts(fields: fields)
        for (id, frequencies) in word.sorted(by: { $0.key < $1.key }) {
            postings.ids.append(id)
            postings.frequencies += frequencies
            counts.add(postings, at: postings.count - 1)
        }
        return PostingCursor(1, postings, counts)
    }

    private func word(_ greatest: UInt64, fields: Int, _ random: inout SeededGenerator) -> Word {
        var word: Word = [:]
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            var frequencies = (0..<fields).map { _ in UInt32(max(0, Int.random(in: -2...3, using: &random))) }
            if frequencies.allSatisfy({ $0 == 0 }) { frequencies[0] = 1 }
            if Int.random(in: 0..<20, using: &random) == 0 { frequencies[0] = .max }
            word[UInt64.random(in: 1...greatest, using: &random)] = frequencies
        }
        return word
    }

    @Test func sums_areThoseOfADictionary() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for round in 0..<60 {
            // Records in a page, in a chunk, and far from each other.
            let greatest: UInt64 = [100, 5_000, 300_000, 3_000_000][round % 4]
            let fields = Int.random(in: 1...3, using: &random)
            let wanted = (0..<fields).filter { $0 == 0 || Bool.random(using: &random) }
            var tiers: [SummedPostings] = []
            var known: Set<UInt64> = []
            for _ in 0..<3 {
                var sums = SummedPostings(fields: wanted)
                var expected: Word = [:]
                for _ in 0..<3 {
                    let word = word(greatest, fields: fields, &random)
                    let found = word.filter { frequencies in wanted.contains { frequencies.value[$0] > 0 } }
                    #expect(try sums.add(cursor(word, fields: fields), except: tiers) == UInt64(found.count))
                    for (id, frequencies) in found where !known.contains(id) {
                        let sum = expected[id] ?? Array(repeating: 0, count: wanted.count)
                        expected[id] = zip(sum, wanted).map { sum, field in
                            let (value, isOver) = sum.addingReportingOverflow(frequencies[field])
                            return isOver ? .max : value
                        }
                    }
                }
                let note = "round \(round), seed \(seed)"
                #expect(sums.count == UInt64(expected.count), "\(note)")
                for place in wanted.indices {
                    #expect(sums.greatest[place] == expected.values.map { $0[place] }.max() ?? 0, "\(note)")
                }
                let ids = expected.keys.sorted()
                var last: UInt64 = 0
                for id in ids + [nil] {
                    #expect(sums.first(from: last + 1) == id, "\(note)")
                    guard let id else { break }
                    #expect(sums.first(from: id) == id, "\(note)")
                    #expect(wanted.indices.map { sums.frequency(of: id, at: $0) } == expected[id], "\(note)")
                    if expected[id + 1] == nil { #expect(sums.frequency(of: id + 1, at: 0) == 0, "\(note)") }
                    last = id
                }
                #expect(sums.first(from: .max - 1) == nil, "\(note)")
                known.formUnion(expected.keys)
                tiers.append(sums)
            }
        }
    }
}
