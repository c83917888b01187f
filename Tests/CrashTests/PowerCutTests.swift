// Power cuts at every moment of a scripted run, from the creation of the file on. The store on the disk then opens with
// the acknowledged state, or additionally with the commit under way.

import Foundation
import Testing
import Trove
import TroveCrashWorker
import TroveTestSupport

@Suite("Power cuts", .serialized, .enabled(if: FaultShim.isAvailable, "needs a C compiler, and no sanitizer"))
struct PowerCutTests {
    private let shim: FaultShim
    private let generator: SeededGenerator
    private let seed: UInt64

    init() throws {
        shim = try FaultShim.shared.get()
        (generator, seed) = SeededGenerator.fromEnvironment()
    }

    @Test func aCutAtAnyMoment_leavesExactlyAnAcknowledgedPrefix() throws {
        let (images, mostLost) = try cut(
            .full, runs: Torture.amount(1, full: 20), imagesPerMoment: Torture.amount(2, full: 4))
        #expect(images >= Torture.amount(500, full: 20_000))
        #expect(mostLost == 0)
        try Torture.report("power cuts, full durability", "\(images) images, most acknowledged steps lost: \(mostLost)")
    }

    /// The next commit flushes the meta page of the previous commit. That some images lack a commit also shows that
    /// these tests notice a missing commit.
    @Test func withoutFlushingTheMetaPage_aCutLosesAtMostTheLastCommit() throws {
        let (images, mostLost) = try cut(.noMetaSync, runs: Torture.amount(1, full: 6), imagesPerMoment: 2)
        #expect(mostLost == 1)
        try Torture.report("power cuts, noMetaSync", "\(images) images, most acknowledged steps lost: \(mostLost)")
    }

    /// The story: a new file had its name, but the flush of the directory failed. The next attempt found the file, and
    /// acknowledged commits in it, while its name was not on the disk.
    @Test(arguments: [1, 2]) func aCutAfterACreationThatFailed_leavesExactlyAnAcknowledgedPrefix(flush: Int) throws {
        let fault = Fault(call: "fsync", error: EIO).environment(flush)
        let (images, mostLost) = try cut(.full, runs: 1, imagesPerMoment: 1, fault)
        #expect(images > 100)
        #expect(mostLost == 0)
    }

    /// Runs scripts, cuts the power at every moment of each, and examines the remains. Returns the number of images,
    /// and the greatest number of acknowledged steps that an image lacked.
    private func cut(
        _ durability: StoreOptions.Durability, runs: Int, imagesPerMoment: Int, _ fault: [String: String] = [:]
    ) throws -> (images: Int, mostLost: Int) {
        var generator = generator
        var (images, mostLost) = (0, 0)
        for run in 0..<runs {
            let history = try RunHistory(
                script: UInt64.random(in: 0..<1_000_000, using: &generator), durability, shim, fault)
            let moments = history.events.indices.flatMap { moment in
                // The creation has only a few calls.
                (0..<(moment < history.creation ? 10 * imagesPerMoment : imagesPerMoment)).map { _ in
                    RunHistory.Cut(moment: moment, seed: generator.next())
                }
            }
            // Each thread replays its share of the run once, from the beginning.
            let shares = stride(from: 0, to: moments.count, by: 64).map {
                Array(moments[$0..<min($0 + 64, moments.count)])
            }
            let findings = try onAllCores(shares) { try history.look(after: $0) }.flatMap { $0 }
            for finding in findings {
                #expect(finding.problem == nil, "run \(run), TROVE_TEST_SEED=\(seed)")
                mostLost = max(mostLost, finding.lost)
            }
            images += findings.count
        }
        return (images, mostLost)
    }
}

/// A run of the script, as the disk saw it.
private struct RunHistory: Sendable {
    /// A cut just before an event.
    struct Cut: Sendable {
        var moment: Int
        var seed: UInt64
    }

    /// The result of a cut.
    struct Finding: Sendable {
        var lost = 0
        var problem: String?
    }

    let events: [DiskEvent]
    /// The index of the event with which the store exists.
    let creation: Int
    private let directory: String
    private let script: Script
    private let creationFails: Bool

    init(
        script seed: UInt64, _ durability: StoreOptions.Durability, _ shim: FaultShim, _ fault: [String: String]
    ) throws {
        script = Script(seed: seed)
        creationFails = !fault.isEmpty
        let files = try TemporaryDirectory()
        let log = try TemporaryDirectory()
        directory = files.path
        let worker = try Worker(
            ["run", files.path("store"), "\(seed)", "\(durability)", "ever"],
            environment: shim.environment(directory: files.path, fault: fault, log: log.path("log")),
            output: log.path("output"))
        let status = worker.wait()
        #expect(status == 0)
        // The copies made by the run are separate files.
        events = try DiskEvent.read(log.path("log")).filter { $0.path?.contains("store-copy") != true }
        creation = events.firstIndex { if case .line(let line) = $0 { line.hasPrefix("sees") } else { false } } ?? 0
    }

