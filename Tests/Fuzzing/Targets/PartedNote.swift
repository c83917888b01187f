// A record with indexes of replaced words and of trigrams, written by hand: the fuzzer is compiled without macros. It
// is not part of `LetteredNote`, so that the inputs for the tables of that record keep their meaning.

import Trove
import TroveCoding

/// A record with words and their parts.
struct PartedNote: IndexKeyRecord, Hashable {
    typealias IndexKey = UInt16

    let id: UInt16
    var title: String
    var text: String

    static let schema = RecordSchema(
        of: PartedNote.self, name: "PartedNote", fileID: #fileID, key: [KeyProperty("id", \Self.id)],
        fields: [
            FieldProperty("title", \Self.title, fieldCoding(of: String.self)),
            FieldProperty("text", \Self.text, fieldCoding(of: String.self)),
        ])

    /// A word with itself and another, a phrase, a chain, and a phrase with a replaced word.
    private static let analyzer = TextAnalyzer.standard.replacing([
        "all": ["all", "whole"], "title": ["heading line"], "third": ["title"], "w3": ["w1 all"],
    ])

    static let indexes: [RecordIndex<PartedNote>] = [
        .fullText(
            [TextProperty("title", \.title) { $0.title }, TextProperty("text", \.text) { $0.text }],
            analyzer: analyzer),
        .fullText(
            [TextProperty("title", \.title) { $0.title }, TextProperty("text", \.text) { $0.text }],
            analyzer: .trigrams),
    ]

    var indexKey: UInt16 { id }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int { title.encodedSize + text.encodedSize }

    func encodeFields(into writer: inout ValueWriter) {
        title.encode(into: &writer)
        text.encode(into: &writer)
    }
}

extension PartedNote {
    init(decoding reader: inout RecordReader) throws(CodingError) {
        id = try UInt16(decodingKey: &reader.key)
        title = try String(decoding: &reader.fields)
        text = try String(decoding: &reader.fields)
    }

    /// Returns the note with a number, with the texts of the other record.
    static func note(_ id: UInt16) -> PartedNote {
        let note = LetteredNote.note(id)
        return PartedNote(id: id, title: note.title, text: note.lines.joined(separator: " "))
    }
}
