// Files of both formats of LMDB: each is verified and read, whichever library is loaded, and opened only by its own.

import Foundation
import Testing
import TroveTestSupport

@testable import LMDB

@Suite struct FormatTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the path of a copy of the sample file of a format.
    private func sample(_ format: FileFormat) throws -> String {
        let path = directory.path("format\(format.rawValue).mdb")
        try Samples.copy(format, to: path)
        return path
    }

    /// `scripts/engines` sets the variable.
    @Test func theLoadedLibrary_isTheOneOfTheRun() {
        if let library = ProcessInfo.processInfo.environment["TROVE_ENGINE"] { #expect(Engine.library == library) }
        #expect(Engine.library.contains("source") == Engine.isBuiltFromSource)
        #expect(Engine.version.hasPrefix(Engine.format == .version1 ? "0.9." : "1."))
    }

    private final class Collector: FileVisitor {
        var tables: [String: [Pair]] = [:]

        func begin() { tables = [:] }

        func beginTable(_ name: String) { tables[name] = [] }

        func visit(_ entry: FileEntry) -> FileFinding? {
            var value: [UInt8] = []
            _ = entry.value.forEachPiece { value += copiedBytes($0) }
            tables[entry.table ?? "", default: []].append(Pair(key: entry.key, value: value))
            return nil
        }
    }

    @Test(arguments: FileFormat.allCases) func aFile_isVerified_whateverItsFormat(format: FileFormat) throws {
        let collector = Collector()
        let report = try FileVerification.run(sample(format), visitor: collector)
        #expect(report.findings.isEmpty)
        #expect(report.format == format)
        #expect(report.usedPages + report.freePages + 2 == report.pages)
        #expect(report.freePages > 0)
        for (name, entries) in SampleEntries.tables {
            #expect(collector.tables[name] == entries.map { Pair(key: $0.key, value: $0.value) }, "\(name)")
        }
        #expect(collector.tables.count == SampleEntries.tables.count)
    }

    @Test(arguments: FileFormat.allCases) func everyLeafWithoutATree_isReadInTheFormatOfTheFile(format: FileFormat)
        throws
    {
        let path = try sample(format)
        var file = try RawFile(path)
        #expect(file.headerSize == PageLayout(format: format).headerSize)
        for offset in 0..<2 * file.pageSize { file.bytes[offset] = 0 }
        try file.write(to: path)
        var walk = try FileWalk(path)
        let collector = Collector()
        walk.visitStrayPages(free: false, collector)
        let found = Set(collector.tables.values.joined())
        for (name, entries) in SampleEntries.tables {
            for entry in entries { #expect(found.contains(Pair(key: entry.key, value: entry.value)), "\(name)") }
        }
    }

    @Test(arguments: FileFormat.allCases) func aFile_isOpenedByItsOwnLibraryOnly(format: FileFormat) throws {
        let path = try sample(format)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        guard format != Engine.format else {
            let environment = try Environment(path: path)
            #expect(try environment.info.format == format)
            #expect(try Set(environment.databaseNames()) == Set(SampleEntries.tables.map(\.name)))
            for (name, entries) in SampleEntries.tables {
                let table = try environment.openDatabase(name)
                #expect(
                    try environment.read { try $0.pairs(of: table) }
                        == entries.map { Pair(key: $0.key, value: $0.value) })
            }
            return
        }
        let error = try #require(failure { _ = try Environment(path: path) })
        #expect(error.code == .otherFormat)
        #expect(error.format == format)
        #expect(error.description.contains("\(format)"))
        #expect(error.description.contains(Engine.version))
        // Nothing was written.
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        #expect(try directory.names() == ["format\(format.rawValue).mdb"])
    }

    @Test func aPageOfALaterCommit_isNamed() throws {
        let path = try sample(.version3)
        var file = try RawFile(path)
        let root = file.root(file.mainRecord)
        file.set(file.transaction(file.newestMeta) + 1, 8, at: root * file.pageSize + 8)
        try file.write(to: path)
        #expect(try FileVerification.run(path).findings.map(\.kind) == [.pageTransaction])
    }

    /// An encrypted file, or one with a checksum in each page, is of format 3, and only its program can read it.
    @Test func aFileWithOptionsOfLMDB1_isRefused() throws {
        let path = try sample(.version3)
        let sound = try RawFile(path)
        for place in [sound.headerSize + 28, sound.pageSize - 2] {
            var file = sound
            for meta in [0, file.pageSize] where place < 100 { file.set(0x2008, 2, at: meta + place) }
            if place >= 100 { file.set(4, 2, at: place) }
            try file.write(to: path)
            #expect(failure { _ = try FileVerification.run(path) }?.code == .unsupportedFile)
            #expect(failure { _ = try Environment(path: path) }?.code == .unsupportedFile)
        }
        // A development build.
        var file = sound
        for meta in [0, file.pageSize] { file.set(999, 4, at: meta + file.headerSize + 4) }
        try file.write(to: path)
        let error = try #require(failure { _ = try FileVerification.run(path) })
        #expect(error.code == .versionMismatch)
        #expect(error.description.contains("999"))
    }
}
