// Reading values out of bytes by their layout. Any bytes and any layout give a value or a typed error.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RecordLayout {
    /// Reads a record's key and fields.
    ///
    /// - Parameters:
    ///   - key: The bytes of the key.
    ///   - fields: The bytes of the fields, without what stands before them in the stored value.
    /// - Returns: The components of the key, then the fields.
    /// - Throws: ``CodingError`` with the offset in the key or the fields.
    public func read(key: RawSpan, fields: RawSpan) throws(CodingError) -> StoredFields {
        StoredFields(try readKey(key).fields + (try readFields(fields).fields))
    }

    /// Reads the components of a record's key.
    public func readKey(_ bytes: RawSpan) throws(CodingError) -> StoredFields {
        try KeyReader.read(bytes) { (reader) throws(CodingError) in
            var list = StoredFields()
            for component in key {
                list.fields.append(StoredFields.Field(component.name, try FieldValue(component.type, key: &reader)))
            }
            return list
        }
    }

    /// Reads the other fields of a record.
    public func readFields(_ bytes: RawSpan) throws(CodingError) -> StoredFields {
        try ValueReader.read(bytes) { (reader) throws(CodingError) in
            try StoredFields(self.fields, in: [], from: &reader)
        }
    }
}

extension StoredFields {
    fileprivate init(
        _ layout: [LayoutField], in enclosing: [LayoutType], from reader: inout ValueReader
    ) throws(CodingError) {
        fields = []
        fields.reserveCapacity(layout.count)
        for field in layout {
            fields.append(Field(field.name, try FieldValue(field.type, in: enclosing, from: &reader)))
        }
    }
}

extension FieldValue {
    /// Reads a value by its layout.
    ///
    /// - Parameters:
    ///   - type: The layout.
    ///   - enclosing: The records and enums that contain the value, the outermost first.
    ///   - reader: Where its bytes begin.
    fileprivate init(
        _ type: LayoutType, in enclosing: [LayoutType], from reader: inout ValueReader
    ) throws(CodingError) {
        try reader.enter()
        defer { reader.leave() }
        switch type {
        case .integer(let bits, let isSigned): self = try Self.integer(integerType(bits, isSigned), &reader)
        case .float: self = .float(try Float(decoding: &reader))
        case .double: self = .double(try Double(decoding: &reader))
        case .bool: self = .bool(try Bool(decoding: &reader))
        case .string: self = .string(try String(decoding: &reader))
        case .data: self = .data(try [UInt8](decoding: &reader))
        case .uuid: self = .uuid(try UUID(decoding: &reader))
        case .date: self = .date(try Date(decoding: &reader))
        case .decimal: self = .decimal(try Decimal(decoding: &reader))
        case .url: self = .url(try URL(decoding: &reader))
        case .optional(let wrapped):
            self = try reader.readTag() ? .present(FieldValue(wrapped, in: enclosing, from: &reader), wrapped) : .null
        case .array(let element): self = .array(try Self.elements(element, isOrdered: false, in: enclosing, &reader))
        case .set(let element): self = .array(try Self.elements(element, isOrdered: true, in: enclosing, &reader))
        case .dictionary(let key, let value): self = .dictionary(try Self.entries(key, value, in: enclosing, &reader))
        case .record(let fields): self = .record(try StoredFields(fields, in: enclosing + [type], from: &reader))
        case .enumeration(let cases): self = try Self.enumeration(cases, in: enclosing + [type], &reader)
        case .rawValue(let raw), .descending(let raw): self = try FieldValue(raw, in: enclosing, from: &reader)
        case .tuple(let types):
            var elements: [FieldValue] = []
            for type in types { elements.append(try FieldValue(type, in: enclosing, from: &reader)) }
            self = .array(elements)
        case .json: self = .json(try Self.json(&reader))
        case .enclosing(let level):
            guard level <= enclosing.count else { throw reader.malformed("a layout that contains itself") }
            let index = enclosing.count - level
            // The value's own list of what contains it ends above the type that it repeats.
            self = try FieldValue(enclosing[index], in: Array(enclosing[..<index]), from: &reader)
        case .other: throw CodingError(.unknownLayout("\(type)"), at: reader.offset)
        }
    }

