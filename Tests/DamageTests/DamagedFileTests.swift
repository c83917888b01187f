// 1,000 damaged stores: a flipped bit, a zeroed range, two swapped pages, a truncated end, and two of these at once.
// Only every seventh store, unless TROVE_TORTURE is `full`.
//
// liblmdb maps a file and trusts its contents, so some damage kills the process that reads the file. Therefore a
// separate process does the reading. These tests check the promises of Trove: `verify` finds every file that reads
// differently or kills its reader; `verifiesFile` opens no such file; no record that was never written
// passes its checksum; and no such record is salvaged.

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

    @Test func aDamagedFile_isReported_orReadsAsItWasWritten() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let sound = try [UInt8](Data(contentsOf: URL(fileURLWithPath: soundFile)))
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        let reader = DamagedFileReader(soundFile: soundFile)
        var summary = DamageSummary()
        let isFull = Torture.isFull
        for index in stride(from: 0, to: 1_000, by: isFull ? 1 : 14) {
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
        // A bound for a case without a promise: opening a damaged file without verifying it.
        #expect(summary.killers * 100 <= summary.files * 8, "\(summary), TROVE_TEST_SEED=\(seed)")
        print("damaged files: \(summary)")
    }

    /// Returns the bytes with one or two damages, always different from the sound bytes.
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
