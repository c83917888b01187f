// The sorted parts of sets and dictionaries. A writer writes them in any order, sorts them by their bytes in place, and
// checks that no two parts have the same bytes. A reader checks the order.

extension RecordValue {
    /// Writes the value into temporary memory. A value that cannot be written must fail before a page is changed.
    @inlinable
    func tryEncoding(size: Int) throws(CodingError) {
        _ = try ValueWriter.bytes(count: size) { encode(into: &$0) }
    }
}

extension ValueWriter {
    /// Sorts the parts written since `start` by their bytes. `ends` are the ends of the parts.
    ///
    /// Parts with the same bytes are a failure: they could not be read back.
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
    /// Checks that the bytes of a part are greater than those of the previous part. Then sets `previous` to the part.
    ///
    /// - Throws: `malformed` if they are not greater.
    @usableFromInline
    func checkOrder(_ previous: inout Range<Int>, _ part: Range<Int>) throws(CodingError) {
        let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count)
        guard unsafe previous.isEmpty || compare(bytes[previous], bytes[part]) < 0 else {
            try failMalformed("elements in ascending order", at: part.lowerBound)
        }
        previous = part
    }
}

/// Compares bytes as memcmp does, a prefix first. Returns a number below 0, 0, or a number above 0.
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
