// Queries for single properties: only those that are named are decoded.

import TroveCoding

extension KeyQuery {
    /// One property of each record that the query finds; the others are not decoded.
    ///
    /// ```swift
    /// let ages = try Person.query(lastName: "Dallas").select(\.age, in: store)
    /// ```
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/notStored(type:property:)`` for a property that is computed or inside another.
    @inlinable
    public func select<Value: Sendable>(
        _ property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [Value] {
        let reader = try Self.reader(of: property)
        var values: [Value] = []
        try project(in: source) { key, fields throws(CodingError) in
            values.append(try reader.read(key: key, fields: fields))
        } migrated: { record in
            values.append(record[keyPath: property])
        }
        return values
    }

    /// Several properties of each record that the query finds; the others are not decoded.
    ///
    /// - Parameters:
    ///   - first: A stored property.
    ///   - second: Another.
    ///   - rest: More of them.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/notStored(type:property:)`` for a property that is computed or inside another.
    @inlinable
    public func select<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>, in source: some RecordReadable
    ) throws -> [(First, Second, repeat each Rest)] {
        let firstReader = try Self.reader(of: first)
        let secondReader = try Self.reader(of: second)
        let restReaders = (repeat try Self.reader(of: each rest))
        var values: [(First, Second, repeat each Rest)] = []
        try project(in: source) { key, fields throws(CodingError) in
            values.append(
                (
                    try firstReader.read(key: key, fields: fields), try secondReader.read(key: key, fields: fields),
                    repeat try (each restReaders).read(key: key, fields: fields)
                ))
        } migrated: { record in
            values.append(
                (record[keyPath: first], record[keyPath: second], repeat record[keyPath: each rest]))
        }
        return values
    }

    @usableFromInline
    static func reader<Value>(of property: KeyPath<Record, Value>) throws -> PropertyReader<Value> {
        guard let projection = Record.projection(of: property) as? Projection<Value> else {
            throw StoreError.notStored(type: Record.schema.name, property: "\(property)")
        }
        return PropertyReader(projection, Record.schema)
    }

    /// Walks the records' bytes: those of the present version in place, others as migrated records.
    @inlinable
    @inline(__always)
    func project(
        in source: some RecordReadable, _ body: (_ key: RawSpan, _ fields: RawSpan) throws(CodingError) -> Void,
        migrated: (Record) throws -> Void
    ) throws {
        try scan(in: source) { key, value, table in
            guard value.byteCount >= StoredValue.headerSize else { throw table.corrupted(key, table.tooShort(value)) }
            guard UInt32(littleEndian: unsafe value.unsafeLoadUnaligned(as: UInt32.self)) == table.fieldsVersion else {
                try migrated(try Record.decode(key, value, table))
                return .continue
            }
            if table.verifiesChecksums { try table.verify(key, value) }
            do throws(CodingError) {
                try body(key, value.extracting(droppingFirst: StoredValue.headerSize))
            } catch {
                throw table.corrupted(key, error)
            }
            return .continue
        }
    }
}
