// Bytes of any length in a key: strings, Data, [UInt8].
//
//     escaped = byte* 0x00      a byte 0x00 is written 0x01 0x01, a byte 0x01 is written 0x01 0x02
//
//     ""        00                     "a"       61 00
//     "\0"      01 01 00               "a\0"     61 01 01 00
//     "\u{1}"   01 02 00               "ab"      61 62 00
//
// Order: the end (0x00) sorts before every byte that can follow, so that "a" < "a\0" < "ab"; 0x01 0x01 < 0x01 0x02 <
// 0x02 keeps the order of the bytes themselves. Unique parsing: 0x00 occurs only at the end, so that no component is a
// prefix of another component, whatever comes next. (Writing 0x00 as 0x00 0xFF, closed by a lone 0x00, is ambiguous:
// ("a", Int.max) begins 61 00 FF.) Speed: the end is found by a search for a single byte.

/// The bytes with a meaning in escaped bytes.
@usableFromInline
enum Escape {
    /// The byte that closes the bytes.
    @usableFromInline static var end: UInt8 { 0 }

    /// The byte that precedes an escaped byte, written as the byte plus 1. Bytes up to the mark are escaped.
    @usableFromInline static var mark: UInt8 { 1 }

    /// Returns the index of the first byte 0x00 or 0x01 at or after `start`; `count` if there is none.
    ///
    /// Tests eight bytes at a time: a byte `b` is below 2 exactly if the high bit of `(b - 2) & ~b` is set. The lowest
    /// such bit is right even with borrows, since they only propagate upwards.
    @inlinable
    @unsafe
    static func firstSpecial(in base: UnsafeRawPointer, from start: Int, count: Int) -> Int {
        var index = start
        while count &- index >= 8 {
            let word = UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = (word &- 0x0202_0202_0202_0202) & ~word & 0x8080_8080_8080_8080
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < count, unsafe base.load(fromByteOffset: index, as: UInt8.self) > mark { index &+= 1 }
        return index
    }
}

extension KeyWriter {
    /// Writes bytes of any length, escaped and closed: they sort as the plain bytes.
    @inlinable
    public mutating func writeEscaped(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe writeEscaped($0, isPrefix: false) }
    }

    /// Writes the prefix of all escaped bytes with the prefix `bytes`: escaped, without the end.
    @inlinable
    public mutating func writeEscapedPrefix(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe writeEscaped($0, isPrefix: true) }
    }

    @inlinable
    @unsafe
    mutating func writeEscaped(_ bytes: UnsafeRawBufferPointer, isPrefix: Bool) {
        if let source = bytes.baseAddress {
            let count = bytes.count
            var start = 0
            while true {
                let special = unsafe Escape.firstSpecial(in: source, from: start, count: count)
                unsafe writeBytes(UnsafeRawBufferPointer(start: source + start, count: special &- start))
                if special == count { break }
                writeByte(Escape.mark)
                writeByte(unsafe source.load(fromByteOffset: special, as: UInt8.self) &+ 1)
                start = special &+ 1
            }
        }
        if !isPrefix { writeByte(Escape.end) }
    }
}

extension KeyReader {
    /// Reads escaped bytes, and returns them unescaped.
    @inlinable
    public mutating func readEscaped() throws(CodingError) -> [UInt8] {
        try unsafe withEscaped { (bytes) throws(CodingError) in unsafe [UInt8](bytes) }
    }

    /// Calls `body` with the unescaped bytes: in place if no byte was escaped.
    @inlinable
    @unsafe
    mutating func withEscaped<Result>(
        _ body: (UnsafeRawBufferPointer) throws(CodingError) -> Result
    ) throws(CodingError) -> Result {
        let start = position
        if mask == 0 {
            let end = unsafe Escape.firstSpecial(in: base, from: start, count: count)
            if end < count, unsafe base.load(fromByteOffset: end, as: UInt8.self) == Escape.end {
                position = end &+ 1
                return try unsafe body(UnsafeRawBufferPointer(start: base + start, count: end &- start))
            }
        }
        let bytes = try unescaped()
        return try unsafe bytes.span.bytes.withUnsafeBytes { (buffer) throws(CodingError) in try unsafe body(buffer) }
    }

    /// Reads escaped bytes, complemented or with a byte 0x00 or 0x01, and returns them unescaped.
    @usableFromInline
    mutating func unescaped() throws(CodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let byte = try readByte()
            if byte == Escape.end { return bytes }
            if byte == Escape.mark {
                let escaped = try readByte()
                guard escaped == 1 || escaped == 2 else { try failMalformed("01 or 02 after 01", at: position &- 1) }
                bytes.append(escaped &- 1)
            } else {
                bytes.append(byte)
            }
        }
    }

    /// Moves past escaped bytes: to the byte after the first end.
    @inlinable
    public mutating func skipEscaped() throws(CodingError) {
        if mask != 0 {
            while try readByte() != Escape.end {}
            return
        }
        while true {
            position = unsafe Escape.firstSpecial(in: base, from: position, count: count)
            if try readByte() == Escape.end { return }
        }
    }
}
