// The types of `RuleTests.swift`: each enum is a change of a type, from `Old` to `New`.

import Foundation
import Trove

enum AddedFields {
    @IndexKeyRecord(keyPrefix: 6_000_001, "id")
    struct Old: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_000_001, "id")
    struct New: Hashable {
        let id: Int
        var first: String?
        var name: String
        var nickname: String?
        var score: Double = 1.5
        var tags: [String] = ["new", "untagged"]
    }
}

enum RemovedFields {
    @IndexKeyRecord(keyPrefix: 6_000_002, "id")
    struct Old: Hashable {
        let id: Int
        var first: String
        var name: String
        var middle: [Int?]
        var size: Int16
        var last: Data
    }

    @IndexKeyRecord(keyPrefix: 6_000_002, "id")
    struct New: Hashable {
        let id: Int
        var name: String
        var size: Int16
    }

    @IndexKeyRecord(keyPrefix: 6_000_002, "id")
    struct None: Hashable { let id: Int }
}

enum ReorderedFields {
    @RecordValue struct Point: Hashable { var x: Double, y: Double }

    @IndexKeyRecord(keyPrefix: 6_000_003, "id")
    struct Old: Equatable {
        let id: String
        var text: String
        var flag: Bool
        var born: Date
        var mark: UUID
        var data: Data
        var price: Decimal
        var page: URL
        var note: Note
        var point: Point
        var maybe: Int??
    }

    @IndexKeyRecord(keyPrefix: 6_000_003, "id")
    struct New: Equatable {
        let id: String
        var maybe: Int??
        var point: Point
        var note: Note
        var page: URL
        var price: Decimal
        var data: Data
        var mark: UUID
        var born: Date
        var flag: Bool
        var text: String
    }
}

enum RenamedFields {
    @IndexKeyRecord(keyPrefix: 6_000_004, "id")
    struct Old: Hashable {
        let id: Int
        var name: String
        var size: Int8
        var width: Int
        var height: Int
    }

    @IndexKeyRecord(keyPrefix: 6_000_004, "id")
    struct New: Hashable {
        let id: Int
        @Renamed("name") var fullName: String
        @Renamed("size") var length: Int?
        var height: Int
        @Renamed("width") var depth: Int = 9
    }
}

enum RenamedBehindKeys {
    @IndexKeyRecord(keyPrefix: 6_000_005, "id")
    struct Old: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_000_005, "number")
    struct New: Hashable {
        let number: Int
        var fullName: String

        enum CodingKeys: String, CodingKey { case number = "id", fullName = "name" }
    }
}

enum Optionals {
    @IndexKeyRecord(keyPrefix: 6_000_006, "id")
    struct Old: Hashable {
        let id: Int
        var plain: String
        var wrapped: Int8?
        var defaulted: Int8?
        var deep: [Int8?]
    }

    @IndexKeyRecord(keyPrefix: 6_000_006, "id")
    struct New: Hashable {
        let id: Int
        var plain: String?
        var wrapped: Int8
        var defaulted: Int = 7
        var deep: [Int?]
    }
}

enum Widened {
    @IndexKeyRecord(keyPrefix: 6_000_007, "id")
    struct Old: Hashable {
        let id: Int
        var a: Int8
        var b: UInt8
        var c: UInt32
        var d: Float
        var e: Int64
        var f: UInt64?
    }

    @IndexKeyRecord(keyPrefix: 6_000_007, "id")
    struct New: Hashable {
        let id: Int
        var a: Int16
        var b: Int16
        var c: UInt64
        var d: Double
        var e: Int128
        var f: UInt128?
    }
}

enum Converted {
    @IndexKeyRecord(keyPrefix: 6_000_008, "id")
    struct Old: Hashable {
        let id: Int
        var narrow: Int
        var unsigned: Int
        var double: Int
        var integer: Double
        var float: Double
        var text: Int
        var fraction: Double
        var flag: Bool
        var number: String
        var amount: String
    }

    @IndexKeyRecord(keyPrefix: 6_000_008, "id")
    struct New: Hashable {
        let id: Int
        var narrow: Int8
        var unsigned: UInt16
        var double: Double
        var integer: Int32
        var float: Float
        var text: String
        var fraction: String
        var flag: String
        var number: UInt8
        var amount: Double
    }
}

enum RawValues {
    enum Level: String, RecordValue { case low, medium, high }
    enum FewerLevels: String, RecordValue { case high, low }
    enum Code: Int8, RecordValue { case one = 1, two }
    enum WiderCode: Int, RecordValue { case two = 2, one = 1 }

    @IndexKeyRecord(keyPrefix: 6_000_009, "id")
    struct Old: Hashable {
        let id: Int
        var level: Level
        var code: Code
        var text: Level
        var word: String
        var levels: [Level]
    }

    @IndexKeyRecord(keyPrefix: 6_000_009, "id")
    struct New: Hashable {
        let id: Int
        var level: FewerLevels?
        var code: WiderCode
        var text: String
        var word: FewerLevels
        var levels: [FewerLevels]
        var more: Int?
    }
}

enum Collections {
    @IndexKeyRecord(keyPrefix: 6_000_010, "id")
    struct Old: Hashable {
        let id: Int
        var list: [Int8]
        var lists: [[Int16]]
        var set: Set<Int8>
        var listed: Set<String>
        var names: [String: Int8]
        var counts: [Int: [Float]]
    }

    @IndexKeyRecord(keyPrefix: 6_000_010, "id")
    struct New: Hashable {
        let id: Int
        var list: [Int]
        var lists: [[String]]
        var set: Set<Int>
        var listed: [String]
        var names: [String: Double]
        var counts: [Int: [Double]?]
    }
}

enum Nested {
    enum Before {
        @RecordValue struct Street: Hashable {
            var name: String
            var number: Int8
        }
        @RecordValue struct Address: Hashable {
            var street: Street
            var city: String
            var gone: [Bool]
        }
    }

    enum After {
        @RecordValue struct Street: Hashable {
            var number: String
            var name: String
            var side: String?
        }
        @RecordValue struct Address: Hashable {
            var town: String?
            var city: String
            var street: Street?
        }
    }

    @IndexKeyRecord(keyPrefix: 6_000_011, "id")
    struct Old: Hashable {
        let id: Int
        var home: Before.Address
        var others: [Before.Address]
        var maybe: Before.Street?
        var byName: [String: Before.Street]
    }

    @IndexKeyRecord(keyPrefix: 6_000_011, "id")
    struct New: Hashable {
        let id: Int
        var home: After.Address
        var others: [After.Address]
        var maybe: After.Street?
        var byName: [String: After.Street]
    }
}

enum Cases {
    enum Before {
        @RecordValue indirect enum Shape: Hashable {
            case empty, circle(radius: Float), label(String, size: Int8), group([Shape]), gone
        }
    }

    enum After {
        @RecordValue indirect enum Shape: Hashable {
            case line(length: Int)
            case group([Shape])
            case label(String, colour: String?, size: Int)
            case circle(radius: Double)
            case empty
        }
    }

    @IndexKeyRecord(keyPrefix: 6_000_012, "id")
    struct Old: Hashable {
        let id: Int
        var shape: Before.Shape
    }

    @IndexKeyRecord(keyPrefix: 6_000_012, "id")
    struct New: Hashable {
        let id: Int
        var shape: After.Shape
    }
}
