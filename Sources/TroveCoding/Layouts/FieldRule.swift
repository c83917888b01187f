// What a migration must know of a field and its layout does not say. It stands beside the text of a layout, never in it:
// what is stored under a layout does not depend on it.

/// What is known of a field beyond its layout.
package struct FieldRule: Sendable {
    /// The name that the field had.
    package var oldName: String?
    /// What it takes where there was no value.
    package var defaultValue: DefaultValue?

    /// Makes a rule.
    package init(oldName: String? = nil, defaultValue: DefaultValue? = nil) {
        self.oldName = oldName
        self.defaultValue = defaultValue
    }
}

/// The value that a field takes where there was none, made for each record anew.
package final class DefaultValue: Sendable {
    /// Makes its bytes, and appends them.
    let append: @Sendable (inout [UInt8]) throws(CodingError) -> Void
    /// Describes its type where it stands alone. A type that contains itself can only be described later on.
    private let layout: @Sendable () -> String

    /// Makes a default of bytes.
    ///
    /// - Parameters:
    ///   - layout: The canonical layout of its type alone.
    ///   - bytes: Its bytes.
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

    /// Makes its bytes.
    package func makeBytes() throws(CodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(&bytes)
        return bytes
    }

    /// What makes it as a value without its Swift type.
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
