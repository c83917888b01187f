// `StoreOptions.verifiesFile`: damaged pages are an error before LMDB reads them.
//
// LMDB maps its file and trusts it. On the sample, single flipped bits in a page's offsets of nodes ended the process
// with SIGBUS or SIGSEGV: bytes 0x7012 and 0x23E0B.

import Foundation
import LMDB
import Synchronization
import Testing
import Trove
import TroveTestSupport

@Suite struct VerifiedOpeningTests {
    private let file: StoreFile

    init() throws { file = try StoreFile() }

    private func open(_ path: String, isReadOnly: Bool = false) throws -> Store {
        try Store(
            path: path, options: StoreOptions(durability: .noSync, isReadOnly: isReadOnly, verifiesFile: true))
    }

    @Test(.enabled(if: Engine.format == .version1, "the sample is of LMDB 0.9"), arguments: [0x7012, 0x23E0B])
    func aBitThatWouldEndTheProcess_isAnError(offset: Int) throws {
        let sound = try Data(contentsOf: StoredSamples.folder.appending(path: "format-1-tables.trove"))
        for bit in 0..<8 {
            let path = file.directory.path("bit-\(bit).trove")
            var bytes = sound
            bytes[offset] ^= 1 << bit
            try bytes.write(to: URL(filePath: path))
            let error = storeError { try open(path) }
            guard case .file(.verificationFailed(_, let findings))? = error else {
                Issue.record("bit \(bit): \(error.map { "\($0)" } ?? "no error")")
                continue
            }
            #expect(findings.contains { $0.isDamage })
            #expect(error?.description.contains("is damaged: page ") == true)
        }
    }

    @Test func aNodeOutsideItsPage_isNamed() throws {
        let path = try file.damaged { raw in
            let leaf = raw.leaves(below: raw.root(raw.mainRecord))[0]
            raw.bytes[raw.offsetPlace(leaf) + 1] = 0xFF
        }
        guard case .file(.verificationFailed(let damaged, let findings))? = storeError({ try open(path) }) else {
            Issue.record("the store was opened")
            return
        }
        #expect(damaged.hasSuffix("damaged.trove"))
        #expect(findings.contains { $0.kind == .node && $0.table == FileFinding.tables })
    }

    @Test func aSoundFile_isOpened_forReadingAndWriting() throws {
        #expect(try Tick.query().resolve(in: open(file.path, isReadOnly: true)) == file.ticks)
        let store = try open(file.path)
        try store.insert(Tick(number: 100_000, note: "new"))
        #expect(try store.get(Tick.self, key: 100_000)?.note == "new")
    }

    @Test func aNewStore_isCreated() throws {
        let path = file.directory.path("new.trove")
        try open(path).insert(Tick(number: 1, note: "one"))
        #expect(try open(path).get(Tick.self, key: 1)?.note == "one")
        let temporary = try Store.temporary(options: StoreOptions(verifiesFile: true))
        try temporary.insert(Tick(number: 1, note: "one"))
        #expect(throws: StoreError.self) { try open(file.directory.path("none.trove"), isReadOnly: true) }
    }

    /// Its checksum protects a record's contents: reading it throws, and all other records can be read.
    @Test func aDamagedRecord_doesNotKeepTheStoreClosed() throws {
        let path = try file.damaged { raw in
            let root = try file.root(of: Tick.schema.keyPrefix)
            let leaf = raw.leaves(below: root)[0]
            raw.bytes[raw.value(leaf, 0) + 9] ^= 1
        }
        #expect(try open(path).get(Tick.self, key: 9999)?.note == "last")
        #expect(try !Store.verify(path: path).isSound)
    }

    @Test func anotherProgramsFile_isNotAStore() throws {
        let path = file.directory.path("other.mdb")
        do {
            let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
            _ = try environment.createDatabase("words")
        }
        guard case .file(.notAStore)? = storeError({ try open(path) }) else {
            Issue.record("another program's file was opened")
            return
        }
    }

    /// A walk without a snapshot would find reused pages, and call them damage, or never end.
    @Test func aStoreBeingWritten_isSound() throws {
        let store = try Store(path: file.path, options: StoreOptions(durability: .noSync))
        let isDone = Flag()
        let writer = RunningThread {
            var round = 0
            while !isDone.isSet {
                round += 1
                try store.write { context in
                    for number in 0..<20 {
                        try context.insert(Tick(number: round * 37 % 3000 + number, note: "round \(round)"))
                    }
                }
            }
        }
        let before = try store.commitSequence
        for _ in 0..<10 { _ = try open(file.path) }
        let commits = try store.commitSequence - before
        isDone.set()
        try writer.value()
        #expect(commits > 10, "the writer was not at work")
    }

    /// A copy has the pages of its store, and so their damage: it was reported as copied when no record was concerned.
    @Test func aCopyOfDamagedPages_isRefused() throws {
        let path = try file.damaged { raw in
            let leaf = raw.leaves(below: raw.root(raw.freeRecord))[0]
            raw.bytes[raw.value(leaf, 0)] ^= 0x40
        }
        let store = try Store(path: path, options: StoreOptions(isReadOnly: true))
        let copy = file.directory.path("copy.trove")
        guard case .file(.verificationFailed(let damaged, _))? = storeError({ try store.copy(to: copy) }) else {
            Issue.record("a damaged list of free pages was copied")
            return
        }
        #expect(damaged == store.path)
        #expect(try file.directory.names().allSatisfy { !$0.hasPrefix("copy") })
    }
}

/// A flag that ends a thread.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock(\.self) }

    func set() { state.withLock { $0 = true } }
}
