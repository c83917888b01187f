// The readers of keys and fields over views of stored bytes: the one place where Trove hands their addresses on.

import LMDB
import TroveCoding

extension KeyReader {
    /// Creates a reader of a key, or of a part of one.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the key, which outlive the reader.
    ///   - offset: Where to begin.
    @inlinable
    @inline(__always)
    init(_ bytes: ByteView, at offset: Int = 0) { unsafe self.init(bytes.pointer, at: offset) }
}

extension ValueReader {
    /// Creates a reader of fields.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the fields, which outlive the reader.
    ///   - offset: Where to begin.
    @inlinable
    @inline(__always)
    init(_ bytes: ByteView, at offset: Int = 0) { unsafe self.init(bytes.pointer, at: offset) }
}
