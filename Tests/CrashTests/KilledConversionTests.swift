// A conversion that is killed, meets a fault, or loses its power at any moment: the path leads to the old file or to
// the new one, each with all entries, and the next opener goes on.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite("Killed conversions", .enabled(if: FaultShim.isAvailable, "no C compiler, or a sanitizer"))
struct KilledConversionTests {
    private let shim: FaultShim
    /// The format that the loaded library does not read.
    private static let other: FileFormat = Engine.format == .version1 ? .version3 : .version1
    private static let calls = [
        "pwrite", "write", "writev", "fsync", "fdatasync", "fallocate", "link", "rename", "mmap",
    ]

    init() throws { shim = try FaultShim.shared.get() }

    /// Copies the sample.
    private static func copySample(to path: String) throws {
        let samples = (0..<2).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: "LMDBTests/Samples")
        try FileManager.default.copyItem(
            atPath: samples.appending(path: "format\(other.rawValue).mdb").path, toPath: path)
    }

    /// Converts a copy of the sample. Returns its directory, the exit status, and the numbers of calls.
    private func convert(
        _ fault: [String: String], log: String? = nil
    ) throws -> (files: TemporaryDirectory, status: Int, counts: [String: Int]) {
        let (files, others) = (try TemporaryDirectory(), try TemporaryDirectory())
        try Self.copySample(to: files.path("file"))
        let worker = try Worker(
            ["convert", files.path("file")],
            environment: shim.environment(
                directory: files.path, fault: fault, counts: others.path("counts"), log: log),
            output: others.path("output"))
        let status = worker.wait()
        return (files, status, FaultShim.counts(at: others.path("counts")))
    }

    /// Returns the problem of a file after its conversion has ended early; nil if all entries are there, and the next
    /// opener converts it.
    private static func problem(in directory: String) throws -> String? {
        let path = directory + "/file"
        let found = try FileVerification.run(path)
        guard found.isSound else { return "damaged: \(found.findings)" }
        let collector = EntryCollector()
        _ = try FileVerification.run(path, visitor: collector)
        guard collector.isComplete else {
            return "the file of \(found.format.map { "\($0)" } ?? "no format") lacks entries"
        }
        var options = EnvironmentOptions()
        options.conversion = .keepingOriginal
        let environment = try Environment(path: path, options: options)
        let table = try environment.openDatabase("many")
        try environment.write { try $0.put([1], for: [255, 255], in: table) }
        try environment.close()
        guard try FileVerification.run(path).isSound else { return "damaged by the next opener" }
        let remains = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.contains("creating") }
        return remains.isEmpty ? nil : "\(remains)"
    }

    @Test func withoutFaults_itReachesEveryCall() throws {
        let (files, status, counts) = try convert([:])
        #expect(status == 0)
        // liblmdb writes by these or by other calls, depending on the release.
        for call in ["pwrite", "fsync", "link", "rename", "mmap"] { #expect(counts[call] ?? 0 > 0, "\(call)") }
        #expect(try FileVerification.run(files.path("file")).format == Engine.format)
        #expect(try Self.problem(in: files.path) == nil)
    }

    @Test(arguments: calls) func killedBeforeACall_nothingIsLost(call: String) throws {
        let count = try #require(try convert([:]).counts[call])
        for number in 0..<count {
            let fault = ["FAULT_CALL": call, "FAULT_NUMBER": "\(number + 1)", "FAULT_ERROR": "0", "FAULT_KILLS": "1"]
            let (files, status, _) = try convert(fault)
            #expect(status == -Int(SIGKILL), "\(call) \(number)")
            #expect(try Self.problem(in: files.path) == nil, "\(call) \(number)")
        }
    }

    @Test(arguments: calls, [EIO, ENOSPC]) func afterAFault_nothingIsLost(call: String, error: Int32) throws {
        let count = try #require(try convert([:]).counts[call])
        for number in 0..<count {
            let fault = ["FAULT_CALL": call, "FAULT_NUMBER": "\(number + 1)", "FAULT_ERROR": "\(error)"]
            let (files, status, _) = try convert(fault)
            // Without room for the lock file, liblmdb itself creates it.
            #expect(status >= 0, "\(call) \(number)")
            #expect(try Self.problem(in: files.path) == nil, "\(call) \(number)")
        }
    }

    @Test func aCutAtAnyMoment_leavesTheOldFileOrTheNew() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let log = try TemporaryDirectory()
        let (files, status, _) = try convert([:], log: log.path("log"))
        #expect(status == 0)
        let events = try DiskEvent.read(log.path("log"))
        var formats: [FileFormat: Int] = [:]
        let original = try TemporaryDirectory()
        try Self.copySample(to: original.path("file"))
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: original.path("file"))))
        for moment in events.indices {
            for _ in 0..<Torture.amount(3, full: 30) {
                var disk = CutDisk(directory: files.path)
                // The file was there before.
                let path = files.path("file")
                for event: DiskEvent in [
                    .write(path: path, offset: 0, bytes: bytes, isDurable: true), .sync(path: path),
                    .sync(path: files.path),
                ] { disk.perform(event) }
                for event in events[..<moment] { disk.perform(event) }
                let place = try TemporaryDirectory()
                for file in disk.afterCut(during: events[moment], using: &generator) {
                    let names = file.paths.map { place.path($0.split(separator: "/").last.map(String.init) ?? $0) }
                    try Data(file.bytes).write(to: URL(filePath: names[0]))
                    for name in names.dropFirst() { try FileManager.default.linkItem(atPath: names[0], toPath: name) }
                }
                let comment: Comment = "moment \(moment), TROVE_TEST_SEED=\(seed)"
                let format = try #require(try FileVerification.run(place.path("file")).format, comment)
                formats[format, default: 0] += 1
                let problem = try Self.problem(in: place.path)
                #expect(problem == nil, comment)
            }
        }
        #expect(formats[Self.other] ?? 0 > 0 && formats[Engine.format] ?? 0 > 0)
        try Torture.report("power cuts of a conversion", "\(formats.values.reduce(0, +)) images")
    }
}

/// Compares the entries of a file with those of the samples.
private final class EntryCollector: FileVisitor {
    private var tables: [String: [[UInt8]]] = [:]

    func begin() { tables = [:] }

    func beginTable(_ name: String) { tables[name] = [] }

    func visit(_ entry: FileEntry) -> FileFinding? {
        var bytes = entry.key
        _ = entry.value.forEachPiece { bytes += copiedBytes($0) }
        tables[entry.table ?? "", default: []].append(bytes)
        return nil
    }

    var isComplete: Bool {
        tables.count == SampleEntries.tables.count
            && SampleEntries.tables.allSatisfy { name, entries in tables[name] == entries.map { $0.key + $0.value } }
    }
}
