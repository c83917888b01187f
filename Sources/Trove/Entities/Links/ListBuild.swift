// A build of the lists of a relation from its links, by their layouts: no Swift type is needed.
//
// A read of links throws an error if a list is not ready. So a transaction that empties a list also builds it. The
// build sorts its entries in chunks, so it uses a bounded amount of memory beside the changed pages.

import LMDB
import TroveCoding

/// A build of an index of the kind `list` that is empty.
struct ListBuild {
    /// The number of bytes of entries to sort at a time.
    private static let chunkSize = 16 << 20

    private let index: CatalogIndex
    private let type: CatalogType
    private let records: Database
    private let list: Database
    private let seed: CRC32C
    /// The derivation of the entries of each version.
    private var derivations: [UInt32: (layout: RecordLayout, derivation: LayoutDerivation)] = [:]
    /// The last link read.
    private var position: [UInt8] = []
    /// The keys of the first damaged links. They have no entries.
    private(set) var damaged: [[UInt8]] = []

    /// - Parameters:
    ///   - index: The index.
    ///   - type: The type of the links.
    ///   - name: The name of the table with the links.
    ///   - keyspace: The tables of the transaction.
    ///   - number: The number of the index.
    init(
        _ index: CatalogIndex, of type: CatalogType, table name: TableName, in keyspace: Keyspace, number: UInt32
    ) throws {
        self.index = index
        self.type = type
        records = try keyspace.createTable(named: name.text)
        let listName = TableName(keyPrefix: name.keyPrefix, table: TableNumber(rawValue: number))
        list = try keyspace.createTable(named: listName.text)
        seed = name.checksumSeed
    }

    /// Writes the entries of the next links.
    ///
    /// - Returns: Whether there are more links.
    mutating func writeChunk(_ keyspace: Keyspace) throws -> Bool {
        var entries = EntrySorter()
        let range = position.isEmpty ? ScanRange() : ScanRange(from: KeyRange.all.after(position).lower)
        var last: [UInt8]?
        try keyspace.scan(records, range) { key, value in
            try add(key, value, to: &entries)
            guard entries.memory >= Self.chunkSize else { return .continue }
            last = copiedBytes(key)
            return .stop
        }
        entries.sort()
        try entries.withEach(in: entries.indices) { next in try keyspace.putKeys(list, next) }
        guard let last else { return false }
        position = last
        return true
    }

    private mutating func add(_ key: RawSpan, _ value: RawSpan, to entries: inout EntrySorter) throws {
        guard StoredValue.isIntact(value, key: key, seed: seed) else {
            if damaged.count < IndexDifference.limit { damaged.append(copiedBytes(key)) }
            return
        }
        guard let version = StoredValue.version(of: value) else { return }
        let known = try derivations[version] ?? derivation(of: version)
        derivations[version] = known
        var derived = IndexEntries()
        do {
            let fields = try known.layout.read(
                key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
            try known.derivation.derive(fields, key, as: 0, into: &derived)
        } catch let error as CodingError {
            throw StoreError(reading: type.storedKey(copiedBytes(key)), error)
        }
        for place in derived.entries.indices {
            ByteView.with(derived.bytes(of: place)) { entry in
                ByteView.with([UInt8]()) { noKey in
                    entries.add(noKey) { writer in
                        entry.withSpan { writer.writeBytes($0) }
                        return true
                    }
                }
            }
        }
    }

    private func derivation(
        of version: UInt32
    ) throws -> (layout: RecordLayout, derivation: LayoutDerivation) {
        guard let text = type.layouts[version]?.text else {
            throw StoreError.schema(.unsupportedMigration(type: type.qualifiedName, version: version))
        }
        do throws(CodingError) {
            let layout = try RecordLayout(text)
            guard let derivation = LayoutDerivation(index, in: layout) else {
                throw CodingError(.malformed(expected: "the properties of \(index.text)"))
            }
            return (layout, derivation)
        } catch {
            throw StoreError.schema(.layoutDamaged(type: type.qualifiedName, layout: text, reason: error))
        }
    }
}
