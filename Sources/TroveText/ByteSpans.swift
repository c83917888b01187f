// Texts as spans of UTF-8, and spans as bytes and texts. The only file of the module with `unsafe`: the compiler counts
// the raw bytes of a span as unsafe, although these functions check every bound.

extension RawSpan {
    /// Returns a byte. The offset must be in the span.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Returns whether the bytes are those of an array.
    func equals(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard byteCount == bytes.count else { return false }
        return unsafe withUnsafeBytes { unsafe $0.elementsEqual(bytes) }
    }
}

extension Array where Element == UInt8 {
    /// Calls a closure with some of the bytes, which hold until the closure returns.
    @inline(__always)
    @discardableResult
    func withRawSpan<Result>(of range: Range<Int>, _ body: (RawSpan) throws -> Result) rethrows -> Result {
        try body(unsafe span.bytes.extracting(range))
    }

    /// Appends the bytes of a span.
    mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}

extension String {
    /// Creates a text from UTF-8.
    init(utf8 bytes: RawSpan) {
        self = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Calls a closure with the text's UTF-8, which holds until the closure returns.
    mutating func withRawSpan<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        try withUTF8 { try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0))) }
    }
}
