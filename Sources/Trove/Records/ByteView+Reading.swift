// Readers of keys and fields over views of stored bytes: the only place where Trove passes on the addresses of these
// views.

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
