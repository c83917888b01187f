// Strings from bytes that may be no UTF-8. `String(validating:as:)` costs 45 ns more than `String(decoding:as:)` (Swift
// 6.3), which repairs; so decode and see whether anything was repaired. All ASCII needs no repair.

extension String {
    /// The string of these bytes, nil when they are no UTF-8.
    @inlinable
    @inline(__always)
    @unsafe
    init?(validUTF8 bytes: UnsafeRawBufferPointer) {
        var string = unsafe String(decoding: bytes, as: UTF8.self)
        if unsafe !isASCII(bytes) {
            // A repaired string is well-formed and the bytes are not, so that they differ.
            let isWhole = string.withUTF8 { unsafe isEqual(UnsafeRawBufferPointer($0), bytes) }
            guard isWhole else { return nil }
        }
        self = string
    }
}

/// Whether no byte has its high bit set.
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

/// Whether the bytes are the same.
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
