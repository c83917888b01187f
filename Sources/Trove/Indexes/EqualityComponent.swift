// The bytes of a value without an order in an index entry.
//
//     component = escaped      the bytes of the field, escaped as in keys (EscapedBytes.swift)
//               | 0x00         nil
//
// A field has at least one byte, so no other value's component begins with 0x00. The field of an optional is a 0, or a
// 1 and the value; the component has the value only.

import TroveCoding

/// Writes values without an order into index entries.
enum EqualityComponent {
    /// The component of nil.
    static let nilByte: UInt8 = 0

    /// Writes a value.
    static func encode<Coding: FieldCoding>(
        _ value: Coding.Value, as coding: Coding.Type, isOptional: Bool, into writer: inout KeyWriter
    ) {
        do throws(CodingError) {
            let field = try ValueWriter.bytes(count: coding.encodedSize(of: value)) { coding.encode(value, into: &$0) }
            encode(field, isOptional: isOptional, into: &writer)
        } catch {
            // Writing the record fails for the same reason, before anything is stored.
            writer.writeByte(nilByte)
        }
    }

    /// Writes the bytes of a field.
    static func encode(_ field: [UInt8], isOptional: Bool, into writer: inout KeyWriter) {
        if isOptional, field.first == 0 { return writer.writeByte(nilByte) }
        field.withRawSpan { writer.writeEscaped($0.extracting(droppingFirst: isOptional ? 1 : 0)) }
    }
}
