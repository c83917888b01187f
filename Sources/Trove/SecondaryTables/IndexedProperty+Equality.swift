// Properties without an order, such as nested values and arrays: the bytes of a field say whether two values are equal.
//
//     component = escaped      the bytes of the field, escaped as in keys (EscapedBytes.swift)
//               | 0x00         nil
//
// A field has at least one byte, so that no other value's component begins with 0x00.

import TroveCoding

extension IndexedProperty {
    /// A property that is found by its value, and sorted by nothing that means something.
    ///
    /// Two values are equal here where their stored bytes are: 0.0 and -0.0, for one, are two values.
    ///
    /// - Parameters:
    ///   - name: Its stored name.
    ///   - path: The property.
    ///   - value: Its value.
    @_disfavoredOverload
    public init<Value: RecordValue>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ value: @escaping @Sendable (Record) -> Value
    ) {
        self.init(name, LayoutBuilder.text(of: Value.self), path, nilByte: nil) { record, writer in
            EqualityComponent.encode(value(record), into: &writer)
        }
    }

    /// An optional property that is found by its value.
    ///
    /// - Parameters:
    ///   - name: Its stored name.
    ///   - path: The property.
    ///   - value: Its value.
    @_disfavoredOverload
    public init<Value: RecordValue>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value?>,
        _ value: @escaping @Sendable (Record) -> Value?
    ) {
        let layout = LayoutBuilder.text(of: Value?.self)
        self.init(name, layout, path, nilByte: EqualityComponent.nilByte) { record, writer in
            if let value = value(record) {
                EqualityComponent.encode(value, into: &writer)
            } else {
                writer.writeByte(EqualityComponent.nilByte)
            }
        }
    }

    /// `equal<…>`: a type that becomes a key component makes other entries.
    private init(
        _ name: String, _ layout: String, _ path: @escaping @Sendable () -> PartialKeyPath<Record>, nilByte: UInt8?,
        _ encode: @escaping @Sendable (Record, inout KeyWriter) -> Void
    ) {
        self.init(
            name, name + ":equal<" + layout + ">", path, nilByte: nilByte, encode: encode,
            skip: { reader throws(CodingError) in try reader.skipEscaped() })
    }
}

/// How a value without an order stands in an entry.
enum EqualityComponent {
    static let nilByte: UInt8 = 0

    /// Writes a value that is there.
    static func encode(_ value: some RecordValue, into writer: inout KeyWriter) {
        do throws(CodingError) {
            let bytes = try ValueWriter.bytes(of: value)
            unsafe writer.writeEscaped(bytes.span.bytes)
        } catch {
            // Its record is refused for the same reason before anything is written.
            writer.writeByte(nilByte)
        }
    }
}
