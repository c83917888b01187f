// Two processes save texts at the same time, while this process builds the index: no word is lost, and none is twice.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Full text across processes", .serialized) struct TextProcessTests {
    private let count = 400

    private func start(_ path: String) throws -> [ChildProcess] {
        let children = try [1, 2].map { writer in
            let child = try ChildProcess(["verses", path, "\(writer)", "\(count)"], executable: "TroveStoreWorker")
            #expect(child.readLine() == "ready")
            return child
        }
        for child in children { try child.writeLine("go") }
        return children
    }

    private func finish(_ children: [ChildProcess]) {
        for child in children {
            #expect(child.readLine() == "\(count)")
            #expect(child.readLine() == "done")
            #expect(child.wait() == 0)
        }
    }

    /// Compares the index with a look through all records.
    private func expectSound(_ store: Store) throws {
        #expect(try store.unreadyIndexes(SharedVerse.keyPrefix) == [])
        #expect(try store.check() == [])
        let verses = try SharedVerse.query().resolve(in: store)
        #expect(verses.count > 100)
        for word in ["all", "w7", "p1", "p2", "by"] {
            let expected = verses.filter { $0.text.split(separator: " ").contains(Substring(word)) }.map(\.id)
            #expect(try SharedVerse.matching(word).keys(in: store).sorted() == expected, "\(word)")
        }
        for part in ["w7 b", "p1 x1", "of here", "all of"] {
            let expected = verses.filter { $0.text.contains(part) }.map(\.id)
            #expect(try SharedVerse.filter(.string(\.text, contains: part)).keys(in: store) == expected, "\(part)")
        }
        #expect(try Store.verify(path: store.path).findings.isEmpty)
    }

    @Test func savesOfTwoProcesses_areAllFound() throws {
        let file = try MigratedFile()
        try file.migrate(SharedVerse.self)
        let children = try start(file.path)
        let store = try file.open(SharedVerse.self)
        for id in 0..<100 { try store.insert(SharedVerse(id: id * 17, text: "all of here \(id)")) }
        finish(children)
        try expectSound(store)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background])
    func savesDuringABuild_areAllFound(_ policy: MigrationPolicy) throws {
        let file = try MigratedFile(
            of: (0..<2000).map { PlainVerse(id: $0, text: "all of old w\($0 % 50)") })
        let children = try start(file.path)
        let store = try file.open(SharedVerse.self, migrations: policy)
        while try !store.unreadyIndexes(SharedVerse.keyPrefix).isEmpty { sched_yield() }
        // Built again while both go on.
        try store.rebuild()
        finish(children)
        try expectSound(store)
    }

    /// Two processes build the same index, and save.
    @Test func twoBuilders_makeOneIndex() throws {
        let file = try MigratedFile(
            of: (0..<2000).map { PlainVerse(id: $0, text: "all of old w\($0 % 50)") })
        let builders = try (0..<2).map { _ in
            let child = try ChildProcess(["build-verses", file.path, "", "5"], executable: "TroveStoreWorker")
            #expect(child.readLine() == "ready")
            return child
        }
        for child in builders { try child.writeLine("go") }
        let children = try start(file.path)
        for child in builders {
            #expect(child.readLine() == "done")
            #expect(child.wait() == 0)
        }
        finish(children)
        try expectSound(file.open(SharedVerse.self))
    }
}
