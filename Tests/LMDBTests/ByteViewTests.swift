// Views of bytes: parts of others, and integers.

import LMDB
import Testing
import TroveTestSupport

@Suite struct ByteViewTests {
    /// Strings of two letters, so that parts occur often.
    private func bytes(atMost count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in UInt8.random(in: 97...98, using: &random) }
    }

    private func string(
        of alphabet: ArraySlice<UInt8>, _ counts: ClosedRange<Int>, _ random: inout SeededGenerator
    ) -> [UInt8] {
        (0..<Int.random(in: counts, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) }
    }

    @Test func partsOfOthers_areFoundAsArraysFindThem() {
        var (random, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<5000 {
            let (whole, part) = (bytes(atMost: 12, &random), bytes(atMost: 4, &random))
            let starts = (0...whole.count).filter { whole.dropFirst($0).starts(with: part) }
            ByteView.with(String(decoding: whole, as: UTF8.self)) { view in
                ByteView.with(part) { part in
                    #expect(view.contains(part) == !starts.isEmpty, "TROVE_TEST_SEED=\(seed)")
                    let found = (-1...whole.count + 1).filter { view.has(part, at: $0) }
                    #expect(found == starts, "TROVE_TEST_SEED=\(seed)")
                }
            }
        }
    }

    /// Letters in either case beside bytes that differ from others in the bit of the case alone.
    @Test func partsInAnyCase_areFoundAsInLowercase() {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let bytes = Array("abAB@`[{\u{C1}\u{E1}\0\u{7F}".utf8)
        for _ in 0..<5000 {
            let alphabet = bytes.shuffled(using: &random).prefix(3)
            let whole = string(of: alphabet, 0...40, &random)
            let part = string(of: alphabet, 1...10, &random).lowercased
            let lowercase = whole.lowercased
            let starts = (0..<max(1, whole.count)).filter { lowercase.dropFirst($0).starts(with: part) }
            ByteView.with(whole) { view in
                ByteView.with(part) { part in
                    #expect(view.contains(inAnyCase: part) == !starts.isEmpty, "TROVE_TEST_SEED=\(seed)")
                    let found = (-1...whole.count + 1).filter { view.has(inAnyCase: part, at: $0) }
                    #expect(found == starts, "TROVE_TEST_SEED=\(seed)")
                }
            }
        }
    }

    @Test func integers_areReadAtAnyOffset() {
        let bytes: [UInt8] = [9, 1, 2, 3, 4, 5, 6, 7, 8]
        ByteView.with(bytes) { view in
            #expect(view.integer(at: 1, as: UInt32.self) == 0x0403_0201)
            #expect(view.integer(at: 1, as: Int.self) == 0x0807_0605_0403_0201)
        }
    }

    @Test func offsetsOfEntries_beginAtZero_andAreReset() {
        var offsets = EntryOffsets(count: 3)
        #expect(offsets.copy() == [0, 0, 0])
        offsets[1] = 7
        #expect(offsets[1] == 7)
        #expect(offsets.copy() == [0, 7, 0])
        offsets.reset()
        #expect(offsets.copy() == [0, 0, 0])
    }
}

extension [UInt8] {
    /// The bytes with ASCII letters in lower case.
    fileprivate var lowercased: [UInt8] { map { 65...90 ~= $0 ? $0 + 32 : $0 } }
}
