// Arrays as fields.
//
//     value = count element*
//
// An array of UInt8 has the bytes of a Data, and moves in one copy.

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
                guard elementSize > 0 || isEmpty else { throw CodingError.emptyElements }
                return size + count * elementSize
            }
            for element in self {
                let elementSize = try element.encodedSize
                guard elementSize > 0 else { throw CodingError.emptyElements }
                size += elementSize
            }
            return size
        }
    }

    /// Writes the elements behind their count.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        writer.writeLength(count)
        if Element.self == UInt8.self {
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
        if Element.self == UInt8.self {
            self = try unsafe reader.withUnsafeBytes(count: count) { bytes in
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

extension CodingError {
    @usableFromInline
    static var emptyElements: CodingError { CodingError(.unencodable("an element of a collection takes no bytes")) }
}

extension ValueReader {
    /// For how many elements of `count` to reserve memory: so few that it stays in proportion to the bytes left.
    @inlinable
    func capacity<Element>(for count: Int, of type: Element.Type) -> Int {
        Swift.min(count, 16 &+ remaining / Swift.max(1, MemoryLayout<Element>.stride) &* 4)
    }
}
