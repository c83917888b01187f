// Reading of values by their layout. Any bytes with any layout give a value or a typed error.

extension RecordLayout {
    /// Reads a record's key and fields.
    ///
    /// - Parameters:
    ///   - key: The bytes of the key.
    ///   - fields: The bytes of the fields, without the header of the stored value.
    /// - Returns: The components of the key, then the fields.
    /// - Throws: ``CodingError`` with the offset in the key or the fields.
    public func read(key: RawSpan, fields: RawSpan) throws(CodingError) -> StoredFields {
        StoredFields(try readKey(key).fields + (try readFields(fields).fields))
    }

    /// Reads and returns the components of a record's key.
    public func readKey(_ bytes: RawSpan) throws(CodingError) -> StoredFields {
        try KeyReader.read(bytes) { (reader) throws(CodingError) in
            var list = StoredFields()
            for component in key {
                let value = try FieldValue(component.type, key: &reader)
                list.fields.append(StoredFields.Field(component.name, value, component.type))
            }
            return list
        }
    }

    /// Reads and returns the other fields of a record.
    public func readFields(_ bytes: RawSpan) throws(CodingError) -> StoredFields {
        try ValueReader.read(bytes) { (reader) throws(CodingError) in
            var list = StoredFields()
            for field in fields {
                let value = try FieldValue(field.type, from: &reader)
                list.fields.append(StoredFields.Field(field.name, value, field.type))
            }
            return list
        }
    }
}

extension FieldValue {
    /// Reads a value by its layout.
    init(_ type: LayoutType, from reader: inout ValueReader) throws(CodingError) {
        var values = OpenValues()
        self = try values.read(type, from: &reader)
    }

    /// Reads a value without parts.
    fileprivate init(plain type: LayoutType, from reader: inout ValueReader) throws(CodingError) {
        switch type {
        case .scalar(let scalar): self = try scalar.type.readField(from: &reader)
        case .json: self = .json(try Self.json(&reader))
        default: throw CodingError(.unknownLayout("\(type)"), at: reader.offset)
        }
    }

    private static func json(_ reader: inout ValueReader) throws(CodingError) -> String {
        let start = reader.offset
        let bytes = try reader.readBytes(count: reader.readLength())
        guard let text = String(validating: bytes, as: UTF8.self) else { throw reader.malformed("UTF-8", at: start) }
        return text
    }
}

/// The values whose parts are being read, each inside the previous value. They are in a list instead of on the stack,
/// which would have to be large for deep values.
private struct OpenValues {
    private var list: [OpenValue] = []

    mutating func read(_ type: LayoutType, from reader: inout ValueReader) throws(CodingError) -> FieldValue {
        if let value = try begin(type, in: Nesting(), &reader) { return value }
        while true {
            let last = list.count - 1
            if let type = list[last].nextType {
                if let part = try begin(type, in: list[last].nesting, &reader) { try list[last].append(part, &reader) }
            } else {
                let value = list.removeLast().value
                if list.isEmpty { return value }
                try list[last - 1].append(value, &reader)
            }
        }
    }

    /// Reads a value without parts, or opens a value with parts and returns nil.
    private mutating func begin(
        _ type: LayoutType, in nesting: Nesting, _ reader: inout ValueReader
    ) throws(CodingError) -> FieldValue? {
        let (type, nesting) = try nesting.resolved(type, at: reader.offset)
        guard type.hasParts else { return try FieldValue(plain: type, from: &reader) }
        list.append(try OpenValue(type, in: nesting.inside(type, at: reader.offset), &reader))
        return nil
    }
}

/// A value whose parts are being read.
private struct OpenValue {
    /// The levels around its parts.
    let nesting: Nesting
    private let type: LayoutType
    private let count: Int
    private var caseIndex = 0
    private var parts: [FieldValue] = []
    /// The offset of the next element or entry.
    private var start: Int
    private var previous: Range<Int>

