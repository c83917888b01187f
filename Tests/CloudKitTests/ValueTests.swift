// Each type of value becomes a field, and comes back equal.

import CloudKit
import Foundation
import Testing
import TroveTestSupport

@Suite("Values in a CKRecord") struct ValueTests {
    private func copy<Record: CloudKitRecord & IndexKeyRecord>(_ record: Record) throws -> Record {
        try Record(ckRecord: record.ckRecord(in: zone))
    }

    @Test func scalars_comeBackEqual() throws {
        #expect(try copy(Scalars.sample) == Scalars.sample)
        var extreme = Scalars.sample
        (extreme.int8, extreme.int16, extreme.int32, extreme.int64, extreme.int128) = (.min, .min, .min, .min, .min)
        (extreme.uint8, extreme.uint16, extreme.uint32, extreme.uint64) = (.max, .max, .max, .max)
        (extreme.uint, extreme.uint128) = (.max, .max)
        (extreme.float, extreme.double) = (-.infinity, .greatestFiniteMagnitude)
        (extreme.bool, extreme.string, extreme.data, extreme.bytes) = (false, "a\u{0}é👩‍👩‍👧", Data(), [])
        (extreme.color, extreme.level) = (.red, .high)
        #expect(try copy(extreme) == extreme)
    }

    /// The types of fields are part of the schema in CloudKit: they never change.
    @Test func scalars_haveTheirForms() throws {
        let record = try Scalars.sample.ckRecord(in: zone)
        let forms: [(String, any Any.Type)] = [
            ("id", Int64.self), ("bool", Int64.self), ("int8", Int64.self), ("int16", Int64.self),
            ("int32", Int64.self), ("int64", Int64.self), ("int128", String.self), ("uint", Int64.self),
            ("uint8", Int64.self), ("uint16", Int64.self), ("uint32", Int64.self), ("uint64", Int64.self),
            ("uint128", String.self), ("float", Double.self), ("double", Double.self), ("string", String.self),
            ("data", Data.self), ("bytes", Data.self), ("uuid", String.self), ("date", Date.self),
            ("decimal", String.self), ("url", String.self), ("color", String.self), ("level", Int64.self),
        ]
        #expect(Set(record.allKeys()) == Set(forms.map(\.0)))
        for (name, type) in forms {
            let value: (any CKRecordValueProtocol)? = record[name]
            #expect(value.map { Swift.type(of: $0) == type } == true, "\(name)")
        }
        #expect(record["uuid"] == Scalars.sample.uuid.uuidString)
        #expect(record["bool"] == Int64(1))
        #expect(record["level"] == Int64(-1))
        #expect(record["color"] == "green")
        #expect(record["decimal"] == "1.5")
    }

    /// Values over `Int64.max` have the same bits.
    @Test func unsigned_hasItsBits() throws {
        var scalars = Scalars.sample
        scalars.uint64 = .max
        #expect(try scalars.ckRecord(in: zone)["uint64"] == Int64(-1))
    }

    @Test func nil_isAnAbsentField() throws {
        let empty = Optionals(id: UUID())
        let record = try empty.ckRecord(in: zone)
        #expect(Set(record.allKeys()) == ["id"])
        #expect(try Optionals(ckRecord: record) == empty)
    }

    @Test func optionals_comeBackEqual() throws {
        var full = Optionals(
            id: UUID(), bool: false, int: -5, uint64: .max, float: 0.1, double: 0.1, string: "", data: Data(),
            date: Date(timeIntervalSinceReferenceDate: 1e-7), uuid: UUID(), color: .red,
            address: Address(street: "Main", number: 1), settings: Settings(isOn: true, names: ["a"]),
            strings: ["a"], twice: .some(.some(3)))
        #expect(try copy(full) == full)
        #expect(try full.ckRecord(in: zone).allKeys().count == 15)
        (full.strings, full.twice) = ([], .some(nil))
        #expect(try copy(full) == full)
    }

    @Test func parts_comeBackEqual() throws {
        #expect(try copy(Parts.sample) == Parts.sample)
        #expect(try copy(Parts.empty) == Parts.empty)
    }

    @Test func listsOfScalars_areLists() throws {
        let record = try Parts.sample.ckRecord(in: zone)
        for name in ["strings", "ids", "colors", "tags"] {
            let value: (any CKRecordValueProtocol)? = record[name]
            #expect(value is [String], "\(name)")
        }
        for name in ["ints", "flags"] {
            let value: (any CKRecordValueProtocol)? = record[name]
            #expect(value is [Int64], "\(name)")
        }
        #expect(record["doubles"] == [0.1, 2.0])
        #expect(record["blobs"] == [Data([1]), Data()])
        #expect(record["dates"] == Parts.sample.dates)
    }

    @Test func nestedValues_areJSON() throws {
        let record = try Parts.sample.ckRecord(in: zone)
        func json(_ name: String) -> String? {
            let data: Data? = record[name]
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(json("address") == #"{"street":"Main","number":null}"#)
        #expect(json("shape") == #"{"group":{"_0":["point",{"circle":{"radius":1.5}}]}}"#)
        #expect(json("settings") == #"{"isOn":true,"names":["n"]}"#)
        #expect(json("optionals") == "[1,null]")
        #expect(json("lists") == "[[1],[]]")
        #expect(json("counts") == #"{"a":1}"#)
    }

    /// An empty list is absent, since CloudKit cannot know the type of its elements.
    @Test func emptyLists_areAbsent() throws {
        let record = try Parts.empty.ckRecord(in: zone)
        let value: (any CKRecordValueProtocol)? = record["strings"]
        #expect(value == nil)
    }

    /// CloudKit may return a number of a `Double` field as an integer, and the reverse.
    @Test func numbers_areReadInBothForms() throws {
        let record = try Scalars.sample.ckRecord(in: zone)
        record["double"] = Int64(3)
        record["float"] = Int64(4)
        record["int8"] = 5.0
        record["bool"] = 0.0
        let read = try Scalars(ckRecord: record)
        #expect((read.double, read.float) == (3, 4))
        #expect((read.int8, read.bool) == (5, false))
    }

    @Test func randomRecords_comeBackEqual() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        for round in 0..<200 {
            var scalars = Scalars.sample
            scalars.int64 = random.next().bitPattern
            scalars.uint64 = random.next()
            scalars.int128 = Int128(random.next().bitPattern) << 60
            scalars.double = Double(bitPattern: random.next())
            scalars.float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            if scalars.double.isNaN { scalars.double = 0 }
            if scalars.float.isNaN { scalars.float = 0 }
            scalars.date = Date(timeIntervalSinceReferenceDate: .random(in: -1e11...1e11, using: &random))
            let characters = (0..<5).map { _ in Character(Unicode.Scalar(UInt8.random(in: 0...255, using: &random))) }
            scalars.string = String(characters)
            #expect(try copy(scalars) == scalars, "round \(round) of seed \(seed)")
        }
    }
}

extension UInt64 {
    fileprivate var bitPattern: Int64 { Int64(bitPattern: self) }
}
