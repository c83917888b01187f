// The default of a field, for records without the field.

/// The value of a field in records that lack it, created again for each record.
package final class DefaultValue: Sendable {
    /// Appends the bytes of a new value.
    let append: @Sendable (inout [UInt8]) throws(CodingError) -> Void
    /// Returns the layout of the type on its own. A type that contains itself can only be described later.
    private let layout: @Sendable () -> String

    /// Creates a default from bytes.
    ///
    /// - Parameters:
    ///   - layout: Returns the canonical layout of the type on its own.
    ///   - bytes: The bytes of the value.
    package init(layout: @escaping @Sendable () -> String, bytes: [UInt8]) {
        self.layout = layout
        append = { $0 += bytes }
    }

    package init<Coding: FieldCoding>(_ coding: Coding.Type, _ makeValue: @escaping @Sendable () -> Coding.Value) {
        layout = {
            var builder = LayoutBuilder()
            coding.describe(in: &builder)
            return builder.text
        }
        append = { bytes throws(CodingError) in
            let value = makeValue()
            try ValueWriter.append(count: Coding.encodedSize(of: value), to: &bytes) { Coding.encode(value, into: &$0) }
        }
    }

    /// Returns the bytes of a new value.
    package func makeBytes() throws(CodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(&bytes)
        return bytes
    }

    /// Returns a closure that creates the value without its Swift type.
    func fieldValueMaker() throws(CodingError) -> @Sendable () throws(CodingError) -> FieldValue {
        var parser = LayoutParser(layout())
        let type = try parser.parseType()
        return { () throws(CodingError) in
            let bytes = try self.makeBytes()
            return try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                try FieldValue(type, from: &reader)
            }
        }
    }
}
