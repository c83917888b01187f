// The conversion of fields. A record whose fields only move, widen or become optional needs no allocation.

extension RecordConversion {
    /// Appends the fields of a record in the new layout.
    ///
    /// - Parameters:
    ///   - oldKey: The bytes of the old key.
    ///   - oldFields: The bytes of the old fields, without the header of the stored value.
    ///   - bytes: The destination. After an error, the appended bytes are undefined.
    /// - Throws: ``CodingError`` if the bytes are not of the old layout. ``ConversionError`` with the field whose value
    ///   cannot be converted.
    public func convertFields(key oldKey: RawSpan, fields oldFields: RawSpan, into bytes: inout [UInt8]) throws {
        let components = fields.readKey(of: old) ? try old.readKey(oldKey) : StoredFields()
        try walk.withBounds(of: oldFields) { bounds in
            for step in steps {
                switch step {
                case .copied(let range):
                    bytes.append(oldFields.extracting(bounds[range.lowerBound]..<bounds[range.upperBound]))
                case .widened(let field, let count, let isSigned):
                    bytes.append(oldFields.extracting(bounds[field]..<bounds[field + 1]))
                    let isNegative = isSigned && bytes[bytes.count - 1] >= 0x80
                    bytes.append(contentsOf: repeatElement(isNegative ? 0xFF : 0, count: count))
                case .narrowed(let field, let count, let wasSigned, let isSigned, let index):
                    let value = oldFields.extracting(bounds[field]..<bounds[field + 1])
                    if value.isInteger(ofBytes: count, wasSigned: wasSigned, isSigned: isSigned) {
                        bytes.append(value.extracting(first: count))
                    } else {
                        let value = try self.value(at: old.key.count + field, components, oldFields, bounds)
                        try append(fields[index], value, to: &bytes)
                    }
                case .wrapped(let field):
                    bytes.append(1)
                    bytes.append(oldFields.extracting(bounds[field]..<bounds[field + 1]))
                case .null: bytes.append(0)
                case .unwrapped(let field, let index):
                    let value = oldFields.extracting(bounds[field]..<bounds[field + 1])
                    if unsafe value.unsafeLoad(as: UInt8.self) == 1 {
                        bytes.append(value.extracting(droppingFirst: 1))
                    } else {
                        try append(fields[index], .null, to: &bytes)
                    }
                case .made(let index): try append(fields[index], nil, to: &bytes)
                case .converted(let source, let index):
                    let value = try value(at: source, components, oldFields, bounds)
                    try append(fields[index], value, to: &bytes)
                }
            }
        }
    }

    /// Appends a new field, converted from its old value, or its default.
    private func append(
        _ match: FieldMatch, _ old: FieldValue?, to bytes: inout [UInt8]
    ) throws(ConversionError) {
        do throws(CodingError) {
            if let defaultValue = match.defaultValue, old == nil || old == .null {
                try defaultValue.append(&bytes)
            } else {
                try match.value(of: old).write(as: match.field.type, into: &bytes)
            }
        } catch {
            throw ConversionError(field: match.field.name, reason: .value(error))
        }
    }

    /// Returns the value of an old component or field.
    ///
    /// - Parameters:
    ///   - source: The index of the component or field.
    ///   - components: The old key's components; empty if no field needs them.
    ///   - fields: The bytes of the old fields.
    ///   - bounds: The bounds of the old fields.
    func value(
        at source: Int, _ components: StoredFields, _ fields: RawSpan, _ bounds: Span<Int>
    ) throws(CodingError) -> FieldValue {
        guard source >= old.key.count else { return components.fields[source].value }
        let field = source - old.key.count
        let start = bounds[field]
        return try unsafe fields.withUnsafeBytes { (buffer) throws(CodingError) in
            var reader = unsafe ValueReader(buffer, at: start)
            return try FieldValue(old.fields[field].type, from: &reader)
        }
    }

    /// Returns the name of the field whose bytes contain an offset: for errors of the type's own decoder in converted
    /// bytes.
    ///
    /// - Parameters:
    ///   - offset: The offset of the error.
    ///   - newFields: The converted bytes.
    public func fieldName(at offset: Int, in newFields: RawSpan) -> String {
        new.fieldName(at: offset, in: newFields)
    }
}

extension RecordLayout {
    /// Returns the name of the field whose bytes contain an offset, or of the first field that cannot be read; an empty
    /// text for a layout without fields.
    package func fieldName(at offset: Int, in bytes: RawSpan) -> String {
        FieldWalk(fields).field(at: offset, in: bytes).map { fields[$0].name } ?? ""
    }
}

extension RawSpan {
    /// Returns whether the lowest `count` bytes of an integer are the same number.
    fileprivate func isInteger(ofBytes count: Int, wasSigned: Bool, isSigned: Bool) -> Bool {
        func byte(_ offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
        let isNegative = wasSigned && byte(byteCount - 1) >= 0x80
        guard isNegative ? isSigned && byte(count - 1) >= 0x80 : !isSigned || byte(count - 1) < 0x80 else {
            return false
        }
        return (count..<byteCount).allSatisfy { byte($0) == (isNegative ? 0xFF : 0) }
    }
}

extension [UInt8] {
    mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}
