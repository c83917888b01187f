// Single values of stored bytes, for code that reads some fields of a record and leaves the others.

extension FieldValue {
    /// Reads a value by its layout from some offset on.
    package static func read(
        _ type: LayoutType, from start: Int, in bytes: RawSpan
    ) throws(CodingError) -> FieldValue {
        try unsafe bytes.withUnsafeBytes { (buffer) throws(CodingError) in
            var reader = unsafe ValueReader(buffer, at: start)
            return try FieldValue(type, from: &reader)
        }
    }

    /// Reads a component of a key by its layout from some offset on, and returns the offset after it.
    package static func readKey(
        _ type: LayoutType, from start: Int, in bytes: RawSpan
    ) throws(CodingError) -> (value: FieldValue, end: Int) {
        try unsafe bytes.withUnsafeBytes { (buffer) throws(CodingError) in
            var reader = unsafe KeyReader(buffer, at: start)
            return (try FieldValue(type, key: &reader), reader.offset)
        }
    }

    /// Returns the value as JSON, in the form of a layout.
    package func json(as type: LayoutType) -> String { StoredFields.Field("", self, type).json }
}
