// A record that `MATCH` has found, for the functions that show its words.

import LMDB
import Trove
import TroveCoding

/// A record that a search has found. Its table's column for `MATCH` hands it to functions.
final class FoundRow {
    private let table: SQLTable
    private let text: StoredTextScan
    private let key: [UInt8]
    private let value: [UInt8]
    private let isOld: Bool
    /// The texts for all functions of the row, split once.
    private lazy var texts = Result { try translatingEngineErrors { try text.texts(of: record()) } }

    init(_ row: Row, of table: SQLTable, _ text: StoredTextScan) {
        self.table = table
        self.text = text
        key = row.key.copy()
        value = row.value.copy()
        isOld = row.isOld
    }

    /// Returns whether the row is that of a search.
    func isOf(_ row: Row, _ text: StoredTextScan) -> Bool {
        self.text === text && isOld == row.isOld && row.key.isEqual(to: key) && row.value.isEqual(to: value)
    }

    /// Returns a property with marks around the words of the search; nil for nil.
    func marked(_ property: String, _ open: String, _ close: String) throws -> String? {
        try texts.get().marked(property, open, close)
    }

    /// Returns a part of a property, or of the best property, with marks around the words of the search; nil for nil.
    func snippet(
        of property: String?, _ open: String, _ close: String, ellipsis: String, words: Int
    ) throws -> String? {
        try texts.get().snippet(of: property, words: words)?.marked(
            open, close, ellipsis: ellipsis, escapesHTML: false)
    }

    /// Returns the stored name of the property that an argument of a function names: by the name or the number of its
    /// column. Nil for an unknown one.
    func property(_ argument: SQLValue) -> String? {
        switch argument {
        case .integer(let number):
            Int(exactly: number).flatMap { table.columns.indices.contains($0) ? table.columns[$0].property : nil }
        case .text(let name):
            table.columns.first { $0.name.asciiLowercased == name.asciiLowercased }?.property
        case .null, .real, .blob: nil
        }
    }

    private func record() throws -> StoredFields {
        do throws(CodingError) {
            return try isOld ? convertedRecord() : wholeRecord()
        } catch {
            throw ByteView.with(key) { table.stored.corrupted($0, error) }
        }
    }

    /// Returns the properties before the first one that only its type can read.
    private func wholeRecord() throws(CodingError) -> StoredFields {
        var record = try keyRecord()
        var offset = StoredValueHeader.size
        try value.withRawSpan { (value) throws(CodingError) in
            for (index, field) in table.layout.fields.enumerated() {
                guard isReadable(index) else { return }
                let end = try table.end(of: index, from: offset, in: value)
                let stored = try FieldValue.read(field.type, from: offset, in: value)
                record.fields.append(StoredFields.Field(field.name, stored))
                offset = end
            }
        }
        return record
    }

    private func convertedRecord() throws(CodingError) -> StoredFields {
        var record = try keyRecord()
        for (index, field) in table.layout.fields.enumerated() where isReadable(index) {
            let bytes = try key.withRawSpan { (key) throws(CodingError) in
                try value.withRawSpan { (value) throws(CodingError) in
                    try ByteView.with(key) { (key) throws(CodingError) in
                        try ByteView.with(value) { (value) throws(CodingError) in
                            try table.converted(index, Row(key: key, value: value, isOld: true))
                        }
                    }
                }
            }
            guard let bytes else { continue }
            let converted = try bytes.withRawSpan { (bytes) throws(CodingError) in
                try FieldValue.read(field.type, from: 0, in: bytes)
            }
            record.fields.append(StoredFields.Field(field.name, converted))
        }
        return record
    }

    private func keyRecord() throws(CodingError) -> StoredFields {
        try key.withRawSpan { (key) throws(CodingError) in try table.layout.readKey(key) }
    }

    private func isReadable(_ field: Int) -> Bool {
        table.columns[table.layout.key.count + field].step.kind != .unreadable
    }
}

extension ByteView {
    /// Returns whether the bytes are those of an array.
    fileprivate func isEqual(to other: [UInt8]) -> Bool {
        count == other.count && compare(other) == 0
    }
}
