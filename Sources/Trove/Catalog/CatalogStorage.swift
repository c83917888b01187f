// The stored form of the catalog: the key and the value of each entry.
//
//     key    = kind                       store, commitSequence, schemaEpoch, recentChanges, history
//            | kind keyPrefix             type, migration, relation
//            | kind keyPrefix version     layout
//            | kind keyPrefix number      index
//     value  = checksum content
//     checksum = 4 bytes, little-endian: CRC32C over "trove", the key and the content
//     content  = the entry of StoreEntry.swift                                              store
//              | number(UInt64)                                                             commitSequence, schemaEpoch
//              | qualifiedName(String) generation(UInt32) keyLayout(String) oldestOrdinal(UInt32) type
//              | ordinal(UInt32) layout(String)                                             layout
//              | version(UInt32) generation(UInt32) done(UInt64) total(UInt64) position     migration
//              | kind(UInt8) name(String) definition(String) properties([String]) formerNames([String]) isReady(Bool)
//                done(UInt64) position mayHaveDuplicates(Bool)                                      index
//              | form(UInt8) end end                                                        relation
//              | the entry of RecentChanges.swift                                           recentChanges
//              | the entry of CatalogHistory.swift                                          history
//     end = keyPrefix(UInt32) property(String) isExclusive(Bool) formerNames([String])
//     position = the last key that was migrated or indexed, as Data

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads and writes the catalog in a transaction.
struct CatalogStorage {
    static let name = "trove"

    private let keyspace: Keyspace
    private let table: Database

    /// Opens the catalog of the store; nil if the file belongs to another program.
    init?(_ keyspace: Keyspace) throws {
        guard let table = try keyspace.table(named: Self.name) else { return nil }
        self.keyspace = keyspace
        self.table = table
    }

    /// Returns the initial contents of a new store's file: the store's own entry, and the counters.
    static func initial() throws -> InitialTable {
        InitialTable(
            name: name,
            entries: [
                try entry(for: StoreEntry(identifier: UUID())), try entry(Key(.schemaEpoch), UInt64(0)),
                try entry(Key(.commitSequence), UInt64(0)),
            ])
    }

    // MARK: Entries

    /// Returns the store's own entry.
    func storeEntry() throws -> StoreEntry {
        try content(of: Key(.store)) { reader throws(CodingError) in try StoreEntry(decoding: &reader) }
            ?? { throw Self.missingStoreEntry }()
    }

    /// Sets the store's own entry.
    func setStoreEntry(_ entry: StoreEntry) throws {
        let entry = try Self.entry(for: entry)
        try keyspace.put(table, entry.key, entry.value)
    }

    /// Returns the bytes of the store's own entry.
    static func entry(for store: StoreEntry) throws -> InitialTable.Entry {
        if store.features.isEmpty { return try entry(Key(.store), store.format, store.identifier) }
        return try entry(
            Key(.store), store.format, store.identifier, store.numbers(in: .neededToRead),
            store.numbers(in: .neededToWrite), store.numbers(in: .mayBeIgnored))
    }

    /// Returns the store's format. Later formats may store more after it.
    func format() throws -> UInt32 {
        var format: UInt32?
        _ = try keyspace.withEntry(table, Key(.store).bytes) { _, value in
            guard value.byteCount >= 8 else { return }
            format = ByteView.with(value) { $0.integer(at: Self.checksumSize, as: UInt32.self) }
        }
        guard let format else { throw Self.missingStoreEntry }
        return format
    }

    /// Returns a counter.
    func number(_ kind: CatalogEntryKind) throws -> UInt64 {
        try content(of: Key(kind)) { reader throws(CodingError) in try Self.count(decoding: &reader) } ?? 0
    }

    /// Reads a counter. A value too large for counting on is malformed.
    static func count(decoding reader: inout ValueReader) throws(CodingError) -> UInt64 {
        let count = try UInt64(decoding: &reader)
        guard count < 1 << 62 else { throw CodingError(.malformed(expected: "a count that something has reached")) }
        return count
    }

    func setNumber(_ kind: CatalogEntryKind, _ number: UInt64) throws {
        try put(Key(kind), number)
    }

    /// Returns the changes of the last commits; nil if the store has no such entry.
    func recentChanges() throws -> RecentChanges? {
        try content(of: Key(.recentChanges)) { reader throws(CodingError) in try RecentChanges(decoding: &reader) }
    }