    /// Cuts the power at each of these ascending moments.
    func look(after cuts: [Cut]) throws -> [Finding] {
        var disk = CutDisk(directory: directory)
        var model = PrefixModel(script)
        var findings: [Finding] = []
        var performed = 0
        for cut in cuts {
            for event in events[performed..<cut.moment] {
                disk.perform(event)
                if case .line(let line) = event { model.read(line) }
            }
            performed = cut.moment
            var generator = SeededGenerator(seed: cut.seed)
            let files = disk.afterCut(during: events[cut.moment], using: &generator)
            findings.append(try look(at: files, model, using: &generator))
        }
        return findings
    }

    private func look(
        at files: [(paths: [String], bytes: [UInt8])], _ model: PrefixModel, using generator: inout SeededGenerator
    ) throws -> Finding {
        let place = try TemporaryDirectory()
        for file in files {
            let paths = file.paths.map { place.path(String($0.dropFirst(directory.count + 1))) }
            try Data(file.bytes).write(to: URL(fileURLWithPath: paths[0]))
            for path in paths.dropFirst() { try FileManager.default.linkItem(atPath: paths[0], toPath: path) }
        }
        let isThere = try place.names().contains("store")
        if !isThere, model.isCreated { return Finding(problem: "the file is missing") }
        try leaveLockFile(at: place.path("store-lock"), using: &generator)
        do {
            if isThere, let damage = try Store.verify(path: place.path("store")).findings.first(where: \.isDamage) {
                return Finding(problem: "\(damage)")
            }
            let store = try Store(
                path: place.path("store"), options: StoreOptions(durability: .noSync, verifiesChecksums: true))
            let state = try StoreState(of: store)
            try store.insert(LateRecord(number: -1, version: 1, body: Data()))
            guard try store.get(LateRecord.self, key: -1) != nil else { return Finding(problem: "a write is lost") }
            // A failed first creation may leave its file of a few kilobytes, if its removal was not flushed.
            let names = try place.names().filter { !creationFails || !$0.hasPrefix("store.creating-") }
            guard names == ["store", "store-lock"] else { return Finding(problem: "leftover files: \(names)") }
            guard let lost = model.acknowledgedBeyond(state) else {
                return Finding(problem: "\(state) is not what was there after any of \(model.acknowledged) steps")
            }
            return Finding(lost: lost)
        } catch {
            return Finding(problem: "\(error)")
        }
    }

    /// A lock file has no meaning after a cut, and may contain anything.
    private func leaveLockFile(at path: String, using generator: inout SeededGenerator) throws {
        let size = [nil, 0, 100, 8192, 32_896].randomElement(using: &generator) ?? nil
        guard let size else { return }
        let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

/// The states of a store after each step of a run.
private struct PrefixModel {
    private let script: Script
    /// The possible states of the store: after each begun step, and within a step, after each of its writes.
    private var states: [(contents: Contents, steps: Int)] = [(Contents(), 0)]
    private var sequences: [UInt64] = [0]
    private var contents = Contents()
    /// Whether the worker has reported that the store exists.
    private(set) var isCreated = false
    /// The number of acknowledged steps.
    private(set) var acknowledged = 0

    init(_ script: Script) { self.script = script }

    mutating func read(_ line: String) {
        let words = line.split(separator: " ")
        switch words.first {
        case "begun":
            let step = script.steps[states.last?.steps ?? 0]
            for (index, changes) in step.parts.enumerated() {
                contents.make(changes)
                let isLast = index == step.parts.count - 1
                states.append((contents, acknowledged + (isLast ? 1 : 0)))
            }
        case "ended": acknowledged += 1
        case "sees":
            isCreated = true
            if acknowledged > 0, let sequence = UInt64(words[2]) { sequences.append(sequence) }
        default: break
        }
    }

    /// Returns the number of acknowledged steps that a state lacks; nil if the state is not possible.
    func acknowledgedBeyond(_ state: StoreState) -> Int? {
        guard let found = states.last(where: { $0.contents == state.contents }) else { return nil }
        if found.steps < sequences.count, sequences[found.steps] > state.sequence { return nil }
        if found.steps + 1 < sequences.count, sequences[found.steps + 1] < state.sequence { return nil }
        return max(0, acknowledged - found.steps)
    }
}
