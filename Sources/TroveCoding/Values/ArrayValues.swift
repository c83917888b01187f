// Arrays as fields.
//
//     value = count element*
//
// An array of UInt8 has the bytes of a Data. If memory is little-endian, all numbers are copied at once.

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
    /// - Throws: `unencodable` if an element has no bytes: nothing would show that it exists.
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

    /// Writes the count, then the elements.
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
    /// Memory is reserved only for as many elements as the bytes left can hold.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let count = try reader.readCount(minimumSize: Element.fixedSize ?? 1)
        if count == 0 {
            // The initializer below would write the count 0 into the empty array that all threads share.
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

    /// Moves past the elements: in a single step if all have the same size.
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
    /// Whether the elements have the same bytes in memory and as fields: a constant for each element type.
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
    /// Returns the number of elements to reserve memory for: at most `count`, and in proportion to the bytes left.
    @inlinable
    func capacity<Element>(for count: Int, of type: Element.Type) -> Int {
        Swift.min(count, 16 &+ remaining / Swift.max(1, MemoryLayout<Element>.stride) &* 4)
    }
}
