// A record with full-text indexes, written by hand: the fuzzer is compiled without macros.

import Trove
import TroveCoding

/// A record with words.
struct LetteredNote: IndexKeyRecord, Hashable {
    typealias IndexKey = UInt16

    let id: UInt16
    var title: String
    var lines: [String]

    static let schema = RecordSchema(
        of: LetteredNote.self, name: "LetteredNote", fileID: #fileID, key: [KeyProperty("id", \Self.id)],
        fields: [
            FieldProperty("title", \Self.title, fieldCoding(of: String.self)),
            FieldProperty("lines", \Self.lines, fieldCoding(of: [String].self)),
        ])

    static let indexes: [RecordIndex<LetteredNote>] = [
        .fullText([TextProperty("title", \.title) { $0.title }, TextProperty("lines", \.lines) { $0.lines }]),
        .fullText([TextProperty("title", \.title) { $0.title }], keepsOrder: false),
        .fullText(gathered) { keys, context in
            var texts: [UInt16: String] = [:]
            for note in try context.get(LetteredNote.self, keys: keys) where note.id % 4 > 0 {
                texts[note.id] = ([note.title] + note.lines).joined(separator: " ")
            }
            return texts
        },
    ]

    /// The name of the second index.
    static let titles = "fullText(title)"

    /// The name of the index of gathered text.
    static let gathered = "gathered"

    var indexKey: UInt16 { id }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int { try title.encodedSize + lines.encodedSize }

    func encodeFields(into writer: inout ValueWriter) {
        title.encode(into: &writer)
        lines.encode(into: &writer)
    }
}

extension LetteredNote {
    init(decoding reader: inout RecordReader) throws(CodingError) {
        id = try UInt16(decodingKey: &reader.key)
        title = try String(decoding: &reader.fields)
        lines = try [String](decoding: &reader.fields)
    }

    /// Returns the note with a number: of common and rare words.
    static func note(_ id: UInt16) -> LetteredNote {
        LetteredNote(
            id: id, title: "all \(id % 3 == 0 ? "third third" : "title \(id % 11)")",
            lines: id % 5 == 0 ? [] : ["all of n\(id) w\(id % 7)", "über 東京都 w\(id % 4)"])
    }
}