    /// The value of an optional that is there.
    private static func present(_ value: FieldValue, _ wrapped: LayoutType) -> FieldValue {
        if case .optional = wrapped { .some(value) } else { value }
    }

    private static func integer<Integer: StoredInteger>(
        _: Integer.Type, _ reader: inout ValueReader
    ) throws(CodingError) -> FieldValue {
        FieldValue(integer: try Integer(decoding: &reader))
    }

    private static func elements(
        _ type: LayoutType, isOrdered: Bool, in enclosing: [LayoutType], _ reader: inout ValueReader
    ) throws(CodingError) -> [FieldValue] {
        let count = try reader.readCount()
        var elements: [FieldValue] = []
        elements.reserveCapacity(min(count, 4096))
        var previous = reader.offset..<reader.offset
        for _ in 0..<count {
            let start = reader.offset
            elements.append(try FieldValue(type, in: enclosing, from: &reader))
            if isOrdered { try reader.checkOrder(&previous, start..<reader.offset) }
        }
        return elements
    }

    private static func entries(
        _ key: LayoutType, _ value: LayoutType, in enclosing: [LayoutType], _ reader: inout ValueReader
    ) throws(CodingError) -> [Entry] {
        let count = try reader.readCount(minimumSize: 2)
        var entries: [Entry] = []
        entries.reserveCapacity(min(count, 4096))
        var previous = reader.offset..<reader.offset
        for _ in 0..<count {
            let start = reader.offset
            let key = try FieldValue(key, in: enclosing, from: &reader)
            // No key's bytes are the beginning of another's: equal ones stand side by side.
            guard entries.last?.key != key else { throw reader.malformed("a key once", at: start) }
            entries.append(Entry(key: key, value: try FieldValue(value, in: enclosing, from: &reader)))
            try reader.checkOrder(&previous, start..<reader.offset)
        }
        return entries
    }

    private static func enumeration(
        _ cases: [LayoutCase], in enclosing: [LayoutType], _ reader: inout ValueReader
    ) throws(CodingError) -> FieldValue {
        let start = reader.offset
        let index = try reader.readLength()
        guard cases.indices.contains(index) else { throw reader.malformed("a case of the enum", at: start) }
        var values: [AssociatedValue] = []
        for value in cases[index].values {
            values.append(
                AssociatedValue(label: value.label, value: try FieldValue(value.type, in: enclosing, from: &reader)))
        }
        return .enumeration(cases[index].name, values)
    }

    private static func json(_ reader: inout ValueReader) throws(CodingError) -> String {
        let start = reader.offset
        let bytes = try reader.readBytes(count: reader.readLength())
        guard let text = String(validating: bytes, as: UTF8.self) else { throw reader.malformed("UTF-8", at: start) }
        return text
    }
}

// MARK: Keys

extension FieldValue {
    /// Reads a component of a key by its layout.
    fileprivate init(_ type: LayoutType, key reader: inout KeyReader) throws(CodingError) {
        switch type {
        case .integer(let bits, let isSigned): self = try Self.integer(integerType(bits, isSigned), key: &reader)
        case .float: self = .float(try Float(decodingKey: &reader))
        case .double: self = .double(try Double(decodingKey: &reader))
        case .bool: self = .bool(try Bool(decodingKey: &reader))
        case .string: self = .string(try String(decodingKey: &reader))
        case .data: self = .data(try [UInt8](decodingKey: &reader))
        case .uuid: self = .uuid(try UUID(decodingKey: &reader))
        case .date: self = .date(try Date(decodingKey: &reader))
        case .optional(let wrapped):
            self = try reader.readTag() ? .present(FieldValue(wrapped, key: &reader), wrapped) : .null
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
            // Written by hand, one component after the other; that is all that can be known of it.
            var list = StoredFields()
            for field in fields {
                list.fields.append(StoredFields.Field(field.name, try FieldValue(field.type, key: &reader)))
            }
            self = .record(list)
        case .decimal, .url, .array, .set, .dictionary, .enumeration, .json, .enclosing, .other:
            throw CodingError(.unknownLayout("\(type)"), at: reader.offset)
        }
    }

    private static func integer<Integer: StoredInteger>(
        _: Integer.Type, key reader: inout KeyReader
    ) throws(CodingError) -> FieldValue {
        FieldValue(integer: try Integer(decodingKey: &reader))
    }
}
