// Writing values as bytes by their layout: what reading them gives back.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RecordLayout {
    /// The bytes of a record's key.
    ///
    /// - Parameter components: The components, in the order of ``key``.
    /// - Throws: ``CodingError`` where a component is not of its layout's type, or has no bytes.
    public func writeKey(_ components: StoredFields) throws(CodingError) -> [UInt8] {
        var failure: CodingError?
        let bytes = KeyWriter.bytes { writer in
            for (component, field) in zip(key, components.fields) where failure == nil {
                failure = field.value.encodeKey(as: component.type, into: &writer)
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The bytes of a record's other fields.
    ///
    /// - Parameter values: The values, in the order of ``fields``.
    /// - Throws: ``CodingError`` where a value is not of its layout's type, or has no bytes.
    public func writeFields(_ values: StoredFields) throws(CodingError) -> [UInt8] {
        var writer = ByteList()
        for (field, value) in zip(fields, values.fields) { try writer.write(value.value, as: field.type, in: []) }
        return writer.bytes
    }
}

/// Bytes that grow as values are written behind them.
private struct ByteList {
    var bytes: [UInt8] = []
    private var depth = 0

    private mutating func append(_ value: some RecordValue) throws(CodingError) {
        bytes += try ValueWriter.bytes(count: value.encodedSize) { value.encode(into: &$0) }
    }

    private mutating func append(count: Int) throws(CodingError) {
        bytes += try ValueWriter.bytes(count: ValueWriter.size(ofLength: count)) { $0.writeLength(count) }
    }

    mutating func write(_ value: FieldValue, as type: LayoutType, in enclosing: [LayoutType]) throws(CodingError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= ValueWriter.depthLimit else { throw CodingError(.tooDeep(limit: ValueWriter.depthLimit)) }
        switch (type, value) {
        case (.integer(let bits, let isSigned), _): try write(value, as: integerType(bits, isSigned))
        case (.float, .float(let number)): try append(number)
        case (.double, .double(let number)): try append(number)
        case (.bool, .bool(let value)): try append(value)
        case (.string, .string(let text)): try append(text)
        case (.data, .data(let data)): try append(data)
        case (.uuid, .uuid(let uuid)): try append(uuid)
        case (.date, .date(let date)): try append(date)
        case (.decimal, .decimal(let number)): try append(number)
        case (.url, .url(let url)): try append(url)
        case (.optional, .null): bytes.append(0)
        case (.optional(.optional(let wrapped)), .some(let value)):
            bytes.append(1)
            try write(value, as: .optional(wrapped), in: enclosing)
        case (.optional(let wrapped), _):
            bytes.append(1)
            try write(value, as: wrapped, in: enclosing)
        case (.array(let element), .array(let elements)):
            try append(count: elements.count)
            for value in elements { try write(value, as: element, in: enclosing) }
        case (.set(let element), .array(let elements)):
            try writeSorted(elements) { (list, value) throws(CodingError) in
                try list.write(value, as: element, in: enclosing)
            }
        case (.dictionary(let key, let value), .dictionary(let entries)):
            try writeSorted(entries) { (list, entry) throws(CodingError) in
                try list.write(entry.key, as: key, in: enclosing)
                try list.write(entry.value, as: value, in: enclosing)
            }
        case (.record(let fields), .record(let list)):
            for (field, value) in zip(fields, list.fields) {
                try write(value.value, as: field.type, in: enclosing + [type])
            }
        case (.enumeration(let cases), .enumeration(let name, let values)):
            guard let index = cases.firstIndex(where: { $0.name == name }) else {
                throw CodingError(.unencodable("the enum has no case \(name)"))
            }
            try append(count: index)
            for (associated, value) in zip(cases[index].values, values) {
                try write(value.value, as: associated.type, in: enclosing + [type])
            }
        case (.rawValue(let raw), _), (.descending(let raw), _): try write(value, as: raw, in: enclosing)
        case (.tuple(let types), .array(let elements)):
            for (type, value) in zip(types, elements) { try write(value, as: type, in: enclosing) }
        case (.json, .json(let text)): try append(text)
        case (.enclosing(let level), _):
            guard level <= enclosing.count else {
                throw CodingError(.unencodable("the layout does not contain itself"))
            }
            let index = enclosing.count - level
            try write(value, as: enclosing[index], in: Array(enclosing[..<index]))
        default: throw CodingError(.unencodable("the value is not of its layout's type"))
        }
    }

    private mutating func write<Integer: StoredInteger>(
        _ value: FieldValue, as _: Integer.Type
    ) throws(CodingError) {
        try append(try value.integer(Integer.self))
    }

    /// Elements behind their count, in the order of their bytes, no two of the same bytes.
    private mutating func writeSorted<Element>(
        _ elements: [Element], _ write: (inout ByteList, Element) throws(CodingError) -> Void
    ) throws(CodingError) {
        var parts: [[UInt8]] = []
        for element in elements {
            var part = ByteList()
            part.depth = depth
            try write(&part, element)
            parts.append(part.bytes)
        }
        parts.sort { $0.lexicographicallyPrecedes($1) }
        try append(count: parts.count)
        for (index, part) in parts.enumerated() {
            guard index == 0 || parts[index - 1] != part else {
                throw CodingError(.unencodable("two elements of a set have the same bytes"))
            }
            bytes += part
        }
    }
}

extension FieldValue {
    /// Writes a component of a key; gives what went wrong.
    fileprivate func encodeKey(as type: LayoutType, into writer: inout KeyWriter) -> CodingError? {
        do throws(CodingError) {
            try writeKey(as: type, into: &writer)
            return nil
        } catch {
            return error
        }
    }

    private func writeKey(as type: LayoutType, into writer: inout KeyWriter) throws(CodingError) {
        switch (type, self) {
        case (.integer(let bits, let isSigned), _): try writeKey(as: integerType(bits, isSigned), into: &writer)
        case (.float, .float(let number)): number.encodeKey(into: &writer)
        case (.double, .double(let number)): number.encodeKey(into: &writer)
        case (.bool, .bool(let value)): value.encodeKey(into: &writer)
        case (.string, .string(let text)): text.encodeKey(into: &writer)
        case (.data, .data(let data)): data.encodeKey(into: &writer)
        case (.uuid, .uuid(let uuid)): uuid.encodeKey(into: &writer)
        case (.date, .date(let date)): date.encodeKey(into: &writer)
        case (.optional, .null): writer.writeByte(0)
        case (.optional(.optional(let wrapped)), .some(let value)):
            writer.writeByte(1)
            try value.writeKey(as: .optional(wrapped), into: &writer)
        case (.optional(let wrapped), _):
            writer.writeByte(1)
            try writeKey(as: wrapped, into: &writer)
        case (.rawValue(let raw), _): try writeKey(as: raw, into: &writer)
        case (.descending(let base), _):
            let start = writer.offset
            try writeKey(as: base, into: &writer)
            writer.complement(from: start)
        case (.tuple(let types), .array(let elements)):
            for (type, value) in zip(types, elements) { try value.writeKey(as: type, into: &writer) }
        case (.record(let fields), .record(let list)):
            for (field, value) in zip(fields, list.fields) { try value.value.writeKey(as: field.type, into: &writer) }
        default: throw CodingError(.unencodable("the value is not of its layout's type"))
        }
    }

    private func writeKey<Integer: StoredInteger>(
        as _: Integer.Type, into writer: inout KeyWriter
    ) throws(CodingError) {
        try integer(Integer.self).encodeKey(into: &writer)
    }
}
