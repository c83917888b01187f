// The properties of the bytes of values.
//
//     input = type · bytes of one value

import TroveCoding
import TroveCodingSamples

enum ValueProperties {
    private static let codings = FieldType.all.map { coding(of: $0.type) }

    private static func coding<Value: RecordValue>(of type: Value.Type) -> any FieldCoding.Type {
        DirectField<Value>.self
    }

    static func check(_ input: [UInt8]) throws {
        guard let first = input.first else { return }
        let coding = codings[Int(first) % codings.count]
        try check(coding, Array(input[1...]))
    }

    static func check<Coding: FieldCoding>(_ coding: Coding.Type, _ bytes: [UInt8]) throws {
        let value: Coding.Value
        do throws(CodingError) {
            value = try coding.value(from: bytes)
        } catch {
            try require((0...bytes.count).contains(error.offset), "\(coding): [\(bytes.hex)]: \(error)")
            return
        }
        do {
            try checkEncoding(of: value, coding, bytes)
        } catch let error as CodingError {
            throw Violation("\(coding): [\(bytes.hex)] is \(value), but: \(error)")
        }
    }

    /// Checks that a value is read back from exactly the same bytes: no value has two forms. Only JSON may come from
    /// another program, with blanks and in another order.
    private static func checkEncoding<Coding: FieldCoding>(
        of value: Coding.Value, _ coding: Coding.Type, _ bytes: [UInt8]
    ) throws {
        let written = try coding.bytes(of: value)
        try require(
            written == bytes || isJSON(coding), "\(coding): [\(bytes.hex)] is \(value), which is [\(written.hex)]")
        let again = try coding.bytes(of: coding.value(from: written))
        try require(again == written, "\(coding): [\(written.hex)] comes back as [\(again.hex)]")
        try require(!written.isEmpty, "\(coding): \(value) has no bytes")
        if let size = coding.fixedSize {
            try require(size == written.count, "\(coding): [\(written.hex)] should have \(size) bytes")
        }
        try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
            try coding.skip(in: &reader)
        }
    }

    private static func isJSON<Coding: FieldCoding>(_ coding: Coding.Type) -> Bool {
        var layout = LayoutBuilder()
        coding.describe(in: &layout)
        return layout.text.contains("json<")
    }
}
