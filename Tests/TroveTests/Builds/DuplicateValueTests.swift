// Duplicate values in unique indexes, from existing records that contradict the constraint or from a collision rule
// that allows them. They are reported, and prevent nothing else.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// A type under several collision rules.
enum Guest {
    @IndexKeyRecord(keyPrefix: 6_300_101, "name")
    struct Plain: Hashable {
        let name: String
        var code: String?
    }

    @IndexKeyRecord(keyPrefix: 6_300_101, "name")
    struct Lenient: Hashable {
        #Unique<Lenient>(\.code, collisions: .custom { _, _, _ in })

        let name: String
        var code: String?
    }

    @IndexKeyRecord(keyPrefix: 6_300_101, "name")
    struct Strict: Hashable {
        #Unique<Strict>(\.code, collisions: .throw)

        let name: String
        var code: String?
    }

    @IndexKeyRecord(keyPrefix: 6_300_101, "name")
    struct Replacing: Hashable {
        #Unique<Replacing>(\.code, collisions: .upsert)

        let name: String
        var code: String?
    }

    @IndexKeyRecord(keyPrefix: 6_300_101, "name")
    struct Ignoring: Hashable {
        #Unique<Ignoring>(\.code, collisions: .ignore)

        let name: String
        var code: String?
    }

    static let prefix = Plain.keyPrefix
    static let index = "unique(code)"

    static func notUnique(_ type: String, _ key: String, _ existing: String) -> StoreError {
        .record(
            .notUnique(
                type: "Guest.\(type)", index: index, key: StoredKey(KeyWriter.bytes(of: key), of: "Guest.\(type)"),
                existing: StoredKey(KeyWriter.bytes(of: existing), of: "Guest.\(type)")))
    }
}

@Suite("Duplicate values") struct DuplicateValueTests {
    private let file: MigratedFile
    private let prefix = Guest.prefix

    init() throws { file = try MigratedFile() }

    private func write(_ codes: [String: String?]) throws {
        try file.write(codes.map { Guest.Plain(name: $0, code: $1) })
    }

    private func mayHaveDuplicates() throws -> Bool {
        try file.open().read { context in
            let type = try #require(try context.catalogStorage().type(prefix))
            return try #require(type.indexes[1]).mayHaveDuplicates
        }
    }

    private func commits() throws -> UInt64 { try file.open().commitSequence }

    // MARK: Existing records

