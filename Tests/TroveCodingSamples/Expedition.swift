// A record with deeply nested fields, written by hand as in the Cookbook.

import Foundation
import TroveCoding

/// A record with a field of each kind.
package struct Expedition {
    package static let codings: [any FieldCoding.Type] = [
        fieldCoding(of: Place.self), fieldCoding(of: [Place].self), fieldCoding(of: Tree.self),
        fieldCoding(of: [String: [Tree?]].self), fieldCoding(of: Set<[String]>.self), fieldCoding(of: Plain.self),
        fieldCoding(of: CodablePlain?.self), fieldCoding(of: Legacy?.self), fieldCoding(of: Bool.self),
    ]

    package var number: UInt16
    package var name: String
    package var base: Place
    package var camps: [Place]
    package var routes: Tree
    package var sides: [String: [Tree?]]
    package var teams: Set<[String]>
    package var state: Plain
    package var result: CodablePlain?
    package var legacy: Legacy?
    package var isOver: Bool

    package init(decoding reader: inout RecordReader) throws(CodingError) {
        number = try UInt16(decodingKey: &reader.key)
        name = try String(decodingKey: &reader.key)
        base = try fieldCoding(of: Place.self).decode(from: &reader.fields)
        camps = try fieldCoding(of: [Place].self).decode(from: &reader.fields)
        routes = try fieldCoding(of: Tree.self).decode(from: &reader.fields)
        sides = try fieldCoding(of: [String: [Tree?]].self).decode(from: &reader.fields)
        teams = try fieldCoding(of: Set<[String]>.self).decode(from: &reader.fields)
        state = try fieldCoding(of: Plain.self).decode(from: &reader.fields)
        result = try fieldCoding(of: CodablePlain?.self).decode(from: &reader.fields)
        legacy = try fieldCoding(of: Legacy?.self).decode(from: &reader.fields)
        isOver = try fieldCoding(of: Bool.self).decode(from: &reader.fields)
    }

    package func encodeKey(into writer: inout KeyWriter) {
        number.encodeKey(into: &writer)
        name.encodeKey(into: &writer)
    }

    package func fieldsSize() throws(CodingError) -> Int {
        var size = try fieldCoding(of: Place.self).encodedSize(of: base)
        size += try fieldCoding(of: [Place].self).encodedSize(of: camps)
        size += try fieldCoding(of: Tree.self).encodedSize(of: routes)
        size += try fieldCoding(of: [String: [Tree?]].self).encodedSize(of: sides)
        size += try fieldCoding(of: Set<[String]>.self).encodedSize(of: teams)
        size += try fieldCoding(of: Plain.self).encodedSize(of: state)
        size += try fieldCoding(of: CodablePlain?.self).encodedSize(of: result)
        size += try fieldCoding(of: Legacy?.self).encodedSize(of: legacy)
        return try size + fieldCoding(of: Bool.self).encodedSize(of: isOver)
    }

    package func encodeFields(into writer: inout ValueWriter) {
        fieldCoding(of: Place.self).encode(base, into: &writer)
        fieldCoding(of: [Place].self).encode(camps, into: &writer)
        fieldCoding(of: Tree.self).encode(routes, into: &writer)
        fieldCoding(of: [String: [Tree?]].self).encode(sides, into: &writer)
        fieldCoding(of: Set<[String]>.self).encode(teams, into: &writer)
        fieldCoding(of: Plain.self).encode(state, into: &writer)
        fieldCoding(of: CodablePlain?.self).encode(result, into: &writer)
        fieldCoding(of: Legacy?.self).encode(legacy, into: &writer)
        fieldCoding(of: Bool.self).encode(isOver, into: &writer)
    }
}
