// The keys of converted records. A key that changes is read as values and written anew: its records move anyway.

extension RecordConversion {
    /// Appends the key of a record in the new layout.
    ///
    /// - Parameters:
    ///   - oldKey: The bytes of its key.
    ///   - oldFields: The bytes of its fields, without what stands before them in the stored value.
    ///   - bytes: What it is appended to; after an error, what was appended is of no use.
    /// - Throws: ``CodingError`` where the bytes are not those of the old layout, and with `keyTooLarge`;
    ///   ``ConversionError`` with the component whose value cannot be converted.
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

    /// The name of the component whose bytes contain an offset: what an error is about that the type's own decoder
    /// finds in a converted key.
    ///
    /// - Parameters:
    ///   - offset: The error's offset.
    ///   - newKey: The bytes that the conversion has made.
    public func componentName(at offset: Int, in newKey: RawSpan) -> String {
        let index = unsafe newKey.withUnsafeBytes { buffer in
            var reader = unsafe KeyReader(buffer)
            return new.key.indices.first { index in
                do throws(CodingError) {
                    _ = try FieldValue(new.key[index].type, key: &reader)
                    return offset < reader.offset
                } catch {
                    return true
                }
            }
        }
        return (index.map { new.key[$0] } ?? new.key.last)?.name ?? ""
    }

    /// Whether the new key has the components of the old one, in their order and with their bytes.
    static func keepsKey(_ key: [FieldMatch], _ old: RecordLayout) -> Bool {
        key.count == old.key.count
            && key.enumerated().allSatisfy { $1.source == $0 && $1.field.type.keyShape == old.key[$0].type.keyShape }
    }

    /// Whether there may be keys that become longer than a key may be.
    static func mayNeedLongerKeys(_ key: [FieldMatch], _ old: RecordLayout) -> Bool {
        let sizes = key.map(\.field.type.largestKeySize)
        if !sizes.contains(nil), sizes.reduce(0, { $0 + ($1 ?? 0) }) <= KeyWriter.sizeLimit { return false }
        // Components that only change places need no more room.
        var unused = Set(old.key.indices)
        return !key.allSatisfy { match in
            guard let source = match.source, unused.remove(source) != nil else { return false }
            return match.field.type.keyShape == old.key[source].type.keyShape
        }
    }
}

extension LayoutType {
    /// What the bytes of a component follow from: raw types in place of those that have them.
    fileprivate var keyShape: LayoutType {
        switch self {
        case .rawValue(let raw): raw.keyShape
        case .optional(let wrapped): .optional(wrapped.keyShape)
        case .descending(let base): .descending(base.keyShape)
        case .tuple(let types): .tuple(types.map(\.keyShape))
        default: self
        }
    }

    /// The bytes of the largest component; nil where there is none.
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
