// Arrays as fields.
//
//     value = count element*
//
// An array of UInt8 has the bytes of a Data. Where memory is little-endian, numbers move in one copy.

extension Array: RecordValue where Element: RecordValue {
    /// `[layout]`, or `Data` for bytes.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) {
        if Element.self == UInt8.self { return layout.append("Data") }
        layout.append("[")
        Element.describe(in: &layout)
        layout.append("]")
    }

    /// The sizes of the elements and of their count.
    ///
    /// - Throws: `unencodable` when elements have no bytes, so that nothing would say that they are there.
    @inlinable
    public var encodedSize: Int {
        get throws(CodingError) {
            var size = ValueWriter.size(ofLength: count)
            if let elementSize = Element.fixedSize {
                guard elementSize > 0 || isEmpty else { try CodingError.failEmptyElement() }
                return size + count * elementSize
            }
            for element in self {
                let elementSize = try element.encodedSize
                guard elementSize > 0 else { try CodingError.failEmptyElement() }
                size += elementSize
            }
            return size
        }
    }

    /// Writes the elements behind their count.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        writer.writeLength(count)
        if Self.isStoredAsInMemory {
            unsafe withUnsafeBytes { unsafe writer.writeBytes($0) }
        } else {
            for element in self { element.encode(into: &writer) }
        }
    }

    /// Reads the elements.
    ///
    /// Memory is reserved for no more of them than the bytes that are left can hold.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let count = try reader.readCount(minimumSize: Element.fixedSize ?? 1)
        if count == 0 {
            // Made by the initialiser below, it would write its count of 0 to the one empty array of all threads.
            self = []
        } else if Self.isStoredAsInMemory {
            self = try unsafe reader.withUnsafeBytes(count: count &* MemoryLayout<Element>.size) { bytes in
                unsafe Array(unsafeUninitializedCapacity: count) { elements, initializedCount in
                    unsafe UnsafeMutableRawBufferPointer(elements).copyMemory(from: bytes)
                    initializedCount = count
                }
            }
        } else {
            self.init()
            reserveCapacity(reader.capacity(for: count, of: Element.self))
            for _ in 0..<count { append(try Element(decoding: &reader)) }
        }
    }

    /// Moves past the elements: in one step when they all have the same size.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        let count = try reader.readCount(minimumSize: Element.fixedSize ?? 1)
        if let size = Element.fixedSize {
            try reader.skip(count * size)
        } else {
            for _ in 0..<count { try Element.skip(in: &reader) }
        }
    }
}

extension Array where Element: RecordValue {
    /// Whether the elements' bytes in memory are those of the fields: a constant for each element type.
    @inlinable
    @inline(__always)
    static var isStoredAsInMemory: Bool {
        if Element.self == UInt8.self || Element.self == Int8.self { return true }
        guard 1.littleEndian == 1 else { return false }
        return Element.self == Float.self || Element.self == Double.self
            || Element.self == Int16.self || Element.self == Int32.self || Element.self == Int64.self
            || Element.self == UInt16.self || Element.self == UInt32.self || Element.self == UInt64.self
            || Element.self == Int128.self || Element.self == UInt128.self
            || MemoryLayout<Int>.size == 8 && (Element.self == Int.self || Element.self == UInt.self)
    }
}

extension CodingError {
    @usableFromInline
    @inline(never)
    static func failEmptyElement() throws(CodingError) -> Never {
        throw CodingError(.unencodable("an element of a collection has no bytes"))
    }
}

extension ValueReader {
    /// For how many elements of `count` to reserve memory: so few that it stays in proportion to the bytes left.
    @inlinable
    func capacity<Element>(for count: Int, of type: Element.Type) -> Int {
        Swift.min(count, 16 &+ remaining / Swift.max(1, MemoryLayout<Element>.stride) &* 4)
    }
}
