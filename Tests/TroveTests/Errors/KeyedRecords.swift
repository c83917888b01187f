// A record type for each kind of key.

import Foundation
import Trove

enum Keyed {
    enum Status: String, KeyComponent { case open, closed }

    @IndexKeyRecord("id") struct ByNumber { let id: Int }
    @IndexKeyRecord("name") struct ByName { let name: String }
    @IndexKeyRecord("id") struct ByUUID { let id: UUID }
    @IndexKeyRecord("at") struct ByDate { let at: Date }
    @IndexKeyRecord("isOn") struct ByBool { let isOn: Bool }
    @IndexKeyRecord("size") struct BySize { let size: Double }
    @IndexKeyRecord("digest") struct ByData { let digest: Data }
    @IndexKeyRecord("status") struct ByEnum { let status: Status }
    @IndexKeyRecord("owner") struct ByOptional { let owner: String? }
    @IndexKeyRecord("place") struct ByTuple { let place: Tuple<Int, String> }
    @IndexKeyRecord("seat") struct ByStruct { let seat: Seat }
    @IndexKeyRecord("day") struct ByDescending { let day: Descending<Int> }

    @IndexKeyRecord("lastName", "firstName")
    struct Person {
        let lastName: String
        let firstName: String
    }

    @IndexKeyRecord("day", "status", "owner", "seat")
    struct ByMany {
        let day: Date
        let status: Status
        let owner: Int?
        let seat: Seat
    }

    /// A component written by hand, of two parts.
    struct Seat: KeyComponent {
        let row: UInt8
        let letter: String

        static func describe(in layout: inout LayoutBuilder) {
            layout.record(Self.self) { layout in
                layout.field("row", fieldCoding(of: UInt8.self))
                layout.field("letter", fieldCoding(of: String.self))
            }
        }

        init(row: UInt8, letter: String) {
            self.row = row
            self.letter = letter
        }

        var encodedSize: Int { row.encodedSize + letter.encodedSize }

        func encode(into writer: inout ValueWriter) {
            row.encode(into: &writer)
            letter.encode(into: &writer)
        }

        init(decoding reader: inout ValueReader) throws(CodingError) {
            row = try UInt8(decoding: &reader)
            letter = try String(decoding: &reader)
        }

        func encodeKey(into writer: inout KeyWriter) {
            row.encodeKey(into: &writer)
            letter.encodeKey(into: &writer)
        }

        init(decodingKey reader: inout KeyReader) throws(CodingError) {
            row = try UInt8(decodingKey: &reader)
            letter = try String(decodingKey: &reader)
        }
    }

    /// A component with a description of its own: only its type reads its bytes.
    struct Sealed: KeyComponent {
        let value: UInt8

        static func describe(in layout: inout LayoutBuilder) { layout.append("Sealed") }

        init(_ value: UInt8) { self.value = value }
        var encodedSize: Int { 1 }
        func encode(into writer: inout ValueWriter) { value.encode(into: &writer) }
        init(decoding reader: inout ValueReader) throws(CodingError) { value = try UInt8(decoding: &reader) }
        func encodeKey(into writer: inout KeyWriter) { value.encodeKey(into: &writer) }
        init(decodingKey reader: inout KeyReader) throws(CodingError) { value = try UInt8(decodingKey: &reader) }
    }

    @IndexKeyRecord("seal") struct BySealed { let seal: Sealed }
}
