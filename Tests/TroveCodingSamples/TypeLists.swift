// The types of the tests and the fuzz targets.

import Foundation
import TroveCoding

/// A key type as an argument of a test: ``all`` of them.
package struct KeyType: Sendable, CustomStringConvertible {
    package let type: any SampledKey.Type
    package var description: String { String(describing: type) }

    package static let all: [KeyType] = [
        Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, Int.self,
        UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self, UInt.self,
        Float.self, Double.self, Bool.self, String.self, Data.self, [UInt8].self, UUID.self, Date.self,
        Int?.self, String?.self, Bool??.self, Double?.self, Data?.self, Level.self, Level?.self, Sign.self,
        Descending<Int>.self, Descending<String>.self, Descending<Double>.self, Descending<UUID?>.self,
        Descending<Descending<String>>.self, Descending<String>?.self,
        Tuple<String, Int>.self, Tuple<String, UUID>.self, Tuple<String, String>.self, Tuple<[UInt8], Data>.self,
        Tuple<String?, Descending<Date>, Bool>.self, Tuple<Tuple<String, Int8>, Tuple<Bool, String>>.self,
        Tuple<Descending<String>, String>.self, Descending<Tuple<String, Int8>>.self, Tuple<Level, Float, Sign?>.self,
        Tuple<Descending<Tuple<String, Descending<String>>>, UInt8>.self, Tuple<String>.self,
        Version.self, Tuple<Version, String>.self, Descending<Version>.self, Descending<Int?>.self, Int??.self,
        Descending<Int?>?.self, Descending<Descending<Int?>>.self, Decimal.self, Decimal?.self,
        Descending<Decimal>.self, Tuple<Decimal, String>.self, Tuple<Descending<Decimal?>, Decimal>.self,
    ].map(KeyType.init(type:))
}

/// A field type as an argument of a test.
package struct FieldType: Sendable, CustomStringConvertible {
    package let type: any Sampled.Type
    package var description: String { String(describing: type) }

    package static let all: [FieldType] =
        KeyType.all.map { FieldType(type: $0.type) }
        + [
            [String].self, [Int16].self, [[String]].self, [Int?].self, [UUID].self, [[UInt8]].self, [Bool]?.self,
            Set<String>.self, Set<Int>.self, Set<[String]>.self, Set<Double?>.self,
            [String: Int].self, [Int8: [String]].self, [String: [String: Set<UInt8>]].self, [[UInt8]: Double?].self,
            [Decimal].self, URL.self, [URL].self, URL?.self,
            Place.self, [Place].self, [String: Place].self, Set<Place>.self, Tree.self, [Tree?].self,
        ].map(FieldType.init(type:))
}
