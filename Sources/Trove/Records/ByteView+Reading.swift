// Readers of keys and fields over views of stored bytes: the only use of these views' addresses in Trove.

import LMDB
import TroveCoding

extension KeyReader {
    /// Creates a reader of a key, or of a part of a key.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the key, which outlive the reader.
    ///   - offset: The offset of the first byte to read.
    @inlinable
    @inline(__always)
    init(_ bytes: ByteView, at offset: Int = 0) { unsafe self.init(bytes.pointer, at: offset) }
}

extension ValueReader {
    /// Creates a reader of fields.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the fields, which outlive the reader.
    ///   - offset: The offset of the first byte to read.
    @inlinable
    @inline(__always)
    init(_ bytes: ByteView, at offset: Int = 0) { unsafe self.init(bytes.pointer, at: offset) }
}

extension RecordReader {
    /// Creates a reader of a record, whose bytes outlive the reader.
    @inlinable
    @inline(__always)
    init(key: ByteView, fields: ByteView) { unsafe self.init(key: key.pointer, fields: fields.pointer) }

    /// Calls a closure with a reader of a whole record.
    static func read<R>(
        key: RawSpan, fields: [UInt8], _ body: (inout RecordReader) throws(CodingError) -> R
    ) throws(CodingError) -> R {
        try fields.withRawSpan { (fields) throws(CodingError) in try read(key: key, fields: fields, body) }
    }

    /// Calls a closure with a reader of a whole record.
    static func read<R>(
        key: [UInt8], fields: [UInt8], _ body: (inout RecordReader) throws(CodingError) -> R
    ) throws(CodingError) -> R {
        try key.withRawSpan { (key) throws(CodingError) in try read(key: key, fields: fields, body) }
    }
}

extension RecordConversion {
    /// Returns the name of the key component at an offset of a converted key.
    func componentName(at offset: Int, in key: [UInt8]) -> String {
        key.withRawSpan { componentName(at: offset, in: $0) }
    }

    /// Returns the name of the field at an offset of converted fields.
    func fieldName(at offset: Int, in fields: [UInt8]) -> String {
        fields.withRawSpan { fieldName(at: offset, in: $0) }
    }
}

extension KeyReader {
    /// Calls a closure with a reader of a whole key.
    static func read<R>(
        _ key: [UInt8], _ body: (inout KeyReader) throws(CodingError) -> R
    ) throws(CodingError) -> R {
        try key.withRawSpan { (key) throws(CodingError) in try read(key, body) }
    }
}