    func setRecentChanges(_ recent: RecentChanges) throws {
        try put(
            Key(.recentChanges), recent.newest, recent.others, recent.types, recent.commits, recent.changes)
    }

    /// Returns the rules of the history; nil if the store keeps none.
    func history() throws -> CatalogHistory? {
        try content(of: Key(.history)) { reader throws(CodingError) in try CatalogHistory(decoding: &reader) }
    }

    /// Sets the rules of the history; nil deletes them.
    func setHistory(_ history: CatalogHistory?) throws {
        guard let history else {
            try keyspace.delete(table, Key(.history).bytes)
            return
        }
        let tombstones = history.tombstones.sorted { $0.key < $1.key }
        try put(
            Key(.history), history.age, history.commits, history.bytes, history.excluded.sorted(),
            tombstones.map(\.key), tombstones.map(\.value))
    }

    func setType(_ keyPrefix: UInt32, _ type: CatalogType) throws {
        try put(Key(.type, keyPrefix), type.qualifiedName, type.generation, type.keyLayout, type.oldestOrdinal)
        for (version, layout) in type.layouts {
            try put(Key(.layout, keyPrefix, version), layout.ordinal, layout.text)
        }
        for (number, index) in type.indexes { try setIndex(keyPrefix, number, index) }
    }

    /// Stores an index and the position of its build; nil deletes it.
    func setIndex(_ keyPrefix: UInt32, _ number: UInt32, _ declared: CatalogIndex?) throws {
        let key = Key(.index, keyPrefix, number)
        if let declared {
            try put(
                key, declared.kind.number.rawValue, declared.name, declared.definition, declared.properties,
                declared.formerNames, declared.isReady, declared.state.done, declared.state.position,
                declared.mayHaveDuplicates)
        } else {
            try keyspace.delete(table, key.bytes)
        }
    }

    /// Returns the current migration of a type; nil if there is none.
    func migration(_ keyPrefix: UInt32) throws -> CatalogMigration? {
        try content(of: Key(.migration, keyPrefix)) { reader throws(CodingError) in
            try CatalogMigration(decoding: &reader)
        }
    }

    /// Stores the position of a type's migration; nil deletes it.
    func setMigration(_ keyPrefix: UInt32, _ migration: CatalogMigration?) throws {
        let key = Key(.migration, keyPrefix)
        if let migration {
            try put(
                key, migration.version, migration.generation, migration.done, migration.total, migration.position)
        } else {
            try keyspace.delete(table, key.bytes)
        }
    }

    /// Stores a relation.
    func setRelation(_ keyPrefix: UInt32, _ relation: CatalogRelation) throws {
        let (first, second) = (relation.first, relation.second)
        try put(
            Key(.relation, keyPrefix), relation.form.rawValue, first.keyPrefix, first.property ?? "",
            first.isExclusive, first.formerNames, second.keyPrefix, second.property ?? "", second.isExclusive,
            second.formerNames)
    }

    /// Removes a relation, and the type of its links.
    func removeRelation(_ keyPrefix: UInt32, _ type: CatalogType) throws {
        for version in type.layouts.keys { try keyspace.delete(table, Key(.layout, keyPrefix, version).bytes) }
        for number in type.indexes.keys { try setIndex(keyPrefix, number, nil) }
        try setMigration(keyPrefix, nil)
        for kind in [CatalogEntryKind.type, .relation] { try keyspace.delete(table, Key(kind, keyPrefix).bytes) }
    }

    /// Returns all relations, by the prefix of their links.
    func relations() throws -> [UInt32: CatalogRelation] {
        var relations: [UInt32: CatalogRelation] = [:]
        try scan(KeyRange(prefix: Key(.relation).bytes)) { (key, reader) throws(CodingError) in
            _ = try key.readByte()
            let prefix: UInt32 = try key.readInteger()
            relations[prefix] = try CatalogRelation(decoding: &reader)
        }
        return relations
    }

    /// Returns a type with all its layouts; nil if it was never written.
    func type(_ keyPrefix: UInt32) throws -> CatalogType? {
        try types { KeyRange(prefix: Key($0, keyPrefix).bytes) }[keyPrefix]
    }

    /// Returns all types with all their layouts.
    func types() throws -> [UInt32: CatalogType] {
        try types { KeyRange(prefix: Key($0).bytes) }
    }

