// The types of `RandomMigrationTests.swift`: one type in four versions, and the conversion of a record to each later
// version.

import Foundation
import Trove

enum Parcel {
    @IndexKeyRecord(keyPrefix: 6_600_001, "id")
    struct First: Hashable {
        let id: Int
        var name: String
        var size: Int8
        var isGone: Bool
        var body: Data
    }

    @IndexKeyRecord(keyPrefix: 6_600_001, "id")
    struct Second: Hashable {
        let id: Int
        var body: Data
        var size: Int16?
        var weight: Double = 0.5
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_600_001, "id")
    struct Third: Hashable {
        let id: Int
        @Renamed("name") var label: String
        var size: String?
        var body: Data
        var weight: Double = 0.5
        var note: Int?
    }

    /// A version with another key order.
    @IndexKeyRecord(keyPrefix: 6_600_001, "label", "id")
    struct Fourth: Hashable {
        @Renamed("name") let label: String
        let id: Int
        var weight: Double = 0.5
        var size: String?
        var body: Data
    }
}

extension Parcel.First {
    init(id: Int, body size: Int, using generator: inout some RandomNumberGenerator) {
        self.init(
            id: id, name: "n\(Int.random(in: 0..<50, using: &generator))",
            size: .random(in: .min ... .max, using: &generator), isGone: .random(using: &generator),
            body: Data(repeating: UInt8(truncatingIfNeeded: id), count: size))
    }
}

extension Parcel.Second {
    init(_ first: Parcel.First) {
        self.init(id: first.id, body: first.body, size: Int16(first.size), weight: 0.5, name: first.name)
    }
}

extension Parcel.Third {
    init(_ second: Parcel.Second) {
        self.init(
            id: second.id, label: second.name, size: second.size.map { "\($0)" }, body: second.body,
            weight: second.weight, note: nil)
    }
}

extension Parcel.Fourth {
    init(_ third: Parcel.Third) {
        self.init(label: third.label, id: third.id, weight: third.weight, size: third.size, body: third.body)
    }
}
