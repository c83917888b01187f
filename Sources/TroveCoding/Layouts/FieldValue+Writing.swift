// Writing of values by their layout: reading returns the same values.

extension RecordLayout {
    /// Returns the bytes of a record's key.
    ///
    /// - Parameter components: The components, in the order of ``key``.
    /// - Throws: ``CodingError`` if a component is not of its layout's type, or has no bytes.
    public func writeKey(_ components: StoredFields) throws(CodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        for (component, field) in zip(key, components.fields) { bytes += try field.value.keyBytes(as: component.type) }
        return bytes
    }

    /// Returns the bytes of a record's other fields.
    ///
    /// - Parameter values: The values, in the order of ``fields``.
    /// - Throws: ``CodingError`` if a value is not of its layout's type, or has no bytes.
    public func writeFields(_ values: StoredFields) throws(CodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        for (field, value) in zip(fields, values.fields) { try value.value.write(as: field.type, into: &bytes) }
        return bytes
    }
}

extension FieldValue {
    /// Appends the bytes of a field.
    package func write(as type: LayoutType, into bytes: inout [UInt8]) throws(CodingError) {
        var list = ByteList()
        swap(&list.bytes, &bytes)
        defer { swap(&list.bytes, &bytes) }
        try list.write(self, as: type)
    }

