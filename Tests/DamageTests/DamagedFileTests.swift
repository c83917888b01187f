// 1,000 damaged stores: a bit flipped, a range zeroed, two pages swapped, the end cut off, and two of these at once.
// Every seventh of them, unless TROVE_TORTURE is `full`.
//
// liblmdb maps a file and believes what stands there, so that some damage kills whoever reads the file: all is done by
// a process of its own. What Trove promises is tested here: whatever a file holds, `verify` finds every one that reads
// otherwise than it was written, or kills its reader; no checksum lets a record pass that was never written; and none
// is salvaged.

import DamageWorker
import Foundation
import Testing
import TroveTestSupport

@Suite struct DamagedFileTests {
    private let directory: TemporaryDirectory
    private let soundFile: String

    init() throws {
        directory = try TemporaryDirectory()
        soundFile = directory.path("sound.trove")
        try SampleStore.make(at: soundFile)
    }

    @Test func aDamagedFile_isTold_orReadsAsItWasWritten() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let sound = try [UInt8](Data(contentsOf: URL(fileURLWithPath: soundFile)))
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        let reader = DamagedFileReader(soundFile: soundFile)
        var summary = DamageSummary()
        let isFull = ProcessInfo.processInfo.environment["TROVE_TORTURE"] == "full"
        for index in stride(from: 0, to: 1_000, by: isFull ? 1 : 7) {
            let (bytes, damages) = damaged(sound, index, pageSize: pageSize, using: &generator)
            let path = directory.path("damaged-\(index).trove")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let outcomes = try FileOutcomes(path, reader, salvaging: index.isMultiple(of: 2) ? .salvaged : .searched)
            summary.add(outcomes)
            for violation in outcomes.violations {
                Issue.record("\(violation): \(damages), \(outcomes), TROVE_TEST_SEED=\(seed)")
            }
            try FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: path + "-lock")
        }
        // A bound for what is not promised: to open a damaged file that nobody has verified.
        #expect(summary.killers * 100 <= summary.files * 8, "\(summary), TROVE_TEST_SEED=\(seed)")
        print("damaged files: \(summary)")
    }

    /// The bytes with one damage, or with two; never the same bytes.
    private func damaged(
        _ sound: [UInt8], _ index: Int, pageSize: Int, using generator: inout SeededGenerator
    ) -> (bytes: [UInt8], damages: [Damage]) {
        while true {
            var kinds = [index]
            if index % 5 == 4 { kinds = [0, 1].map { _ in Int.random(in: 0..<Damage.kinds, using: &generator) } }
            let damages = kinds.map { Damage(kind: $0, sound, pageSize: pageSize, using: &generator) }
            var bytes = sound
            for damage in damages { damage.apply(to: &bytes, pageSize: pageSize) }
            if bytes != sound { return (bytes, damages) }
        }
    }
}
