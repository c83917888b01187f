// A record as two readers: properties in the key are not repeated in the fields.

/// A reader of a record: its key components from `key`, its other properties from `fields`.
public struct RecordReader: ~Copyable {
    /// The key, at its first component.
    public var key: KeyReader

    /// The fields, at the first field.
    public var fields: ValueReader

    @inlinable
    @inline(__always)
    init(key: consuming KeyReader, fields: consuming ValueReader) {
        self.key = key
        self.fields = fields
    }

    /// Creates a reader of a record. The bytes must stay in place as long as the reader is in use.
    @inlinable
    @inline(__always)
    @unsafe
    package init(key: UnsafeRawBufferPointer, fields: UnsafeRawBufferPointer) {
        self.key = unsafe KeyReader(key)
        self.fields = unsafe ValueReader(fields)
    }

    /// Reads a key component that a type computes instead of storing it.
    ///
    /// - Parameter component: The computed component.
    /// - Throws: `malformed` if the record has another key.
    @inlinable
    public mutating func checkKey<Component: KeyComponent>(_ component: Component) throws(CodingError) {
        let start = key.offset
        guard try Component(decodingKey: &key) == component else {
            throw CodingError(.malformed(expected: "the key that the type computes"), at: start)
        }
    }

    /// Ends the reading.
    ///
    /// - Throws: `trailingBytes` if bytes of the key or the fields are left.
    @inlinable
    @inline(__always)
    package func finish() throws(CodingError) {
        try key.finish()
        try fields.finish()
    }

    /// Reads a whole record.
    ///
    /// - Throws: Any error of `body`, and `trailingBytes` if bytes of the key or the fields are left.
    @inlinable
    public static func read<Result>(
        key: RawSpan, fields: RawSpan, _ body: (inout RecordReader) throws(CodingError) -> Result
    ) throws(CodingError) -> Result {
        try readPart(key: key, fields: fields) { (reader) throws(CodingError) in
            let result = try body(&reader)
            try reader.key.finish()
            try reader.fields.finish()
            return result
        }
    }

    /// Reads a part of a record, for projections and migrations.
    ///
    /// - Throws: Any error of `body`.
    @inlinable
    public static func readPart<Result, Failure: Error>(
        key: RawSpan, fields: RawSpan, _ body: (inout RecordReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe key.withUnsafeBytes { (keyBytes) throws(Failure) in
            try unsafe fields.withUnsafeBytes { (fieldBytes) throws(Failure) in
                var reader = unsafe RecordReader(key: KeyReader(keyBytes), fields: ValueReader(fieldBytes))
                return try body(&reader)
            }
        }
    }
}
