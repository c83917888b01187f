// Strings from bytes that may not be valid UTF-8. `String(validating:as:)` takes 45 ns longer than
// `String(decoding:as:)` (Swift 6.3), which repairs. So the bytes are decoded, and compared with the result. ASCII
// needs no comparison.

extension String {
    /// Creates the string of these bytes; nil if they are not valid UTF-8.
    @inlinable
    @inline(__always)
    @unsafe
    init?(validUTF8 bytes: UnsafeRawBufferPointer) {
        var string = unsafe String(decoding: bytes, as: UTF8.self)
        if unsafe !isASCII(bytes) {
            // A repaired string is well-formed and the bytes are not: so they differ.
            let isWhole = string.withUTF8 { unsafe isEqual(UnsafeRawBufferPointer($0), bytes) }
            guard isWhole else { return nil }
        }
        self = string
    }
}

/// Returns whether no byte has its high bit set.
@inlinable
@inline(__always)
@unsafe
func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    var highBits: UInt64 = 0
    var index = 0
    while count &- index >= 8 {
        unsafe highBits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index &+= 8
    }
    if index < count, count >= 8 {
        unsafe highBits |= bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        index = count
    }
    while index < count {
        unsafe highBits |= UInt64(bytes.load(fromByteOffset: index, as: UInt8.self))
        index &+= 1
    }
    return highBits & 0x8080_8080_8080_8080 == 0
}

/// Returns whether the bytes are the same.
@inlinable
@unsafe
func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let count = left.count
    guard count == right.count else { return false }
    var index = 0
    while count &- index >= 8 {
        let first = unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        guard unsafe first == right.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
        index &+= 8
    }
    while index < count {
        let first = unsafe left.load(fromByteOffset: index, as: UInt8.self)
        guard unsafe first == right.load(fromByteOffset: index, as: UInt8.self) else { return false }
        index &+= 1
    }
    return true
}
