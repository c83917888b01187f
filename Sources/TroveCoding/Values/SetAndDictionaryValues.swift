// Sets and dictionaries as fields: sorted by their bytes, so that equal values have equal bytes.
//
//     set        = count element*        the elements' bytes strictly ascending
//     dictionary = count entry*          the entries' bytes strictly ascending, no key twice
//     entry      = key value

extension Set: RecordValue where Element: RecordValue {
    /// `Set<layout>`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) {
        layout.append("Set<")
        Element.describe(in: &layout)
        layout.append(">")
    }

    /// The sizes of the elements and of their count.
    ///
    /// - Throws: `unencodable` if an element has no bytes, or two elements have the same bytes (two NaNs).
    @inlinable
    public var encodedSize: Int {
        get throws(CodingError) {
            var size = ValueWriter.size(ofLength: count)
            for element in self {
                let elementSize = try element.encodedSize
                guard elementSize > 0 else { try CodingError.failEmptyElement() }
                size += elementSize
            }
            if count > 1, !(Element.self is any DistinctBytes.Type) { try tryEncoding(size: size) }
            return size
        }
    }

    /// Writes the count, then the sorted elements. Two elements with the same bytes are a failure.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        writer.writeLength(count)
        let start = writer.offset
        var ends: [Int] = []
        ends.reserveCapacity(count)
        for element in self {
            element.encode(into: &writer)
            ends.append(writer.offset)
        }
        writer.sortParts(from: start, ends: ends)
    }

    /// Reads the elements.
    ///
    /// - Throws: `malformed` if the elements are not in order, or two elements are equal.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let count = try reader.readCount(minimumSize: Element.fixedSize ?? 1)
        self.init(minimumCapacity: reader.capacity(for: count, of: Element.self))
        var previous = reader.offset..<reader.offset
        for _ in 0..<count {
            let start = reader.offset
            guard insert(try Element(decoding: &reader)).inserted else {
                throw reader.malformed("distinct elements", at: start)
            }
            try reader.checkOrder(&previous, start..<reader.offset)
        }
    }

    /// Moves past the elements.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        for _ in 0..<(try reader.readCount(minimumSize: Element.fixedSize ?? 1)) { try Element.skip(in: &reader) }
    }
}

extension Dictionary: RecordValue where Key: RecordValue, Value: RecordValue {
    /// `[layout:layout]`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) {
        layout.append("[")
        Key.describe(in: &layout)
        layout.append(":")
        Value.describe(in: &layout)
        layout.append("]")
    }

    /// The sizes of the entries and of their count.
    ///
    /// - Throws: `unencodable` if an entry has no bytes, or two entries have the same bytes (keys of NaN).
    @inlinable
    public var encodedSize: Int {
        get throws(CodingError) {
            var size = ValueWriter.size(ofLength: count)
            for (key, value) in self {
                let entrySize = try key.encodedSize + value.encodedSize
                guard entrySize > 1 else { try CodingError.failEmptyElement() }
                size += entrySize
            }
            if count > 1, !(Key.self is any DistinctBytes.Type) { try tryEncoding(size: size) }
            return size
        }
    }

    /// Writes the count, then the sorted entries. Two entries with the same bytes are a failure.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        writer.writeLength(count)
        let start = writer.offset
        var ends: [Int] = []
        ends.reserveCapacity(count)
        for (key, value) in self {
            key.encode(into: &writer)
            value.encode(into: &writer)
            ends.append(writer.offset)
        }
        writer.sortParts(from: start, ends: ends)
    }

    /// Reads the entries.
    ///
    /// - Throws: `malformed` if the entries are not in order, or two keys are equal.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let count = try reader.readCount(minimumSize: Self.minimumEntrySize)
        self.init(minimumCapacity: reader.capacity(for: count, of: Element.self))
        var previous = reader.offset..<reader.offset
        for _ in 0..<count {
            let start = reader.offset
            let key = try Key(decoding: &reader)
            guard updateValue(try Value(decoding: &reader), forKey: key) == nil else {
                throw reader.malformed("distinct keys", at: start)
            }
            try reader.checkOrder(&previous, start..<reader.offset)
        }
    }

    /// Moves past the entries.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        for _ in 0..<(try reader.readCount(minimumSize: minimumEntrySize)) {
            try Key.skip(in: &reader)
            try Value.skip(in: &reader)
        }
    }

    @inlinable
    static var minimumEntrySize: Int { (Key.fixedSize ?? 1) &+ (Value.fixedSize ?? 1) }
}
