// The types of `FailingRuleTests.swift`: each enum is a change that fails for some records.

import Foundation
import Trove

/// A type with a change that cannot fail, declared with the failing types.
enum Harmless {
    @IndexKeyRecord(keyPrefix: 6_100_001, "id")
    struct Old: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_100_001, "id")
    struct New: Hashable {
        let id: Int
        var name: String
        var size: Int = 1
    }
}

enum Narrowed {
    @IndexKeyRecord(keyPrefix: 6_100_002, "id")
    struct Old: Hashable {
        let id: Int
        var size: Int
    }

    @IndexKeyRecord(keyPrefix: 6_100_002, "id")
    struct New: Hashable {
        let id: Int
        var size: Int8
    }
}

enum Unfilled {
    @IndexKeyRecord(keyPrefix: 6_100_003, "id")
    struct Old: Hashable {
        let id: Int
        var size: Int?
    }

    @IndexKeyRecord(keyPrefix: 6_100_003, "id")
    struct New: Hashable {
        let id: Int
        var size: Int
    }
}

enum Texts {
    @IndexKeyRecord(keyPrefix: 6_100_004, "id")
    struct Old: Hashable {
        let id: Int
        var text: String
    }

    @IndexKeyRecord(keyPrefix: 6_100_004, "id")
    struct AsInteger: Hashable {
        let id: Int
        var text: Int
    }

    @IndexKeyRecord(keyPrefix: 6_100_004, "id")
    struct AsBool: Hashable {
        let id: Int
        var text: Bool
    }

    enum Level: String, RecordValue { case low, high }

    @IndexKeyRecord(keyPrefix: 6_100_004, "id")
    struct AsLevel: Hashable {
        let id: Int
        var text: Level
    }
}

enum Fractions {
    @IndexKeyRecord(keyPrefix: 6_100_005, "id")
    struct Old: Hashable {
        let id: Int
        var amount: Double
    }

    @IndexKeyRecord(keyPrefix: 6_100_005, "id")
    struct AsInteger: Hashable {
        let id: Int
        var amount: Int
    }

    @IndexKeyRecord(keyPrefix: 6_100_005, "id")
    struct AsFloat: Hashable {
        let id: Int
        var amount: Float
    }

    /// The way back also loses values beyond 2 to the power of 53.
    @IndexKeyRecord(keyPrefix: 6_100_005, "id")
    struct Large: Hashable {
        let id: Int
        var amount: Int
    }
}

/// The layout has only the raw type: a lost case appears only in the records.
enum LostCase {
    enum Level: String, RecordValue { case low, medium, high }
    enum FewerLevels: String, RecordValue { case low, high }

    @IndexKeyRecord(keyPrefix: 6_100_006, "id")
    struct Old: Hashable {
        let id: Int
        var level: Level
        var levels: [Level]
    }

    @IndexKeyRecord(keyPrefix: 6_100_006, "id")
    struct New: Hashable {
        let id: Int
        var level: FewerLevels
        var levels: [Level]
        var more: Int?
    }

    @IndexKeyRecord(keyPrefix: 6_100_006, "id")
    struct NewList: Hashable {
        let id: Int
        var level: Level
        var levels: [FewerLevels]
        var more: Int?
    }
}

enum Inner {
    @RecordValue struct Old1: Hashable { var sizes: [Int] }
    @RecordValue struct New1: Hashable { var sizes: [Int8] }
    @RecordValue enum OldCase: Hashable { case sized(Int), gone }
    @RecordValue enum NewCase: Hashable { case sized(Int) }

    @IndexKeyRecord(keyPrefix: 6_100_007, "id")
    struct Old: Hashable {
        let id: Int
        var boxes: [String: Old1]
        var state: OldCase
    }

    @IndexKeyRecord(keyPrefix: 6_100_007, "id")
    struct New: Hashable {
        let id: Int
        var boxes: [String: New1]
        var state: NewCase
    }
}

/// A change that no record survives, found before any record is read.
enum Hopeless {
    @RecordValue struct Point: Hashable { var x: Int }
    @RecordValue struct Point3: Hashable { var x: Int, z: Int }

    @IndexKeyRecord(keyPrefix: 6_100_008, "id")
    struct Old: Hashable {
        let id: Int
        var name: String
        var point: Point
    }

    @IndexKeyRecord(keyPrefix: 6_100_008, "id")
    struct WithoutDefault: Hashable {
        let id: Int
        var name: String
        var point: Point
        var size: Int
    }

    @IndexKeyRecord(keyPrefix: 6_100_008, "id")
    struct OtherType: Hashable {
        let id: Int
        var name: Date
        var point: Point
    }

    @IndexKeyRecord(keyPrefix: 6_100_008, "id")
    struct InnerWithoutDefault: Hashable {
        let id: Int
        var name: String
        var point: Point3
    }
}
