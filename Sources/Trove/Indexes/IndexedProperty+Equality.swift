// Properties without an order, such as nested values and arrays: the bytes of a field say whether two values are equal.
//
//     component = escaped      the bytes of the field, escaped as in keys (EscapedBytes.swift)
//               | 0x00         nil
//
// A field has at least one byte, so that no other value's component begins with 0x00.

import TroveCoding

extension IndexedProperty {
    /// A property of a type without an order, which is found by its value.
    ///
    /// Two values are equal here where their stored bytes are: 0.0 and -0.0, for one, are two values.
    ///
    /// - Parameters:
    ///   - name: Its stored name.
    ///   - path: The property.
    ///   - coding: How it is stored.
    ///   - value: Its value: what stands at the path, and depends on nothing else.
    public init<Coding: CanonicalFieldCoding>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) {
        var layout = LayoutBuilder()
        coding.describe(in: &layout)
        let isOptional = layout.text.hasSuffix("?")
        // `equal<…>`: a type that becomes a key component makes other entries.
        self.init(
            name, name + ":equal<" + layout.text + ">", path, nilByte: isOptional ? EqualityComponent.nilByte : nil,
            encode: { record, writer in
                EqualityComponent.encode(value(record), as: coding, isOptional: isOptional, into: &writer)
            }, skip: { reader throws(CodingError) in try reader.skipEscaped() },
            column: {
                PropertyColumns.read(path()) {
                    EqualityComponent.encode($0, as: coding, isOptional: isOptional, into: &$1)
                }
            })
    }

    /// Whether a part of the property is stored as JSON, so that a value may be spelled in several ways.
    var isPartlyJSON: Bool { layout.contains("json<") }

    /// A property that is stored as JSON cannot be indexed: a value may be spelled in several ways.
    @available(*, unavailable, message: "cannot be indexed: declare its type a @RecordValue, or a KeyComponent")
    public init<Value: Codable & Sendable>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ coding: JSONField<Value>.Type, _ value: @escaping @Sendable (Record) -> Value
    ) {
        self.init(name, name, path, nilByte: nil, encode: { _, _ in }, skip: { _ in })
    }
}

/// How a value without an order stands in an entry.
enum EqualityComponent {
    static let nilByte: UInt8 = 0

    /// Writes a value.
    static func encode<Coding: FieldCoding>(
        _ value: Coding.Value, as coding: Coding.Type, isOptional: Bool, into writer: inout KeyWriter
    ) {
        do throws(CodingError) {
            let field = try ValueWriter.bytes(count: coding.encodedSize(of: value)) { coding.encode(value, into: &$0) }
            encode(field, isOptional: isOptional, into: &writer)
        } catch {
            // Its record is refused for the same reason before anything is written.
            writer.writeByte(nilByte)
        }
    }

    /// Writes the bytes of a field. Those of an optional are a 0, or a 1 and the value.
    static func encode(_ field: [UInt8], isOptional: Bool, into writer: inout KeyWriter) {
        if isOptional, field.first == 0 { return writer.writeByte(nilByte) }
        writer.writeEscaped(unsafe field.span.bytes.extracting(droppingFirst: isOptional ? 1 : 0))
    }
}
