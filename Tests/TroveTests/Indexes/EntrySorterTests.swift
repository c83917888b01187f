// The entries of an index build, sorted by their bytes.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Sorting the entries of many records") struct EntrySorterTests {
    /// The shape of the values of some records.
    enum Shape: CaseIterable {
        case equal, few, short, long, bytes, ascending, descending

        /// Returns the bytes of the value of a record. No value is a prefix of another value.
        func value(_ number: Int, of count: Int, using random: inout SeededGenerator) -> [UInt8] {
            switch self {
            case .equal: KeyWriter.bytes(of: "the same")
            case .few: KeyWriter.bytes(of: Int.random(in: 0..<5, using: &random))
            case .short: text("a", atMost: 20, &random)
            case .long: text("long ", atMost: 150, &random)
            case .bytes: KeyWriter.bytes(of: bytes(&random))
            case .ascending: KeyWriter.bytes(of: number)
            case .descending: KeyWriter.bytes(of: count - number)
            }
        }

        private func text(_ word: String, atMost count: Int, _ random: inout SeededGenerator) -> [UInt8] {
            KeyWriter.bytes(of: String(repeating: word, count: Int.random(in: 0...count, using: &random)))
        }

        /// Returns random bytes, including bytes escaped in keys.
        private func bytes(_ random: inout SeededGenerator) -> [UInt8] {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<20, using: &random) {
                bytes.append(UInt8.random(in: 0..<4, using: &random) &* 85)
            }
            return bytes
        }
    }

    private typealias Entry = (value: [UInt8], key: [UInt8])

    private func gather(_ entries: [Entry]) -> EntrySorter {
        var gathered = EntrySorter()
        for entry in entries {
            ByteView.with(entry.key) { key in
                gathered.add(key) { writer in
                    writer.writeBytes(unsafe entry.value.span.bytes)
                    return true
                }
            }
        }
        return gathered
    }

    private func sorted(_ entries: [Entry]) -> [Entry] {
        entries.sorted { TopN.precedes($0.value + $0.key, $1.value + $1.key) }
    }

    @Test(arguments: Shape.allCases, [0, 1, 2, 255, 256, 257, 2000])
    func entries_areSortedAsTheirBytesAre(_ shape: Shape, _ count: Int) throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let entries: [Entry] = (0..<count).map {
            (shape.value($0, of: count, using: &random), KeyWriter.bytes(of: $0))
        }
        var gathered = gather(entries)
        gathered.sort()
        let expected = sorted(entries)
        let values = gathered.indices.map { Array(gathered.value(of: $0)) }
        let keys = gathered.indices.map { Array(gathered.recordKey(of: $0)) }
        #expect(values == expected.map(\.value), "TROVE_TEST_SEED=\(seed)")
        #expect(keys == expected.map(\.key), "TROVE_TEST_SEED=\(seed)")
        var bytes: [[UInt8]] = []
        gathered.withEach(in: gathered.indices) { next in
            while let entry = next() { bytes.append(entry.copy()) }
        }
        let whole: [[UInt8]] = expected.map { $0.value + $0.key }
        #expect(bytes == whole, "TROVE_TEST_SEED=\(seed)")
        let hasLongEntries = bytes.contains { $0.count > KeyWriter.sizeLimit }
        #expect(gathered.hasLongEntries == hasLongEntries, "TROVE_TEST_SEED=\(seed)")
    }

    /// The common prefix of all entries is compared in steps, without use of stack space.
    @Test(arguments: [(count: 2, size: 6_000_000), (count: 300, size: 8000)])
    func aLongCommonBeginning_isNoBurden(_ some: (count: Int, size: Int)) throws {
        let common = [UInt8](repeating: 7, count: some.size)
        var gathered = EntrySorter()
        for number in 0..<some.count {
            let key = KeyWriter.bytes(of: number)
            ByteView.with(key) { key in
                gathered.add(key) { writer in
                    writer.writeBytes(unsafe common.span.bytes)
                    writer.writeInteger(-number)
                    return true
                }
            }
        }
        gathered.sort()
        let keys = gathered.indices.map { Array(gathered.recordKey(of: $0)) }
        #expect(keys == (0..<some.count).reversed().map { KeyWriter.bytes(of: $0) })
    }

    @Test func aRecordWithoutAnEntry_leavesNothing() throws {
        var gathered = EntrySorter()
        var memory: [Int] = []
        for number in 0..<100 {
            let key = KeyWriter.bytes(of: number)
            ByteView.with(key) { key in
                gathered.add(key) { writer in
                    writer.writeInteger(-number)
                    return number % 3 == 0
                }
            }
            memory.append(gathered.memory)
        }
        gathered.sort()
        let keys = gathered.indices.map { Array(gathered.recordKey(of: $0)) }
        #expect(keys == stride(from: 99, through: 0, by: -3).map { KeyWriter.bytes(of: $0) })
        #expect(memory[98] == memory[96])
        #expect(memory[99] > memory[98])
    }
}
