// The frames of `trove top` as values.

#if CommandLine
import LMDB
import Testing
import Trove
import TroveTerminal
import TroveTestSupport

@testable import TroveCLI

@Suite struct TopFrameTests {
    private func sample(
        types: Int = 3, readers: Int = 1, name: String = "Shop.Order", rate: Double? = 12.34
    ) -> TopSample {
        TopSample(
            path: "/srv/shop.trove", commit: 8_123, commitsPerSecond: rate, usedBytes: 12_316_672, freeBytes: 1_228_800,
            mapBytes: 1 << 40, readerSlots: readers + 1, maximumReaders: 126,
            readers: (0..<readers).map {
                TopSample.Reader(
                    process: 100 + $0, name: $0 == 1 ? nil : "shop", reads: 1, commitsBehind: 40 - $0, seconds: 75.9)
            },
            types: (0..<types).map {
                TopSample.RecordType(
                    name: name + "\($0)", records: 10_000 - $0, bytes: 2_000_000, recordsChange: rate.map { _ in 5 },
                    bytesChange: rate.map { _ in -4_096 })
            })
    }

    private func lines(_ frame: TopFrame) -> [String] { frame.lines.map(\.text) }

    @Test func aFrame_hasCommitsReadersPagesAndTypes() {
        let frame = TopFrame(sample(), size: TerminalSize(columns: 80, rows: 24), footer: "q ends")
        #expect(
            lines(frame) == [
                "/srv/shop.trove",
                "commits  8,123, 12.3 a second",
                "file     11.7 MB used, 1.2 MB free (10.0 %), map 1.0 TB",
                "readers  1 read, 2 of 126 slots",
                "",
                "process  name  reads  commits since    seen for",
                "    100  shop      1             40  1 min 15 s",
                "",
                "type         records   bytes  + records  + bytes",
                "Shop.Order0   10,000  1.9 MB         +5  -4.0 KB",
                "Shop.Order1    9,999  1.9 MB         +5  -4.0 KB",
                "Shop.Order2    9,998  1.9 MB         +5  -4.0 KB",
                "q ends",
            ])
        #expect(frame.lines.filter(\.isHeading).count == 3)
    }

    @Test func theFirstFrame_hasNoChanges() {
        let text = lines(TopFrame(sample(rate: nil), size: nil))
        #expect(text[1] == "commits  8,123" && text.contains("type         records   bytes"))
    }

    /// Whatever the size, no line is wider than the terminal, and no frame is higher; what is left out is counted.
    @Test func everySize_isKept() {
        for (types, readers) in [(0, 0), (3, 1), (10_000, 500), (1, 40), (40, 0)] {
            for name in ["Shop.Order", "店.注文", "😀\u{301}", String(repeating: "長", count: 90)] {
                let sample = sample(types: types, readers: readers, name: name)
                for columns in [1, 2, 3, 7, 20, 39, 80, 400] {
                    for rows in [1, 2, 3, 5, 7, 8, 9, 12, 24, 200] {
                        let size = TerminalSize(columns: columns, rows: rows)
                        let frame = TopFrame(sample, size: size, footer: "q ends")
                        #expect(frame.lines.count <= rows, "\(size) \(types) \(readers)")
                        #expect(frame.lines.allSatisfy { $0.text.terminalWidth <= columns }, "\(size) \(name)")
                        #expect(frame.lines.last?.text.first == (columns == 1 ? "…" : "q"), "\(size)")
                    }
                }
            }
        }
        let frame = lines(TopFrame(sample(types: 100, readers: 9), size: TerminalSize(columns: 80, rows: 24)))
        #expect(frame.count == 24 && frame.contains("… and 6 readers more"), "\(frame)")
        #expect(frame.last == "… and 89 types more", "\(frame)")
    }

    @Test func manyTypes_areCutWithoutATerminalToo() {
        let frame = lines(TopFrame(sample(types: 50), size: nil))
        #expect(frame.last == "… and 30 types more")
        #expect(lines(TopFrame(sample(types: 21), size: nil)).last?.hasPrefix("Shop.Order20") == true)
    }

    @Test func controlCharacters_areNotExecuted() {
        let frame = TopFrame(
            sample(name: "a\u{1B}[2Jb\n\u{202E}c"), size: TerminalSize(columns: 80, rows: 24), footer: "q ends")
        #expect(frame.lines.allSatisfy { line in line.text.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
        #expect(lines(frame).contains { $0.contains(#"a\u{1b}[2Jb\u{a}\u{202e}c0"#) }, "\(lines(frame))")
    }

    // MARK: Samples

    @Test func samples_areComparedWithTheOneBefore() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("a.trove"), options: StoreOptions(durability: .noSync))
        try store.insert(Pebble(id: 1, text: "x"))
        let start = ContinuousClock.now
        var sampler = TopSampler(path: store.path, ownProcess: 0) { "process \($0 > 0)" }
        let first = sampler.sample(try store.activity(), at: start)
        #expect(first.commitsPerSecond == nil && first.types.map(\.recordsChange) == [nil])
        #expect(first.types.map(\.records) == [1] && first.types[0].bytes > 0 && first.readers.isEmpty)
        let held = try store.read { _ in
            // A read of this process in the snapshot before the writes.
            let writing = RunningThread {
                for id in 2..<12 { try store.insert(Pebble(id: id, text: String(repeating: "y", count: 3_000))) }
            }
            try writing.value()
            let second = sampler.sample(try store.activity(), at: start + .seconds(2))
            return (second, sampler.sample(try store.activity(), at: start + .seconds(9)))
        }
        #expect(held.0.commitsPerSecond == 5 && held.0.commit == first.commit + 10)
        #expect(held.0.types.map(\.recordsChange) == [10] && (held.0.types[0].bytesChange ?? 0) > 0)
        #expect(held.0.readers.map(\.commitsBehind) == [10] && held.0.readers.map(\.seconds) == [0])
        #expect(held.1.readers.map(\.seconds) == [7] && held.1.readers.map(\.name) == ["process true"])
        #expect(held.1.commitsPerSecond == 0 && held.1.types.map(\.recordsChange) == [0])
        // The read has ended: it is no longer seen.
        #expect(sampler.sample(try store.activity(), at: start + .seconds(10)).readers.isEmpty)
        // The readers of the command itself are left out.
        var own = TopSampler(path: store.path)
        let sample = own.sample(try store.activity(), at: start)
        #expect(sample.readerSlots == 0 && sample.readers.isEmpty)
    }
}

@IndexKeyRecord("id")
private struct Pebble {
    #Index<Pebble>(\.text)

    let id: Int
    var text: String
}
#endif
