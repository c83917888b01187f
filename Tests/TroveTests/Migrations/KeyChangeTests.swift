// Changes of keys: the records move to a new table; it then replaces the old table in a single step.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Keys that change") struct KeyChangeTests {
    private static let tables = ["00602161.0.0", "00602161.0.1"]
    private let prefix = Seat.Old.keyPrefix

    /// Opens a store of seats with another key, and expects it to hold the given records, in this order.
    private func expect<New: IndexKeyRecord & Hashable>(
        _ new: [New], of file: MigratedFile, generation: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let migrated = try Query<New>().resolve(in: file.open(New.self))
        #expect(migrated == new, sourceLocation: sourceLocation)
        let reference = try MigratedFile(of: new).stored(prefix)
        #expect(try file.stored(prefix) == reference, sourceLocation: sourceLocation)
        let type = try file.type(prefix)
        #expect(type.isMigrated && type.keyLayout == New.schema.keyLayout, sourceLocation: sourceLocation)
        // The source table is empty.
        let counts = generation == 1 ? [0, new.count] : [new.count, 0]
        let tables = Dictionary(uniqueKeysWithValues: zip(Self.tables, counts))
        #expect(try file.tables() == tables, sourceLocation: sourceLocation)
        #expect(try file.damage() == [], sourceLocation: sourceLocation)
        let bytes = try file.bytes()
        try file.migrate(New.self)
        #expect(try file.bytes() == bytes, sourceLocation: sourceLocation)
    }

    private func file() throws -> MigratedFile { try MigratedFile(of: Seat.all) }

    @Test func componentsInAnotherOrder() throws {
        typealias New = Seat.Reordered
        try expect(
            [
                New(place: "", row: 10, guest: "", price: 0), New(place: "a", row: 2, guest: "Ann", price: 2.5),
                New(place: "b", row: -1, guest: "Zoe", price: 1), New(place: "c", row: 2, guest: "Ann", price: 3),
            ], of: file())
    }

    @Test func aComponentOfAnotherType_sortsAsThat() throws {
        try expect(
            Seat.all.map { Seat.Widened(row: Int($0.row), place: $0.place, guest: $0.guest, price: $0.price) },
            of: file())
        typealias New = Seat.AsText
        try expect(
            [
                New(row: "-1", place: "b", guest: "Zoe", price: 1), New(row: "10", place: "", guest: "", price: 0),
                New(row: "2", place: "a", guest: "Ann", price: 2.5), New(row: "2", place: "c", guest: "Ann", price: 3),
            ], of: file())
        try expect(
            Seat.all.map { Seat.Narrowed(row: Int8($0.row), place: $0.place, guest: $0.guest, price: $0.price) },
            of: file())
        try expect(
            [3, 1, 2, 0].map { Seat.all[$0] }.map {
                Seat.Downwards(row: Descending($0.row), place: $0.place, guest: $0.guest, price: $0.price)
            },
            of: file())
    }

    @Test func aField_movesIntoTheKey() throws {
        typealias New = Seat.ByGuest
        try expect(
            [
                New(guest: "", row: 10, place: "", price: 0), New(guest: "Ann", row: 2, place: "a", price: 2.5),
                New(guest: "Ann", row: 2, place: "c", price: 3), New(guest: "Zoe", row: -1, place: "b", price: 1),
            ], of: file())
    }

    @Test func aNewComponent_isNil() throws {
        try expect(
            Seat.all.map {
                Seat.Tagged(tag: nil, row: $0.row, place: $0.place, guest: $0.guest, price: $0.price)
            }, of: file())
    }

    @Test func aComponent_movesOutOfTheKey_orGoes() throws {
        typealias New = Seat.OneRow
        try expect(
            [
                New(place: "", price: 0, row: 10, guest: ""), New(place: "a", price: 2.5, row: 2, guest: "Ann"),
                New(place: "b", price: 1, row: -1, guest: "Zoe"), New(place: "c", price: 3, row: 2, guest: "Ann"),
            ], of: file())
        typealias Short = Seat.NoRow
        try expect(
            [
                Short(place: "", guest: "", price: 0), Short(place: "a", guest: "Ann", price: 2.5),
                Short(place: "b", guest: "Zoe", price: 1), Short(place: "c", guest: "Ann", price: 3),
            ], of: file())
    }

    @Test func aRenamedComponent_staysWhereItIs() throws {
        let file = try file()
        let new = Seat.all.map { Seat.Lined(line: $0.row, place: $0.place, guest: $0.guest, price: $0.price) }
        #expect(try file.read(Seat.Lined.self) == new)
        try file.migrate(Seat.Lined.self)
        #expect(try file.stored(prefix) == MigratedFile(of: new).stored(prefix))
        #expect(try file.tables() == [Self.tables[0]: 4])
        #expect(try file.type(prefix).keyLayout == "(line:Int32,place:String)")
    }

    @Test func aRenamedComponent_movesToo() throws {
        typealias New = Seat.LinedByPlace
        let new = [
            New(place: "", line: 10, guest: "", price: 0), New(place: "a", line: 2, guest: "Ann", price: 2.5),
            New(place: "b", line: -1, guest: "Zoe", price: 1), New(place: "c", line: 2, guest: "Ann", price: 3),
        ]
        try expect(new, of: file())
        // Also where some records still have the old name.
        let file = try file()
        let renamed = Seat.Lined(line: -1, place: "b", guest: "Zoe", price: 1)
        try file.write([renamed])
        #expect(Set(try file.stored(prefix).map(\.fieldsVersion)).count == 2)
        try expect(new, of: file)
    }

    @Test func keysByHand_areTheTypesOwn() throws {
        typealias ByFunction = SeatByHand.ByFunction
        try expect(
            [
                ByFunction(code: "-1b", guest: "Zoe"), ByFunction(code: "10", guest: ""),
                ByFunction(code: "2a", guest: "Ann"), ByFunction(code: "2c", guest: "Ann"),
            ], of: file())
        typealias ByInitializer = SeatByHand.ByInitializer
        try expect(
            [
                ByInitializer(code: "-1b", guest: "Zoe"), ByInitializer(code: "10", guest: ""),
                ByInitializer(code: "2a", guest: "Ann"), ByInitializer(code: "2c", guest: "Ann"),
            ], of: file())
    }

    /// The first table is used again, without its former records.
    @Test func aSecondChange_goesBackToTheFirstTable() throws {
        let file = try file()
        try file.migrate(Seat.Reordered.self)
        try file.write([Seat.Reordered(place: "d", row: 7, guest: "Bob", price: 4)])
        let all = Seat.all.map { Seat.Widened(row: Int($0.row), place: $0.place, guest: $0.guest, price: $0.price) }
        let new = all[0..<3] + [Seat.Widened(row: 7, place: "d", guest: "Bob", price: 4)] + all[3...]
        try expect(Array(new), of: file, generation: 0)
        try expect(
            new.map { Seat.Narrowed(row: Int8($0.row), place: $0.place, guest: $0.guest, price: $0.price) }, of: file)
    }

    @Test func anEmptyTable_getsItsNewKey() throws {
        let file = try file()
        _ = try Seat.Old.query().delete(in: file.open())
        try expect([Seat.Reordered](), of: file)
        try file.write([Seat.Reordered(place: "d", row: 7, guest: "Bob", price: 4)])
        #expect(try file.read(Seat.Reordered.self).count == 1)
    }

    // MARK: Obstacles

    private func collision(of type: String, _ key: [UInt8], _ records: [[UInt8]]) -> StoreError {
        .schema(
            .keysCollide(
                type: type, key: StoredKey(key, of: type), records: records.map { StoredKey($0, of: type) }))
    }

    @Test func recordsThatWouldHaveOneKey_areNamed_andNothingIsChanged() throws {
        let file = try file()
        try file.write([Seat.Old(row: 5, place: "a", guest: "", price: 0)])
        try file.write((0..<3).map { Harmless.Old(id: $0, name: "a") })
        let before = try file.bytes()
        let keys = [Seat.all[1].keyBytes, Seat.Old(row: 5, place: "a", guest: "", price: 0).keyBytes]
        for type in [Seat.NoRow.self, Seat.OneRow.self] as [any IndexKeyRecord.Type] {
            let error = storeError { try file.migrate(Harmless.New.self, type) }
            #expect(error == collision(of: type.schema.name, KeyWriter.bytes(of: "a"), keys))
            #expect(try file.bytes() == before)
        }
        let error = storeError { try file.migrate(Harmless.New.self, SeatByHand.Colliding.self) }
        #expect(
            error
                == collision(
                    of: "SeatByHand.Colliding", KeyWriter.bytes(of: Int32(2)), Seat.all[1...2].map(\.keyBytes)))
        #expect(try file.bytes() == before)
    }

    @Test func aComponentThatDoesNotConvert_isNamed_andNothingIsChanged() throws {
        let file = try file()
        let large = Seat.Old(row: 300, place: "", guest: "", price: 0)
        try file.write([large])
        let before = try file.bytes()
        guard
            case .schema(.unconvertible("Seat.Narrowed", Seat.Old.fieldsVersion, let key, let reason))? =
                storeError({ try file.migrate(Seat.Narrowed.self) })
        else {
            Issue.record("the type was migrated")
            return
        }
        #expect(key.bytes == large.keyBytes)
        #expect(reason.field == "row")
        #expect(
            storeError { try file.migrate(Seat.WithoutSource.self) }
                == .schema(
                    .noConversion(
                        type: "Seat.WithoutSource", version: Seat.Old.fieldsVersion,
                        reason: ConversionError(field: "number", reason: .noDefault))))
        #expect(try file.bytes() == before)
    }

    @Test func aKeyThatBecomesTooLong_isNamed_andNothingIsChanged() throws {
        let file = try MigratedFile(
            of: [1, 500, 600].enumerated().map { Titles.Old(id: $0, title: String(repeating: "x", count: $1)) })
        let before = try file.bytes()
        let tooLarge = CodingError(.keyTooLarge(size: 609, limit: 511))
        let error = StoreError.schema(
            .unconvertible(
                type: "Titles.New", version: Titles.Old.fieldsVersion,
                key: StoredKey(KeyWriter.bytes(of: 2), of: "Titles.New"),
                reason: ConversionError(field: "the key", reason: .value(tooLarge))))
        #expect(storeError { try file.migrate(Titles.New.self) } == error)
        #expect(try file.bytes() == before)
    }

    // MARK: Concurrent use

    @Test func aSnapshotFromBefore_keepsItsRecords_andTheNextOneHasTheNew() throws {
        let file = try file()
        let (isOpen, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let before = try file.stored(prefix)
        let other = try file.open()
        let reader = RunningThread {
            try other.read { context in
                let type = try #require(try context.storedTypes().first { $0.keyPrefix == Seat.Old.keyPrefix })
                isOpen.signal()
                mayEnd.wait()
                var records: [StoredRecord] = []
                try context.forEachStoredRecord(of: type) { record in
                    records.append(record)
                    return true
                }
                return records
            }
        }
        isOpen.wait()
        let store = try file.open(Seat.Reordered.self)
        #expect(try Seat.Reordered.query().count(in: store) == 4)
        mayEnd.signal()
        #expect(try reader.value() == before)
        #expect(
            try other.storedRecords(prefix).map(\.fieldsVersion)
                == Array(repeating: Seat.Reordered.fieldsVersion, count: 4))
    }

    /// In several transactions, the records arrive in another order than the order of their keys.
    @Test func manyRecords_moveInSeveralTransactions() throws {
        let count = 20_000
        let file = try MigratedFile(
            of: (0..<count).map { id in
                Bulky.Old(id: id, size: Int8(id * 7919 % 100), body: Bulky.body(id))
            })
        let steps = MigrationSteps()
        let store = try file.open(Bulky.NewKey.self, progress: steps.take)
        #expect(steps.all.filter { $0.phase == .rewriting }.count > 1)
        var expected = (0..<count).map { id in
            Bulky.NewKey(size: Int8(id * 7919 % 100), id: Int16(id), body: Bulky.body(id))
        }
        expected.sort { ($0.size, $0.id) < ($1.size, $1.id) }
        #expect(try Bulky.NewKey.query().resolve(in: store) == expected)
    }
}
