// No damage in a page ends a subcommand with a signal.
//
// LMDB maps its file and trusts it. On the sample, two of 150 flipped bits, in the offsets of nodes, ended subcommands
// with SIGBUS or SIGSEGV. Now each subcommand verifies the pages first.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite struct DamagedPageTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let sound: Data

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("damaged.trove")
        let sample = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../TroveTests/Samples/format-1-tables.trove")
        sound = try Data(contentsOf: sample)
    }

    /// The subcommands, with their arguments after the store.
    private var subcommands: [[String]] {
        [
            ["info"], ["search", "SampleMember", "x"], ["dump", "SampleMember"], ["migrations"],
            ["copy", directory.path("copy.trove")],
            ["copy", directory.path("copy.trove"), "--compact"], ["verify"], ["check"], ["rebuild", "SampleMember"],
            ["load", "/dev/null"], ["top", "--once"],
            ["salvage", directory.path("copy.trove"), "--stray"],
        ]
    }

    /// Runs a subcommand on the sample with a flipped bit. Returns its exit code; negative for a signal.
    private func code(of subcommand: [String], flipping bit: Int, of offset: Int) throws -> Int {
        for name in try directory.names() { try FileManager.default.removeItem(atPath: directory.path(name)) }
        var bytes = sound
        bytes[offset] ^= 1 << bit
        try bytes.write(to: URL(filePath: path))
        let arguments = [subcommand[0], path] + subcommand.dropFirst() + ["--quiet"]
        // The runtime's own report of a crash takes seconds.
        return try ChildProcess(arguments, executable: "trove", environment: ["SWIFT_BACKTRACE": "enable=no"]).wait()
    }

    @Test(arguments: [0x7012, 0x23E0B]) func aNodeOutsideItsPage_ends1(offset: Int) throws {
        for bit in [1, 4, 7] {
            for subcommand in subcommands where subcommand[0] != "salvage" {
                #expect(
                    try code(of: subcommand, flipping: bit, of: offset) == 1,
                    "\(subcommand), bit \(bit) of byte \(offset)")
            }
        }
    }

    @Test func aFlippedBit_endsNoSubcommandWithASignal() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let isFull = Torture.isFull
        for _ in 0..<(isFull ? 1000 : 8) {
            // Half of the bits are in the head of a page: its bounds, and the offsets of its nodes.
            var offset = Int.random(in: 0..<sound.count, using: &generator)
            if Bool.random(using: &generator) { offset = offset / 4096 * 4096 + offset % 64 }
            let bit = Int.random(in: 0..<8, using: &generator)
            for subcommand in subcommands {
                let code = try code(of: subcommand, flipping: bit, of: offset)
                #expect(
                    (0...3).contains(code),
                    "\(subcommand) ended with \(code): bit \(bit) of byte \(offset), TROVE_TEST_SEED=\(seed)")
            }
        }
    }

    @Test func trust_doesNotVerify() throws {
        // The last entry of a leaf that `info` does not read.
        #expect(try code(of: ["info", "--trust"], flipping: 0, of: 0x7012) == 0)
        #expect(try code(of: ["info"], flipping: 0, of: 0x7012) == 1)
        let report = try jsonObject(trove("info", path, "--json").lines)
        #expect(report["verdict"] as? String == "damaged")
        #expect((report["error"] as? String)?.contains("entry 1: the entry does not lie in its page") == true)
    }

    /// A walk without a snapshot would find reused pages, and call them damage.
    @Test func aStoreBeingWritten_isNotCalledDamaged() throws {
        let busy = directory.path("busy.trove")
        let store = try Store(path: busy, options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: (0..<3000).map { Line(number: $0, text: "line \($0)") })
        let isDone = directory.path("done")
        let writer = RunningThread {
            var round = 0
            while !FileManager.default.fileExists(atPath: isDone) {
                round += 1
                try store.insert(contentsOf: (0..<20).map { Line(number: round * 37 % 3000 + $0, text: "\(round)") })
            }
        }
        for subcommand in [["info"], ["check"], ["dump", "Line"], ["migrations"]] {
            for _ in 0..<3 {
                #expect(try trove([subcommand[0], busy] + subcommand.dropFirst() + ["--quiet"]).code == 0)
            }
        }
        try Data().write(to: URL(filePath: isDone))
        try writer.value()
    }
}

@IndexKeyRecord("number")
private struct Line {
    let number: Int
    var text: String
}
#endif
