// Types as users declare them: raw values, Codable ones, and conformances written by hand.

import Foundation
import TroveCoding

package enum Level: String, KeyComponent, CaseIterable {
    case low, middle, high
    case empty = ""
}

package enum Sign: Int8, Codable, KeyComponent, CaseIterable {
    case minusOne = -1
    case zero, one
}

/// A raw-value type without a conformance.
package enum Plain: String, CaseIterable {
    case first, second
}

/// A Codable raw-value type without another conformance.
package enum CodablePlain: Int, Codable, CaseIterable {
    case first, second
}

package struct Legacy: Codable, Hashable {
    package var b: Int

    package init(b: Int) { self.b = b }
}

package struct Reading: Codable, Hashable {
    package var at: Date
    package var value: Double
    package var notes: [String: String?]

    package init(at: Date, value: Double, notes: [String: String?]) {
        self.at = at
        self.value = value
        self.notes = notes
    }
}

/// A field written by hand.
package struct Place: RecordValue, Hashable {
    package var name: String
    package var latitude: Double
    package var tags: [String]?

    package static func describe(in layout: inout LayoutBuilder) {
        layout.record(Self.self) { layout in
            layout.field("name", fieldCoding(of: String.self))
            layout.field("latitude", fieldCoding(of: Double.self))
            layout.field("tags", fieldCoding(of: [String]?.self))
        }
    }

    package var encodedSize: Int {
        get throws(CodingError) { try name.encodedSize + latitude.encodedSize + tags.encodedSize }
    }

    package func encode(into writer: inout ValueWriter) {
        name.encode(into: &writer)
        latitude.encode(into: &writer)
        tags.encode(into: &writer)
    }

    package init(name: String, latitude: Double, tags: [String]?) {
        self.name = name
        self.latitude = latitude
        self.tags = tags
    }

    package init(decoding reader: inout ValueReader) throws(CodingError) {
        name = try String(decoding: &reader)
        latitude = try Double(decoding: &reader)
        tags = try [String]?(decoding: &reader)
    }
}

/// A key component written by hand. It sorts by its number first.
package struct Version: KeyComponent, Comparable {
    package var major: UInt16
    package var label: String

    package static func < (left: Self, right: Self) -> Bool {
        left.major != right.major
            ? left.major < right.major : left.label.utf8.lexicographicallyPrecedes(right.label.utf8)
    }

    package static func describe(in layout: inout LayoutBuilder) {
        layout.record(Self.self) { layout in
            layout.field("major", fieldCoding(of: UInt16.self))
            layout.field("label", fieldCoding(of: String.self))
        }
    }

    package init(major: UInt16, label: String) {
        self.major = major
        self.label = label
    }

    package var encodedSize: Int { major.encodedSize + label.encodedSize }

    package func encode(into writer: inout ValueWriter) {
        major.encode(into: &writer)
        label.encode(into: &writer)
    }

    package init(decoding reader: inout ValueReader) throws(CodingError) {
        major = try UInt16(decoding: &reader)
        label = try String(decoding: &reader)
    }

    package func encodeKey(into writer: inout KeyWriter) {
        major.encodeKey(into: &writer)
        label.encodeKey(into: &writer)
    }

    package init(decodingKey reader: inout KeyReader) throws(CodingError) {
        major = try UInt16(decodingKey: &reader)
        label = try String(decodingKey: &reader)
    }
}

/// A type that contains itself.
package indirect enum Tree: RecordValue, Hashable {
    case leaf(Int8)
    case node([Tree])

    package static func describe(in layout: inout LayoutBuilder) {
        layout.enumeration(Self.self) { layout in
            layout.case("leaf") { $0.value(fieldCoding(of: Int8.self)) }
            layout.case("node") { $0.field("children", fieldCoding(of: [Tree].self)) }
        }
    }

    package var encodedSize: Int {
        get throws(CodingError) {
            switch self {
            case .leaf: 2
            case .node(let children): try 1 + children.encodedSize
            }
        }
    }

    package func encode(into writer: inout ValueWriter) {
        guard writer.enter() else { return }
        defer { writer.leave() }
        switch self {
        case .leaf(let number):
            writer.writeByte(0)
            number.encode(into: &writer)
        case .node(let children):
            writer.writeByte(1)
            children.encode(into: &writer)
        }
    }

    package init(decoding reader: inout ValueReader) throws(CodingError) {
        try reader.enter()
        defer { reader.leave() }
        self = try reader.readTag() ? .node([Tree](decoding: &reader)) : .leaf(Int8(decoding: &reader))
    }
}

extension FieldCoding {
    package static func bytes(of value: Value) throws(CodingError) -> [UInt8] {
        try ValueWriter.bytes(count: encodedSize(of: value)) { encode(value, into: &$0) }
    }

    package static func value(from bytes: [UInt8]) throws(CodingError) -> Value {
        try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in try decode(from: &reader) }
    }
}
