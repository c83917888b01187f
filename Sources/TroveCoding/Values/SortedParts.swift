// What sets and dictionaries share: parts that are written in any order and then sorted by their bytes in place, the
// check that no two have the same bytes, and the check that parts which are read are in that order.

/// A type of which no two values have the same bytes. Two NaNs have; so may values of a type written by hand.
@usableFromInline
protocol DistinctBytes: RecordValue {}

extension RecordValue {
    /// Writes the value into memory that is dropped: what cannot be written must be known before a page is touched.
    @inlinable
    func tryEncoding(size: Int) throws(CodingError) {
        _ = try ValueWriter.bytes(count: size) { encode(into: &$0) }
    }
}

extension ValueWriter {
    /// Sorts the parts that have been written from `start` on, each up to its end, by their bytes.
    ///
    /// Parts of the same bytes are a failure: they could not be read back.
    @usableFromInline
    mutating func sortParts(from start: Int, ends: [Int]) {
        guard ends.count > 1, position <= capacity else { return }
        var parts: [Range<Int>] = []
        parts.reserveCapacity(ends.count)
        var partStart = start
        for end in ends {
            parts.append(partStart..<end)
            partStart = end
        }
        let written = unsafe UnsafeRawBufferPointer(start: base, count: capacity)
        parts.sort { unsafe compare(written[$0], written[$1]) < 0 }
        for index in parts.indices.dropFirst()
        where unsafe compare(written[parts[index - 1]], written[parts[index]]) == 0 {
            return fail(CodingError(.unencodable("two elements of a collection have the same bytes"), at: start))
        }
        let unsorted = unsafe [UInt8](written[start..<position])
        position = start
        unsafe unsorted.withUnsafeBytes { bytes in
            for part in parts {
                unsafe writeBytes(
                    UnsafeRawBufferPointer(rebasing: bytes[part.lowerBound - start..<part.upperBound - start]))
            }
        }
    }
}

extension ValueReader {
    /// Checks that the bytes of a part are above those of the part before it, which it then becomes.
    ///
    /// - Throws: `malformed` when they are not.
    @usableFromInline
    func checkOrder(_ previous: inout Range<Int>, _ part: Range<Int>) throws(CodingError) {
        let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count)
        guard unsafe previous.isEmpty || compare(bytes[previous], bytes[part]) < 0 else {
            try failMalformed("elements in ascending order", at: part.lowerBound)
        }
        previous = part
    }
}

/// Compares bytes as memcmp does, a beginning before what it begins; below 0, 0, or above 0.
@unsafe
private func compare(_ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>) -> Int {
    let count = unsafe Swift.min(left.count, right.count)
    if count > 0, let first = unsafe left.base.baseAddress, let second = unsafe right.base.baseAddress {
        let first = unsafe first + left.startIndex
        let second = unsafe second + right.startIndex
        var index = 0
        while count &- index >= 8 {
            let one = UInt64(bigEndian: unsafe first.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let other = UInt64(bigEndian: unsafe second.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            if one != other { return one < other ? -1 : 1 }
            index &+= 8
        }
        while index < count {
            let one = unsafe first.load(fromByteOffset: index, as: UInt8.self)
            let other = unsafe second.load(fromByteOffset: index, as: UInt8.self)
            if one != other { return one < other ? -1 : 1 }
            index &+= 1
        }
    }
    return unsafe left.count - right.count
}