    /// - Parameter keys: Returns the keys of the entries of a kind.
    private func types(_ keys: (CatalogEntryKind) -> KeyRange) throws -> [UInt32: CatalogType] {
        var types: [UInt32: CatalogType] = [:]
        try scan(keys(.type)) { (key, reader) throws(CodingError) in
            _ = try key.readByte()
            let prefix: UInt32 = try key.readInteger()
            types[prefix] = try CatalogType(decoding: &reader)
        }
        try scan(keys(.layout)) { (key, reader) throws(CodingError) in
            _ = try key.readByte()
            let prefix: UInt32 = try key.readInteger()
            let version: UInt32 = try key.readInteger()
            // Read the layout before the type is known to exist, so the bytes are checked in any case.
            let layout = try CatalogLayout(decoding: &reader)
            types[prefix]?.layouts[version] = layout
        }
        try scan(keys(.index)) { (key, reader) throws(CodingError) in
            _ = try key.readByte()
            let prefix: UInt32 = try key.readInteger()
            let number: UInt32 = try key.readInteger()
            let index = try CatalogIndex(decoding: &reader)
            types[prefix]?.indexes[number] = index
        }
        return types
    }
}

// MARK: Bytes

extension CatalogStorage {
    private struct Key {
        let bytes: [UInt8]

        init(_ kind: CatalogEntryKind, _ numbers: UInt32...) {
            bytes = KeyWriter.bytes { writer in
                writer.writeByte(kind.rawValue)
                for number in numbers { writer.writeInteger(number) }
            }
        }
    }

    private static let missingStoreEntry = StoreError.record(
        .corrupted(
            type: typeName, key: StoredKey(Key(.store).bytes, of: typeName),
            reason: CodingError(.malformed(expected: "the store's entry"))))
    /// The name of the catalog in errors, in place of a type's.
    private static let typeName = "catalog"
    private static let checksumSize = 4

    private func put<each Part: RecordValue>(_ key: Key, _ parts: repeat each Part) throws {
        let entry = try Self.entry(key, repeat each parts)
        try keyspace.put(table, entry.key, entry.value)
    }

    private static func entry<each Part: RecordValue>(_ key: Key, _ parts: repeat each Part) throws
        -> InitialTable.Entry
    {
        var size = checksumSize
        for part in repeat each parts { size += try part.encodedSize }
        var bytes = [UInt8](repeating: 0, count: size)
        try bytes.withMutableRawSpan { value in
            try ValueWriter.write(into: &value) { writer in
                writer.writeInteger(UInt32(0))
                for part in repeat each parts { part.encode(into: &writer) }
            }
            let checksum = checksum(key.bytes, value.bytes)
            value.storeBytes(of: checksum.littleEndian, toByteOffset: 0, as: UInt32.self)
        }
        return InitialTable.Entry(key.bytes, bytes)
    }

    private func content<R>(
        of key: Key, _ body: (inout ValueReader) throws(CodingError) -> R
    ) throws -> R? {
        var result: R?
        _ = try keyspace.withEntry(table, key.bytes) { _, value in
            result = try Self.read(key.bytes, value, body)
        }
        return result
    }

    private func scan(
        _ range: KeyRange, _ body: (inout KeyReader, inout ValueReader) throws(CodingError) -> Void
    ) throws {
        try keyspace.scan(table, ScanRange(from: range.lower, upTo: range.upper)) { key, value in
            let keyBytes = copiedBytes(key)
            try Self.read(keyBytes, value) { (reader) throws(CodingError) in
                try KeyReader.read(keyBytes) { (key) throws(CodingError) in
                    try body(&key, &reader)
                }
            }
            return .continue
        }
    }

    /// Verifies the checksum of an entry, then reads its content.
    static func read<R>(
        _ key: [UInt8], _ value: RawSpan, _ body: (inout ValueReader) throws(CodingError) -> R
    ) throws -> R {
        guard value.byteCount >= checksumSize,
            ByteView.with(value, { $0.integer(at: 0, as: UInt32.self) }) == checksum(key, value)
        else { throw StoreError.record(.checksumMismatch(type: typeName, key: StoredKey(key, of: typeName))) }
        do {
            return try ValueReader.read(value.extracting(droppingFirst: checksumSize), body)
        } catch {
            throw StoreError(reading: StoredKey(key, of: typeName), error)
        }
    }

    private static func checksum(_ key: [UInt8], _ value: RawSpan) -> UInt32 {
        var checksum = CRC32C()
        checksum.update(Array(name.utf8))
        checksum.update(key)
        checksum.update(value.extracting(droppingFirst: checksumSize))
        return checksum.value
    }
}
