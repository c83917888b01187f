// The migration rules of a field: its old name and its default. They are not part of the layout's text, since stored
// bytes do not depend on them.

/// The migration rules of a field.
package struct FieldRule: Sendable {
    /// The old name of the field.
    package var oldName: String?
    /// The value for records without the field.
    package var defaultValue: DefaultValue?

    /// Creates a rule.
    package init(oldName: String? = nil, defaultValue: DefaultValue? = nil) {
        self.oldName = oldName
        self.defaultValue = defaultValue
    }
}

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
