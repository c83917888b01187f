// Random records of several versions in the same table, and migrations that are interrupted repeatedly. At the end,
// every stored record equals a conversion by hand.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite("Random migrations") struct RandomMigrationTests {
    private let prefix = Parcel.First.keyPrefix

    @Test func inTheBackground_closedAgainAndAgain_withRecordsChangedMeanwhile() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        var mixture = try Mixture(count: 3000, bodySize: 700, generator)
        for _ in 0..<4 {
            let gate = MigrationGate(after: mixture.random(1...2))
            defer { gate.open() }
            let store = try mixture.file.open(Parcel.Third.self, migrations: .background, progress: gate.pass)
            while try !gate.isReached && !store.storedType(prefix).isMigrated { sched_yield() }
            try mixture.change(in: store)
            #expect(try Parcel.Third.query().resolve(in: store) == mixture.records, comment)
        }
        try mixture.file.migrate(Parcel.Third.self)
        #expect(try mixture.file.type(prefix).isMigrated, comment)
        #expect(try mixture.file.stored(prefix) == MigratedFile(of: mixture.records).stored(prefix), comment)
        #expect(try mixture.file.damage() == [], comment)
    }

    /// At random, an older program returns to its own layout and changes records. This ends the migration to the new
    /// key with the records converted so far.
    @Test func toANewKey_cancelledAgainAndAgain_andTakenBack() async throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        var mixture = try Mixture(count: 2000, bodySize: 9000, generator)
        for _ in 0..<6 {
            try await mixture.file.migrate(
                Parcel.Fourth.self, migrations: .allowOlderLayout, cancellingAfter: mixture.random(1...4))
            if try mixture.file.type(prefix).keyLayout == Parcel.Fourth.schema.keyLayout { mixture.forgetNotes() }
            guard mixture.random(0...2) == 0 else { continue }
            try mixture.change(
                in: mixture.file.open(Parcel.Third.self, migrations: .lazily.allowingOlderLayout))
        }
        try mixture.file.migrate(Parcel.Fourth.self, migrations: .allowOlderLayout)
        #expect(try mixture.file.type(prefix).isMigrated, comment)
        let expected = mixture.records.map { Parcel.Fourth($0) }
        #expect(try mixture.file.stored(prefix) == MigratedFile(of: expected).stored(prefix), comment)
        #expect(try mixture.file.tables().values.sorted() == [0, expected.count], comment)
        #expect(try mixture.file.damage() == [], comment)
    }
}

/// A store with records of three versions, and the expected record of each in the third version.
private struct Mixture {
    let file: MigratedFile
    private let count: Int
    private let bodySize: Int
    private var expected: [Int: Parcel.Third] = [:]
    private var generator: SeededGenerator

    init(count: Int, bodySize: Int, _ generator: SeededGenerator) throws {
        file = try MigratedFile()
        (self.count, self.bodySize, self.generator) = (count, bodySize, generator)
        let first = (0..<count).map { randomFirst($0) }
        try file.write(first)
        let second = (0..<count / 3).map { _ in randomSecond() }
        try file.write(second)
        for record in first { expected[record.id] = Parcel.Third(Parcel.Second(record)) }
        for record in second { expected[record.id] = Parcel.Third(record) }
        try change(in: file.open())
    }

    var records: [Parcel.Third] { expected.sorted { $0.key < $1.key }.map(\.value) }

    mutating func random(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

    private mutating func randomFirst(_ id: Int) -> Parcel.First {
        Parcel.First(id: id, body: bodySize, using: &generator)
    }

    /// Returns a record with a random number, most likely the number of an existing record.
    private mutating func randomSecond() -> Parcel.Second {
        var record = Parcel.Second(randomFirst(random(0...count + 50)))
        if Bool.random(using: &generator) { record.size = nil }
        record.weight = .random(in: 0...1, using: &generator)
        return record
    }

    /// Writes and deletes some records, as a program of the third version.
    mutating func change(in store: Store) throws {
        for _ in 0..<random(1...count / 20) {
            var record = Parcel.Third(randomSecond())
            if random(0...3) == 0 {
                try store.delete(Parcel.Third.self, key: record.id)
                expected[record.id] = nil
            } else {
                record.note = random(0...9)
                try store.insert(record)
                expected[record.id] = record
            }
        }
    }

    /// Clears the notes, because the fourth version has none.
    mutating func forgetNotes() { for id in expected.keys { expected[id]?.note = nil } }
}
