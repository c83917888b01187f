// The verification of a file that changes meanwhile.
//
// `verify` once called a busy file damaged: between its reads of the two meta pages, other commits had replaced the
// first. It then followed an older snapshot that was no longer in the file, and whose pages had been used again. The
// newest commit was the same before and after, so the verification did not notice.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct VerificationInUseTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.mdb")
    }

    /// Restores the file when the verification has read the meta pages.
    private final class Restorer: FileVisitor {
        private let file: RawFile
        private let path: String
        private(set) var attempts = 0

        init(_ file: RawFile, _ path: String) { (self.file, self.path) = (file, path) }

        func begin() {
            attempts += 1
            // Written in place: the verification holds the file open.
            #expect(throws: Never.self) {
                let handle = try FileHandle(forWritingTo: URL(filePath: path))
                try handle.write(contentsOf: Data(file.bytes))
                try handle.close()
            }
        }

        func visit(_ entry: FileEntry) -> FileFinding? { nil }
    }

    @Test func anOlderMetaPage_replacedWhileBothAreRead_isNotCalledDamage() throws {
        var stale: RawFile
        let file: RawFile
        do {
            let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
            let table = try environment.createDatabase("table")
            func write(_ round: UInt8) throws {
                try environment.write { transaction in
                    for number in 0..<500 {
                        try transaction.put([UInt8](repeating: round, count: 100), for: key(number), in: table)
                    }
                }
            }
            try write(0)
            try write(1)
            stale = try RawFile(path)
            for round in UInt8(2)..<7 { try write(round) }
            // The last commit has the place that the last but one had before.
            if stale.newestMeta == (try RawFile(path)).newestMeta { try write(7) }
            file = try RawFile(path)
        }
        // The state that the reads find: the older meta page from before, the newest from after the commits.
        let page = file.olderMeta / RawFile.pageSize
        let meta = Array(stale.bytes[stale[page]])
        stale = file
        stale.bytes.replaceSubrange(stale[page], with: meta)
        try stale.write(to: path)
        #expect(try !FileVerification.run(path).isSound)

        let restorer = Restorer(file, path)
        let report = try FileVerification.run(path, visitor: restorer)
        #expect(report.isSound, "\(report.findings)")
        #expect(restorer.attempts == 2)
    }
}
