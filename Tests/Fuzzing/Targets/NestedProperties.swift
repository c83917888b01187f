// The properties of the bytes of nested values, and of a record with nested values.
//
//     input = choice · bytes of one value               a coding of the list below
//           = choice · where to split · key · fields    of a record: any other choice

import TroveCoding
import TroveCodingSamples

enum NestedProperties {
    private static let codings: [any FieldCoding.Type] =
        Expedition.codings + [
            fieldCoding(of: [[[[Place?]]]].self), fieldCoding(of: Set<Set<Set<UInt8>>>.self),
            fieldCoding(of: [[String: Int8]: [Bool: Tree]].self), fieldCoding(of: Tree????.self),
            fieldCoding(of: [Legacy].self), fieldCoding(of: Reading.self), fieldCoding(of: [String: Reading?].self),
        ]

    static func check(_ input: [UInt8]) throws {
        guard input.count >= 2 else { return }
        if Int(input[0]) < codings.count {
            let coding = codings[Int(input[0])]
            try ValueProperties.check(coding, Array(input[1...]))
        } else {
            let (key, fields) = Array(input[2...]).split(at: input[1])
            try checkRecord(key, fields)
        }
    }

    private static func checkRecord(_ key: [UInt8], _ fields: [UInt8]) throws {
        let record: Expedition
        do throws(CodingError) {
            record = try decode(key, fields)
        } catch {
            try require(
                (0...max(key.count, fields.count)).contains(error.offset),
                "key [\(key.hex)], fields [\(fields.hex)]: \(error)")
            return
        }
        do {
            let keyAgain = KeyWriter.bytes { record.encodeKey(into: &$0) }
            try require(keyAgain == key, "key [\(key.hex)] comes back as [\(keyAgain.hex)]")
            let written = try fieldBytes(of: record)
            let again = try fieldBytes(of: decode(keyAgain, written))
            try require(again == written, "fields [\(written.hex)] come back as [\(again.hex)]")
            try checkSkipping(key, fields)
        } catch let error as CodingError {
            throw Violation("key [\(key.hex)], fields [\(fields.hex)] are \(record), but: \(error)")
        }
    }

    private static func decode(_ key: [UInt8], _ fields: [UInt8]) throws(CodingError) -> Expedition {
        try RecordReader.read(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes) {
            (reader) throws(CodingError) in try Expedition(decoding: &reader)
        }
    }

    private static func fieldBytes(of record: Expedition) throws(CodingError) -> [UInt8] {
        try ValueWriter.bytes(count: record.fieldsSize()) { record.encodeFields(into: &$0) }
    }

    /// Checks that skipping fields, as a projection does, ends at the same offset as reading.
    private static func checkSkipping(_ key: [UInt8], _ fields: [UInt8]) throws(CodingError) {
        try RecordReader.read(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes) {
            (reader) throws(CodingError) in
            try UInt16.skipKey(in: &reader.key)
            try String.skipKey(in: &reader.key)
            for coding in Expedition.codings { try coding.skip(in: &reader.fields) }
        }
    }
}
