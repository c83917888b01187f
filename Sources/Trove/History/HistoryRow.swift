// The rows of a history: records of a hidden type, so that copies, checks and `verify` treat them as any record.
//
//     key        = commit part
//     part       = 0 the commit itself, with its last changes · 1, 2, … earlier changes of a large transaction
//     fields     = identifier savedAt author changes
//     identifier = a random number; 0 in the parts 1, 2, …

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A row of a history: a commit, or earlier changes of its transaction.
struct HistoryRow: IndexKeyRecord {
    var commit: UInt64
    var part: UInt32
    var identifier: UInt64
    var savedAt: Date
    var author: String?
    /// The changes, as HistoryBlock.swift describes them.
    var changes: [UInt8]

    static let schema = RecordSchema(
        of: HistoryRow.self, name: "~history", fileID: #fileID,
        key: [
            KeyProperty("commit", \HistoryRow.commit), KeyProperty("part", \HistoryRow.part),
        ],
        fields: [
            FieldProperty("identifier", \HistoryRow.identifier, fieldCoding(of: UInt64.self)),
            FieldProperty("savedAt", \HistoryRow.savedAt, fieldCoding(of: Date.self)),
            FieldProperty("author", \HistoryRow.author, fieldCoding(of: String?.self)),
            FieldProperty("changes", \HistoryRow.changes, fieldCoding(of: [UInt8].self)),
        ])

    var indexKey: Tuple<UInt64, UInt32> { Tuple(commit, part) }

    func encodeKey(into writer: inout KeyWriter) {
        commit.encodeKey(into: &writer)
        part.encodeKey(into: &writer)
    }

    func fieldsSize() throws(CodingError) -> Int {
        try identifier.encodedSize + savedAt.encodedSize + author.encodedSize + changes.encodedSize
    }

    func encodeFields(into writer: inout ValueWriter) {
        identifier.encode(into: &writer)
        savedAt.encode(into: &writer)
        author.encode(into: &writer)
        changes.encode(into: &writer)
    }
}

extension HistoryRow {
    init(decoding reader: inout RecordReader) throws(CodingError) {
        commit = try UInt64(decodingKey: &reader.key)
        part = try UInt32(decodingKey: &reader.key)
        identifier = try UInt64(decoding: &reader.fields)
        savedAt = try Date(decoding: &reader.fields)
        author = try String?(decoding: &reader.fields)
        changes = try [UInt8](decoding: &reader.fields)
    }

    /// What a search needs of a row.
    struct Head {
        var commit: UInt64
        var part: UInt32
        var identifier: UInt64
        var savedAt: Date
    }

    /// Reads the key of a row.
    static func position(_ key: RawSpan, _ table: RecordTable) throws -> (commit: UInt64, part: UInt32) {
        do throws(CodingError) {
            return try KeyReader.read(key) { (reader) throws(CodingError) in
                (try UInt64(decodingKey: &reader), try UInt32(decodingKey: &reader))
            }
        } catch {
            throw table.corrupted(key, error)
        }
    }

    /// Reads the beginning of a row.
    static func head(_ key: RawSpan, _ value: RawSpan, _ table: RecordTable) throws -> Head {
        let (commit, part) = try position(key, table)
        do throws(CodingError) {
            guard value.byteCount >= StoredValue.headerSize + 16 else {
                throw StoredValue.missingHeader(value.byteCount)
            }
            let fields = value.extracting(droppingFirst: StoredValue.headerSize).extracting(first: 16)
            return try ValueReader.read(fields) { (reader) throws(CodingError) in
                Head(
                    commit: commit, part: part, identifier: try UInt64(decoding: &reader),
                    savedAt: try Date(decoding: &reader))
            }
        } catch {
            throw table.corrupted(key, error)
        }
    }

    /// Returns the key of a row.
    static func key(_ commit: UInt64, _ part: UInt32) -> [UInt8] {
        KeyWriter.bytes { writer in
            writer.writeInteger(commit)
            writer.writeInteger(part)
        }
    }
}