    @Test func theIndex_isReady_andQueriesUseIt() throws {
        try write(["a": "one", "b": "two", "c": "one", "d": nil])
        let store = try file.open(Guest.Strict.self)
        #expect(try store.unreadyIndexes(prefix) == [])
        let query = Guest.Strict.filter(\.code == "one")
        #expect(try query.explain(in: store).contains(Guest.index))
        #expect(Set(try query.resolve(in: store).map(\.name)) == ["a", "c"])
        #expect(
            try store.check() == [
                IndexDifference(
                    type: "Guest.Strict", index: Guest.index, kind: .notUnique,
                    key: StoredKey("c", of: Guest.Strict.self),
                    other: StoredKey("a", of: Guest.Strict.self))
            ])
    }

    @Test func anotherIndex_isRebuilt_withoutAReportOfDuplicates() throws {
        let file = try MigratedFile(of: (1...2).map { Crew.Plain(id: $0, name: "", age: 0, email: "both@ship") })
        let store = try file.open(Crew.Indexed.self)
        try store.rebuild(Crew.Indexed.self, index: "index(age)")
        #expect(
            storeError { try store.rebuild(Crew.Indexed.self, index: "unique(email)") }
                == .record(
                    .notUnique(
                        type: "Crew.Indexed", index: "unique(email)", key: StoredKey(2, of: Crew.Indexed.self),
                        existing: StoredKey(1, of: Crew.Indexed.self))))
    }

    @Test func aNewValue_isSaved_withoutASearchOfTheRecords() throws {
        try file.write((0..<3000).map { Guest.Plain(name: "\($0)", code: "\($0 / 2)") })
        let store = try file.open(Guest.Strict.self)
        try store.write { context in
            #if DEBUG
            context.core.cursorMoves = CursorMoves()
            #endif
            try context.insert(Guest.Strict(name: "new", code: "new"))
            try context.insert(Guest.Strict(name: "7", code: "of its own"))
            #if DEBUG
            #expect(context.core.cursorMoves.steps < 10)
            #endif
        }
        #expect(try Guest.Strict.filter(\.code == "of its own").keys(in: store) == ["7"])
    }

    @Test func aValueThatOthersHave_isACollision_byEachRule() throws {
        try write(["a": "one", "b": "two", "c": "one"])
        do {
            let store = try file.open(Guest.Strict.self)
            #expect(
                storeError { try store.insert(Guest.Strict(name: "d", code: "one")) }
                    == Guest.notUnique("Strict", "d", "a"))
            // A record with the value keeps it.
            try store.insert(Guest.Strict(name: "c", code: "one"))
        }
        do {
            let store = try file.open(Guest.Ignoring.self)
            #expect(try !store.insert(Guest.Ignoring(name: "d", code: "one")))
        }
        let store = try file.open(Guest.Replacing.self)
        // No collision rule has applied to the existing records.
        #expect(try Query<Guest.Replacing>().resolve(in: store).map(\.name) == ["a", "b", "c"])
        try store.insert(Guest.Replacing(name: "d", code: "one"))
        #expect(try Query<Guest.Replacing>().resolve(in: store).map(\.name) == ["b", "d"])
        #expect(try store.check() == [])
    }

    @Test func aPolicyThatRefuses_opens_whenTheIndexIsBuilt() throws {
        try write(["a": "one", "b": "one"])
        #expect(throws: StoreError.self) { try file.migrate(Guest.Strict.self, migrations: .refuse) }
        try file.migrate(Guest.Strict.self)
        do {
            let store = try file.open(Guest.Strict.self, migrations: .refuse)
            try store.insert(Guest.Strict(name: "c", code: "two"))
            #expect(storeError { try store.finishMigrations() } == Guest.notUnique("Strict", "b", "a"))
            try store.delete(Guest.Strict.self, key: "b")
        }
        #expect(try mayHaveDuplicates())
        try file.migrate(Guest.Strict.self, migrations: .refuse)
        #expect(try !mayHaveDuplicates())
    }

    @Test func inTheBackground_andLazily_itIsTheSame() throws {
        try write(["a": "one", "b": "one"])
        do {
            let store = try file.open(Guest.Strict.self, migrations: .lazily)
            #expect(storeError { try store.finishMigrations() } == Guest.notUnique("Strict", "b", "a"))
            try store.delete(Guest.Strict.self, key: "a")
        }
        #expect(try mayHaveDuplicates())
        let store = try file.open(Guest.Strict.self, migrations: .background)
        while try mayHaveDuplicates() { sched_yield() }
        #expect(try store.check() == [])
    }

    @Test func aSearchedIndex_isNotSearchedAgain() throws {
        try write(["a": "one", "b": "one"])
        try file.migrate(Guest.Strict.self)
        let contradicted = try commits()
        try file.migrate(Guest.Strict.self)
        #expect(try commits() == contradicted)
        #expect(try mayHaveDuplicates())
        try file.open().delete(Guest.Strict.self, key: "b")
        let bytes = try file.bytes()
        _ = try file.open(Guest.Strict.self, isReadOnly: true)
        #expect(try file.bytes() == bytes)
        let before = try commits()
        for _ in 0..<3 {
            try file.migrate(Guest.Strict.self)
            #expect(try !mayHaveDuplicates())
            #expect(try commits() == before + 1)
        }
    }

    @Test func orphanedEntries_areNotDuplicates() throws {
        try write(["b": "one"])
        let store = try file.open(Guest.Strict.self)
        let index = try store.storedIndex(prefix, Guest.index)
        for name in ["a", "c"] {
            let entry = RawEntry(key: KeyWriter.bytes(of: "one" as String?) + KeyWriter.bytes(of: name), value: [])
            try store.put(entry, into: index)
        }
        #expect(try store.check().map(\.kind) == [.orphaned, .orphaned])
    }

    // MARK: Changed rules

    @Test func duplicatesThatAClosureHasAllowed_areReported_whenTheRuleForbidsThem() throws {
        do {
            let store = try file.open(Guest.Lenient.self)
            try store.insert(contentsOf: ["a", "b", "c"].map { Guest.Lenient(name: $0, code: $0) })
            try store.insert(Guest.Lenient(name: "d", code: "b"))
            try store.finishMigrations()
            #expect(try store.check() == [])
        }
        do {
            let store = try file.open(Guest.Strict.self)
            #expect(storeError { try store.finishMigrations() } == Guest.notUnique("Strict", "d", "b"))
            #expect(storeError { try store.rebuild() } == Guest.notUnique("Strict", "d", "b"))
        }
        do {
            let store = try file.open(Guest.Ignoring.self)
            #expect(storeError { try store.finishMigrations() } == Guest.notUnique("Ignoring", "d", "b"))
        }
        let store = try file.open(Guest.Replacing.self)
        #expect(storeError { try store.finishMigrations() } == Guest.notUnique("Replacing", "d", "b"))
        try store.insert(Guest.Replacing(name: "b", code: "of its own"))
        try store.finishMigrations()
        #expect(try !mayHaveDuplicates())
    }

    @Test func anIndexThatWasLenientForATime_isSearchedForDuplicates_whenItIsStrictAgain() throws {
        do {
            let store = try file.open(Guest.Strict.self)
            try store.insert(contentsOf: ["a", "b"].map { Guest.Strict(name: $0, code: $0) })
        }
        #expect(try !mayHaveDuplicates())
        // Read-only programs, and programs with a strict rule, do not set the flag.
        _ = try Query<Guest.Lenient>().count(in: file.open(Guest.Lenient.self))
        #expect(try !mayHaveDuplicates())
        try file.open(Guest.Lenient.self).insert(Guest.Lenient(name: "c", code: "a"))
        #expect(try mayHaveDuplicates())
        let store = try file.open(Guest.Strict.self)
        #expect(storeError { try store.finishMigrations() } == Guest.notUnique("Strict", "c", "a"))
    }

    @Test func aLenientProgram_setsTheFlagAgain_afterAnotherHasClearedIt() throws {
        let lenient = try file.open(Guest.Lenient.self)
        try lenient.insert(Guest.Lenient(name: "a", code: "one"))
        // The change of another process when it opens the store under the strict rule.
        try lenient.write { context in
            var type = try #require(try context.catalogStorage().type(prefix))
            type.indexes[1]?.state = .readable
            try context.set(type, prefix)
        }
        try lenient.insert(Guest.Lenient(name: "b", code: "one"))
        #expect(try mayHaveDuplicates())
    }

    @Test func aTypeWithoutRecords_mayHaveDuplicates_onlyUnderAClosure() throws {
        try file.open(Guest.Strict.self).insert(Guest.Strict(name: "a", code: "one"))
        #expect(try !mayHaveDuplicates())
        let other = try MigratedFile()
        let store = try other.open(Guest.Lenient.self)
        try store.insert(Guest.Lenient(name: "a", code: "one"))
        let isNoted = try store.read { try $0.catalogStorage().type(prefix)?.indexes[1]?.mayHaveDuplicates }
        #expect(isNoted == true)
    }

    // MARK: Findings

    /// The sizes of values and keys cover entries stored whole, entries cut after the value, and entries cut within the
    /// value.
    @Test func duplicateValues_areFoundExactly() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        func text(_ sizes: [Int]) -> String {
            String(repeating: "x", count: sizes.randomElement(using: &random) ?? 0)
                + "\(Int.random(in: 0..<3, using: &random))"
        }
        for _ in 0..<12 {
            let file = try MigratedFile()
            var codes: [String: String?] = [:]
            for _ in 0..<Int.random(in: 1..<60, using: &random) {
                let name = text([0, 1, 3, 20, 200]) + "\(Int.random(in: 0..<9, using: &random))"
                codes[name] =
                    Int.random(in: 0..<8, using: &random) == 0 ? nil : text([0, 1, 2, 480, 489, 490, 491, 600])
            }
            try file.open(Guest.Lenient.self).insert(
                contentsOf: codes.map { Guest.Lenient(name: $0, code: $1) })
            let store = try file.open(Guest.Strict.self)
            let holders = Dictionary(grouping: codes.filter { $0.value != nil }, by: \.value).mapValues { holders in
                Set(holders.map { KeyWriter.bytes(of: $0.key) })
            }
            let repeated = holders.values.filter { $0.count > 1 }
            let found = try store.check()
            #expect(found.allSatisfy { $0.kind == .notUnique }, comment)
            for holders in repeated {
                let pairs = found.filter { holders.contains($0.key.bytes) }
                #expect(pairs.count == holders.count - 1, comment)
                #expect(Set(pairs.flatMap { [$0.key.bytes, $0.other?.bytes ?? []] }) == holders, comment)
                #expect(pairs.allSatisfy { $0.other?.bytes.lexicographicallyPrecedes($0.key.bytes) == true }, comment)
            }
            #expect(found.count == repeated.reduce(0) { $0 + $1.count - 1 }, comment)
            #expect((storeError { try store.finishMigrations() } != nil) == !repeated.isEmpty, comment)
            while let key = try store.check().first?.key.bytes {
                try store.write { context in
                    _ = try key.withRawSpan { try context.replace($0, with: nil as Guest.Strict?) }
                }
            }
            try store.finishMigrations()
        }
    }

    // MARK: The catalog

    /// The catalog entry as written by programs without this flag.
    @Test func aCatalogEntryWithoutTheFlag_isRead_andItsIndexIsSearched() throws {
        try file.open(Guest.Strict.self).insert(contentsOf: [Guest.Strict(name: "a", code: "one")])
        do {
            let environment = try Environment(path: file.path, options: EnvironmentOptions(durability: .noSync))
            let catalog = try environment.openDatabase("trove")
            try environment.write { transaction in
                var entries: [([UInt8], [UInt8])] = []
                try transaction.scan(catalog) { key, value in
                    entries.append((copiedBytes(key), copiedBytes(value)))
                    return .continue
                }
                for (key, value) in entries where key[0] == CatalogEntryKind.index.rawValue {
                    let content = Array(value.dropFirst(4).dropLast())
                    var checksum = CRC32C()
                    for bytes in [Array("trove".utf8), key, content] { unsafe checksum.update(bytes.span.bytes) }
                    let head = (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> ($0 * 8)) }
                    try transaction.put(head + content, for: key, in: catalog)
                }
            }
        }
        #expect(try Store.verify(path: file.path).isSound)
        #expect(try mayHaveDuplicates())
        let store = try file.open(Guest.Strict.self)
        #expect(try !mayHaveDuplicates())
        #expect(try store.check() == [])
    }
}
