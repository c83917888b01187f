// The records of the tests: each type of value.

import CloudKit
import Foundation
import Trove

/// The zone of the tests.
let zone = CKRecordZone.ID(zoneName: "Notes")

enum Color: String, RecordValue { case red, green }

enum Level: Int8, RecordValue { case low = -1, high = 1 }

@RecordValue
struct Address: Equatable {
    var street: String
    var number: Int?
}

@RecordValue
indirect enum Shape: Equatable {
    case point
    case circle(radius: Double)
    case group([Shape])
}

struct Settings: Codable, Equatable, Sendable {
    var isOn: Bool
    var names: [String]
}

/// A value of each scalar type.
@CloudKitRecord
@IndexKeyRecord("id")
struct Scalars: Equatable {
    let id: Int
    var bool: Bool
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var int128: Int128
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var uint128: UInt128
    var float: Float
    var double: Double
    var string: String
    var data: Data
    var bytes: [UInt8]
    var uuid: UUID
    var date: Date
    var decimal: Decimal
    var url: URL
    var color: Color
    var level: Level
}

/// An optional of each form.
@CloudKitRecord
@IndexKeyRecord("id")
struct Optionals: Equatable {
    let id: UUID
    var bool: Bool?
    var int: Int?
    var uint64: UInt64?
    var float: Float?
    var double: Double?
    var string: String?
    var data: Data?
    var date: Date?
    var uuid: UUID?
    var color: Color?
    var address: Address?
    var settings: Settings?
    var strings: [String]?
    var twice: Int??
}

/// Values with parts.
@CloudKitRecord
@IndexKeyRecord("name", "number")
struct Parts: Equatable {
    let name: String
    let number: Int
    var strings: [String]
    var ints: [Int16]
    var flags: [Bool]
    var doubles: [Double]
    var dates: [Date]
    var blobs: [Data]
    var ids: [UUID]
    var colors: [Color]
    var tags: Set<String>
    var optionals: [Int?]
    var lists: [[Int]]
    var counts: [String: Int]
    var address: Address
    var addresses: [Address]
    var shape: Shape
    var settings: Settings
    var settingsList: [Settings]
}

extension Scalars {
    static let sample = Scalars(
        id: 1, bool: true, int8: 8, int16: 16, int32: 32, int64: 64, int128: 128, uint: 1, uint8: 8, uint16: 16,
        uint32: 32, uint64: 64, uint128: 128, float: 0.5, double: 0.1, string: "Tür", data: Data([0, 255]),
        bytes: [1, 2], uuid: UUID(), date: Date(timeIntervalSinceReferenceDate: 0.1), decimal: Decimal(15) / 10,
        url: URL(filePath: "/tmp"), color: .green, level: .low)
}

extension Parts {
    static let sample = Parts(
        name: "Korben", number: 7, strings: ["a", ""], ints: [-1, 300], flags: [true, false], doubles: [0.1, 2],
        dates: [Date(timeIntervalSinceReferenceDate: 7.25)], blobs: [Data([1]), Data()], ids: [UUID()],
        colors: [.red, .green], tags: ["x", "y"], optionals: [1, nil], lists: [[1], []], counts: ["a": 1],
        address: Address(street: "Main", number: nil), addresses: [Address(street: "Elm", number: 3)],
        shape: .group([.point, .circle(radius: 1.5)]), settings: Settings(isOn: true, names: ["n"]),
        settingsList: [Settings(isOn: false, names: [])])
    static let empty = Parts(
        name: "", number: 0, strings: [], ints: [], flags: [], doubles: [], dates: [], blobs: [], ids: [], colors: [],
        tags: [], optionals: [], lists: [], counts: [:], address: Address(street: "", number: nil), addresses: [],
        shape: .point, settings: Settings(isOn: false, names: []), settingsList: [])
}

/// A record without a key.
@CloudKitRecord
struct Diver: Equatable {
    let name: String
    var age: Int
}

/// A value that contains values of its own type.
@CloudKitRecord
struct Tree: Equatable {
    var name: String
    @Renamed("kids") var children: [Tree]
    var depth: Int = 1
}