    /// Returns the bytes of a key component.
    func keyBytes(as type: LayoutType) throws(CodingError) -> [UInt8] {
        var failure: CodingError?
        let bytes = KeyWriter.bytes { writer in
            do throws(CodingError) {
                try writeKey(as: type, into: &writer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// A growing list of bytes, and the values that are being written.
private struct ByteList {
    var bytes: [UInt8] = []
    /// The values whose parts are being written, each inside the previous value: a list as in reading.
    private var open: [OpenValue] = []

    mutating func write(_ value: FieldValue, as type: LayoutType) throws(CodingError) {
        try begin(value, as: type, in: Nesting())
        while let last = open.indices.last {
            if let part = open[last].nextPart(at: bytes.count) {
                try begin(part.value, as: part.type, in: open[last].nesting)
            } else {
                try sortParts(at: open.removeLast().starts)
            }
        }
    }

    /// Writes a value without parts, or opens a value with parts and writes the bytes before them.
    private mutating func begin(
        _ value: FieldValue, as type: LayoutType, in nesting: Nesting
    ) throws(CodingError) {
        let (type, nesting) = try nesting.resolved(type, at: bytes.count)
        guard type.hasParts else { return try writePlain(value, as: type) }
        let inside = try nesting.inside(type, at: bytes.count)
        try writeHead(value, as: type)
        open.append(OpenValue(value, type, inside))
    }

    private mutating func writePlain(_ value: FieldValue, as type: LayoutType) throws(CodingError) {
        switch (type, value) {
        case (.scalar(let scalar), _): try scalar.type.writeField(value, to: &bytes)
        case (.json, .json(let text)): try String.writeField(.string(text), to: &bytes)
        default: throw .otherType
        }
    }

    private mutating func writeHead(_ value: FieldValue, as type: LayoutType) throws(CodingError) {
        switch (type, value) {
        case (.optional, .null): bytes.append(0)
        case (.optional, _): bytes.append(1)
        case (.array, .array(let elements)), (.set, .array(let elements)): try append(count: elements.count)
        case (.dictionary, .dictionary(let entries)): try append(count: entries.count)
        case (.record(let fields), .record(let list)) where list.hasNames(of: fields): break
        case (.tuple(let types), .array(let elements)) where types.count == elements.count: break
        case (.enumeration(let cases), .enumeration(let name, let values)):
            guard let index = cases.firstIndex(where: { $0.name == name }) else {
                throw CodingError(.unencodable("the enum has no case \(name)"))
            }
            guard cases[index].values.map(\.label) == values.map(\.label) else {
                throw CodingError(.unencodable("the case \(name) has other associated values"))
            }
            try append(count: index)
        default: throw .otherType
        }
    }

    private mutating func append(count: Int) throws(CodingError) {
        try ValueWriter.append(count: ValueWriter.size(ofLength: count), to: &bytes) { $0.writeLength(count) }
    }

    /// Sorts the last parts by their bytes, and checks that no two parts have the same bytes.
    private mutating func sortParts(at starts: [Int]) throws(CodingError) {
        guard let first = starts.first else { return }
        let ends = starts.dropFirst() + [bytes.count]
        let parts = zip(starts, ends).map { bytes[$0..<$1] }.sorted { $0.lexicographicallyPrecedes($1) }
        guard zip(parts, parts.dropFirst()).allSatisfy({ $0 != $1 }) else {
            throw CodingError(.unencodable("two elements of a set have the same bytes"))
        }
        bytes.replaceSubrange(first..., with: Array(parts.joined()))
    }
}

/// A value whose parts are being written.
private struct OpenValue {
    /// The levels around its parts.
    let nesting: Nesting
    /// The offsets of the elements or entries to sort.
    private(set) var starts: [Int] = []
    private let value: FieldValue
    private let type: LayoutType
    private var index = 0

    init(_ value: FieldValue, _ type: LayoutType, _ nesting: Nesting) {
        self.value = value
        self.type = type
        self.nesting = nesting
    }

    /// Returns the next part; nil after the last part.
    ///
    /// - Parameter offset: The offset of the part's first byte.
    mutating func nextPart(at offset: Int) -> (value: FieldValue, type: LayoutType)? {
        defer { index += 1 }
        switch (type, value) {
        case (.optional, .null): return nil
        case (.optional(let wrapped), _) where index == 0:
            if wrapped.hasNull, case .some(let inner) = value { return (inner, wrapped) }
            return (value, wrapped)
        case (.array(let type), .array(let elements)) where index < elements.count: return (elements[index], type)
        case (.set(let type), .array(let elements)) where index < elements.count:
            starts.append(offset)
            return (elements[index], type)
        case (.dictionary(let keyType, let valueType), .dictionary(let entries)) where index < 2 * entries.count:
            let entry = entries[index / 2]
            if index % 2 == 1 { return (entry.value, valueType) }
            starts.append(offset)
            return (entry.key, keyType)
        case (.record(let fields), .record(let list)) where index < fields.count:
            return (list.fields[index].value, fields[index].type)
        case (.tuple(let types), .array(let elements)) where index < types.count:
            return (elements[index], types[index])
        case (.enumeration(let cases), .enumeration(let name, let values)) where index < values.count:
            return cases.first { $0.name == name }.map { (values[index].value, $0.values[index].type) }
        default: return nil
        }
    }
}

extension StoredFields {
    fileprivate func hasNames(of layout: [LayoutField]) -> Bool {
        layout.elementsEqual(fields) { $0.name == $1.name }
    }
}

extension FieldValue {
    private func writeKey(as type: LayoutType, into writer: inout KeyWriter) throws(CodingError) {
        switch (type, self) {
        case (.scalar(let scalar), _): try scalar.type.writeKey(self, to: &writer)
        case (.optional, .null): writer.writeByte(0)
        case (.optional(let wrapped), .some(let value)) where wrapped.hasNull:
            writer.writeByte(1)
            try value.writeKey(as: wrapped, into: &writer)
        case (.optional(let wrapped), _):
            writer.writeByte(1)
            try writeKey(as: wrapped, into: &writer)
        case (.rawValue(let raw), _): try writeKey(as: raw, into: &writer)
        case (.descending(let base), _):
            let start = writer.offset
            try writeKey(as: base, into: &writer)
            writer.complement(from: start)
        case (.tuple(let types), .array(let elements)) where types.count == elements.count:
            for (type, value) in zip(types, elements) { try value.writeKey(as: type, into: &writer) }
        case (.record(let fields), .record(let list)) where list.hasNames(of: fields):
            for (field, value) in zip(fields, list.fields) { try value.value.writeKey(as: field.type, into: &writer) }
        default: throw .otherType
        }
    }
}
