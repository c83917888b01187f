// The keys of records in errors and findings, with the types of the program.

import TroveCoding

extension StoredKey {
    /// Creates the key of a record.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The record type.
    public init<Record: IndexKeyRecord>(_ key: Record.IndexKey, of type: Record.Type) {
        self = type.schema.storedKey(KeyWriter.bytes(of: key))
    }

    /// Returns the key as the type that a record type declares.
    ///
    /// - Parameter type: The record type.
    /// - Returns: The key; nil for a key of another type, of an index entry or of an older layout, and for a damaged
    ///   key.
    public func value<Record: IndexKeyRecord>(as type: Record.Type) -> Record.IndexKey? {
        let schema = type.schema
        guard self.type == schema.name || self.type == schema.qualifiedName, let layout, schema.hasKey(of: layout)
        else { return nil }
        do throws(CodingError) {
            return try KeyReader.read(bytes) { (reader) throws(CodingError) in
                try Record.IndexKey(decodingKey: &reader)
            }
        } catch {
            return nil
        }
    }
}

extension StoreError {
    /// Returns the ``key`` as the type that a record type declares.
    ///
    /// ```swift
    /// do {
    ///     try store.insert(person)
    /// } catch let error as StoreError {
    ///     if let key = error.key(as: Person.self) { … }
    /// }
    /// ```
    ///
    /// - Parameter type: The record type.
    /// - Returns: The key; nil if the error is not about a record of this type, or if the key is damaged or of an older
    ///   layout.
    public func key<Record: IndexKeyRecord>(as type: Record.Type) -> Record.IndexKey? { key?.value(as: type) }
}

extension RecordSchema {
    /// Returns a key of the type.
    ///
    /// - Parameter layout: The layout of the stored keys; nil for the type's own.
    @usableFromInline
    func storedKey(_ bytes: [UInt8], layout: String? = nil) -> StoredKey {
        StoredKey(bytes, of: name, layout: layout ?? keyLayout)
    }
}

extension IndexKeyRecord {
    /// Returns a key from its bytes.
    ///
    /// - Throws: ``StoreError`` if the bytes are no key of the type.
    static func key(_ bytes: [UInt8]) throws -> IndexKey {
        do throws(CodingError) {
            return try bytes[...].component()
        } catch {
            throw StoreError(reading: schema.storedKey(bytes), error)
        }
    }
}