    /// Reads the bytes before the parts.
    init(_ type: LayoutType, in nesting: Nesting, _ reader: inout ValueReader) throws(CodingError) {
        self.type = type
        self.nesting = nesting
        switch type {
        case .optional: count = try reader.readTag() ? 1 : 0
        case .array, .set: count = try reader.readCount()
        case .dictionary: count = 2 * (try reader.readCount(minimumSize: 2))
        case .record(let fields): count = fields.count
        case .tuple(let types): count = types.count
        case .enumeration(let cases):
            let start = reader.offset
            caseIndex = try reader.readLength()
            guard cases.indices.contains(caseIndex) else { throw reader.malformed("a case of the enum", at: start) }
            count = cases[caseIndex].values.count
        default: count = 0
        }
        parts.reserveCapacity(min(count, 4096))
        start = reader.offset
        previous = start..<start
    }

    /// The layout of the next part; nil after the last part.
    var nextType: LayoutType? {
        let index = parts.count
        guard index < count else { return nil }
        return switch type {
        case .optional(let part), .array(let part), .set(let part): part
        case .dictionary(let key, let value): index % 2 == 0 ? key : value
        case .record(let fields): fields[index].type
        case .tuple(let types): types[index]
        case .enumeration(let cases): cases[caseIndex].values[index].type
        default: nil
        }
    }

    /// Adds the part that was read, and checks its order.
    mutating func append(_ part: FieldValue, _ reader: inout ValueReader) throws(CodingError) {
        parts.append(part)
        switch type {
        case .set: break
        case .dictionary where parts.count % 2 == 0: break
        case .dictionary where parts.count > 1 && parts[parts.count - 3] == part:
            // No key's bytes are a prefix of another key's bytes: so equal keys are neighbors.
            throw reader.malformed("distinct keys", at: start)
        default: return
        }
        try reader.checkOrder(&previous, start..<reader.offset)
        start = reader.offset
    }

    /// The value with all of its parts.
    var value: FieldValue {
        switch type {
        case .optional(let wrapped):
            guard let part = parts.first else { return .null }
            return wrapped.hasNull ? .some(part) : part
        case .dictionary:
            let entries = stride(from: 0, to: parts.count, by: 2).map { index in
                FieldValue.Entry(key: parts[index], value: parts[index + 1])
            }
            return .dictionary(entries)
        case .record(let fields):
            return .record(StoredFields(zip(fields, parts).map { StoredFields.Field($0.name, $1) }))
        case .enumeration(let cases):
            let values = zip(cases[caseIndex].values, parts).map { layout, part in
                FieldValue.AssociatedValue(label: layout.label, value: part)
            }
            return .enumeration(cases[caseIndex].name, values)
        default: return .array(parts)
        }
    }
}

// MARK: Keys

extension FieldValue {
    /// Reads a component of a key by its layout.
    init(_ type: LayoutType, key reader: inout KeyReader) throws(CodingError) {
        switch type {
        case .scalar(let scalar): self = try scalar.type.readKey(from: &reader)
        case .optional(let wrapped):
            guard try reader.readTag() else {
                self = .null
                return
            }
            let value = try FieldValue(wrapped, key: &reader)
            self = wrapped.hasNull ? .some(value) : value
        case .rawValue(let raw): self = try FieldValue(raw, key: &reader)
        case .descending(let base):
            reader.mask = ~reader.mask
            defer { reader.mask = ~reader.mask }
            self = try FieldValue(base, key: &reader)
        case .tuple(let types):
            var elements: [FieldValue] = []
            for type in types { elements.append(try FieldValue(type, key: &reader)) }
            self = .array(elements)
        case .record(let fields):
            // Written by hand, one component after another: nothing else is known of its bytes.
            var list = StoredFields()
            for field in fields {
                list.fields.append(StoredFields.Field(field.name, try FieldValue(field.type, key: &reader)))
            }
            self = .record(list)
        case .array, .set, .dictionary, .enumeration, .json, .enclosing, .other:
            throw CodingError(.unknownLayout("\(type)"), at: reader.offset)
        }
    }
}
