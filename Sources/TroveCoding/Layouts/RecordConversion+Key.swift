// The conversion of keys. A key that changes is read as values and written again: its record moves anyway.

extension RecordConversion {
    /// Appends the key of a record in the new layout.
    ///
    /// - Parameters:
    ///   - oldKey: The bytes of the old key.
    ///   - oldFields: The bytes of the old fields, without the header of the stored value.
    ///   - bytes: The destination. After an error, the appended bytes are undefined.
    /// - Throws: ``CodingError`` if the bytes are not of the old layout, and with `keyTooLarge`. ``ConversionError``
    ///   with the component whose value cannot be converted.
    public func convertKey(key oldKey: RawSpan, fields oldFields: RawSpan, into bytes: inout [UInt8]) throws {
        if keepsKey { return bytes.append(oldKey) }
        let components = key.readKey(of: old) ? try old.readKey(oldKey) : StoredFields()
        let start = bytes.count
        try walk.withBounds(of: oldFields) { bounds in
            for match in key {
                var value: FieldValue?
                if let source = match.source { value = try self.value(at: source, components, oldFields, bounds) }
                do throws(CodingError) {
                    bytes += try match.value(of: value).keyBytes(as: match.field.type)
                } catch {
                    throw ConversionError(field: match.field.name, reason: .value(error))
                }
            }
        }
        let size = bytes.count - start
        guard size <= KeyWriter.sizeLimit else {
            throw CodingError(.keyTooLarge(size: size, limit: KeyWriter.sizeLimit))
        }
    }

    /// Returns the name of the component whose bytes contain an offset: for errors of the type's own decoder in a
    /// converted key.
    ///
    /// - Parameters:
    ///   - offset: The offset of the error.
    ///   - newKey: The converted bytes.
    public func componentName(at offset: Int, in newKey: RawSpan) -> String {
        new.componentName(at: offset, in: newKey)
    }

    /// Returns whether the new key has the components of the old key, in the same order and with the same bytes.
    static func keepsKey(_ key: [FieldMatch], _ old: RecordLayout) -> Bool {
        key.count == old.key.count
            && key.enumerated().allSatisfy { $1.source == $0 && $1.field.type.keyShape == old.key[$0].type.keyShape }
    }

    /// Returns whether some keys may become longer than the limit.
    static func mayNeedLongerKeys(_ key: [FieldMatch], _ old: RecordLayout) -> Bool {
        let sizes = key.map(\.field.type.largestKeySize)
        if !sizes.contains(nil), sizes.reduce(0, { $0 + ($1 ?? 0) }) <= KeyWriter.sizeLimit { return false }
        // Components that only change places need no additional space.
        var unused = Set(old.key.indices)
        return !key.allSatisfy { match in
            guard let source = match.source, unused.remove(source) != nil else { return false }
            return match.field.type.keyShape == old.key[source].type.keyShape
        }
    }
}

extension LayoutType {
    /// The layout that determines the bytes of a component: raw-value types are replaced by their raw type.
    fileprivate var keyShape: LayoutType {
        switch self {
        case .rawValue(let raw): raw.keyShape
        case .optional(let wrapped): .optional(wrapped.keyShape)
        case .descending(let base): .descending(base.keyShape)
        case .tuple(let types): .tuple(types.map(\.keyShape))
        default: self
        }
    }

    /// The size of the largest component in bytes; nil if there is no limit.
    fileprivate var largestKeySize: Int? {
        switch self {
        case .scalar(let scalar): scalar.type.fixedSize
        case .optional(let wrapped): wrapped.largestKeySize.map { 1 + $0 }
        case .rawValue(let base), .descending(let base): base.largestKeySize
        case .tuple(let types):
            types.reduce(0) { sum, type in sum.flatMap { sum in type.largestKeySize.map { sum + $0 } } }
        default: nil
        }
    }
}

extension RecordLayout {
    /// Returns the name of the component whose bytes contain an offset, or of the first component that cannot be read;
    /// an empty text for a layout without a key.
    package func componentName(at offset: Int, in bytes: RawSpan) -> String {
        let index = unsafe bytes.withUnsafeBytes { buffer in
            var reader = unsafe KeyReader(buffer)
            return key.indices.first { index in
                do throws(CodingError) {
                    _ = try FieldValue(key[index].type, key: &reader)
                    return offset < reader.offset
                } catch {
                    return true
                }
            }
        }
        return (index.map { key[$0] } ?? key.last)?.name ?? ""
    }
}
