// The record types of the stored samples: together, a field of each type, and a key component of each type. Samples of
// earlier formats contain these types, so they never change; a later format adds types of its own.

import Foundation
import Trove

// MARK: Fields

@IndexKeyRecord("number")
package struct SampleNumbers: Hashable {
    let number: Int
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
    var decimal: Decimal
}

@IndexKeyRecord("name")
package struct SampleValues: Hashable {
    let name: String
    var flag: Bool
    var data: Data
    var bytes: [UInt8]
    var uuid: UUID
    var date: Date
    var url: URL
    var optional: Int?
    var twice: String??
    var list: [String]
    var lists: [[Int16?]]
    var set: Set<Int16>
    var dictionary: [String: [Int8]]
    var pairs: [UInt8: Bool]
    var pair: Tuple<String, Int>
    var descending: Descending<Int32>
    var level: SampleLevel
    var sign: SampleSign?
    var place: SamplePlace
    var shape: SampleShape
    var tree: SampleTree
    var note: SampleNote?
}

package enum SampleLevel: String, KeyComponent { case low, high, empty = "" }

package enum SampleSign: Int8, KeyComponent { case minus = -1, zero, plus }

/// A type with only `Codable`, and therefore stored as JSON.
package struct SampleNote: Codable, Hashable, Sendable {
    var text: String
    var stars: [Int]
}

@RecordValue
package struct SamplePlace: Hashable {
    var name: String
    var latitude: Double
    var tags: [String]?
}

@RecordValue
package enum SampleShape: Hashable {
    case empty
    case circle(radius: Float)
    case path([SamplePlace], closed: Bool)
}

/// A recursive type.
@RecordValue
package struct SampleTree: Hashable {
    var label: Int8
    var children: [SampleTree]
}

// MARK: Keys

@IndexKeyRecord(
    "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32", "uint64", "uint128", "float", "double")
package struct SampleNumberKeys: Hashable {
    let int8: Int8
    let int16: Int16
    let int32: Int32
    let int64: Int64
    let int128: Int128
    let uint8: UInt8
    let uint16: UInt16
    let uint32: UInt32
    let uint64: UInt64
    let uint128: UInt128
    let float: Float
    let double: Double
    var text: String
}

@IndexKeyRecord("flag", "string", "data", "bytes", "uuid", "date", "optional", "level", "sign", "pair", "descending")
package struct SampleOtherKeys: Hashable {
    let flag: Bool
    let string: String
    let data: Data
    let bytes: [UInt8]
    let uuid: UUID
    let date: Date
    let optional: Int?
    let level: SampleLevel
    let sign: SampleSign
    let pair: Tuple<Bool, String?>
    let descending: Descending<String>
    var text: String
}

// MARK: Sizes and versions

/// Records that fill overflow pages.
@IndexKeyRecord("title")
package struct SampleDocument: Hashable {
    let title: String
    var text: String
}

/// A type whose first records were written with another layout: see `SamplePerson`.
@IndexKeyRecord(keyPrefix: 9_000_001, fieldsVersion: 1, "id")
package struct SampleFirstPerson: Hashable {
    let id: Int
    var name: String
    var score: Int16
    var remarks: String
}

@IndexKeyRecord(keyPrefix: 9_000_001, fieldsVersion: 2, "id")
package struct SamplePerson: Hashable {
    let id: Int
    @Renamed("name") var fullName: String
    var nickname: String?
    var score: Double
    var isActive: Bool = true
}

/// A type whose versions are derived from the layout, with a renamed key component.
@IndexKeyRecord(keyPrefix: 9_000_002, "town", "number")
package struct SampleFirstHouse: Hashable {
    let town: String
    let number: UInt16
    var rooms: [Int8]
}

@IndexKeyRecord(keyPrefix: 9_000_002, "city", "number")
package struct SampleHouse: Hashable {
    @Renamed("town") let city: String
    let number: UInt16
    var rooms: [Int]
    var owner: String = "nobody"
}

/// A type whose migration was interrupted: see `SampleCounter`.
@IndexKeyRecord(keyPrefix: 9_000_003, fieldsVersion: 1, "id")
package struct SampleFirstCounter: Hashable {
    let id: UInt16
    var value: UInt16
}

@IndexKeyRecord(keyPrefix: 9_000_003, fieldsVersion: 2, "id")
package struct SampleCounter: Hashable {
    let id: UInt16
    @Renamed("value") var count: UInt16
}
