// Chooses the record tables of the types in the new store. A migration to other keys moves a type's records between the
// tables of two generations. The type's own table is chosen by
//
//     the type's entry in the last commit    the generation in the entry
//     an entry of an earlier commit          the number of records: the table being filled has fewer,
//                                            and the last step of a migration empties the other table
//     no entry                               generation 0, where a program looks for the records
//                                            when it first writes a record of the type

import LMDB
import TroveCoding

extension SalvageReport.Table {
    /// Whether the table is empty and was empty.
    fileprivate var isEmpty: Bool { size == 0 && damaged == 0 }

    /// The number of records in the table, as far as it is known.
    fileprivate var size: UInt64 { max(recorded ?? 0, copied) }
}

extension SalvageWriter {
    /// Chooses the tables of the types, after all records were copied.
    func chooseTables() throws -> SalvagedTypes {
        var types = SalvagedTypes()
        for (prefix, entry) in catalog.completeTypes.sorted(by: { $0.key < $1.key }) {
            let isPresent = catalog.currentTypes.contains(prefix)
            guard let type = try isPresent ? entry : correct(entry, prefix, &types.losses) else { continue }
            types.known[prefix] = type
            let name = TableName(keyPrefix: prefix, generation: type.generation)
            addTarget(name)
            _ = try database(name.text)
            targets[name.text]?.report.type = type.qualifiedName
            targets[name.text]?.report.links = catalog.links(prefix)
            try omitOrKeepSpare(beside: name, type, &types)
            try omit(.newKeys(prefix))
        }
        let prefixes = Set(targets.keys.compactMap { TableName($0)?.keyPrefix })
        for prefix in prefixes.subtracting(types.known.keys) { try useFirstGeneration(prefix) }
        return types
    }

    /// Returns an entry of an earlier commit, corrected to match the records of the last commit; nil if the layout of
    /// their keys is lost.
    private func correct(_ entry: CatalogType, _ prefix: UInt32, _ losses: inout [String]) throws -> CatalogType? {
        var type = entry
        // The layouts may come from another commit than the entry.
        type.oldestOrdinal = 0
        var name = TableName(keyPrefix: prefix, generation: type.generation)
        let size = targets[name.text]?.report.size ?? 0
        let isOutdated = targets[name.other.text].map { $0.report.copied > 0 && $0.report.size > size } ?? false
        if isOutdated { name = name.other }
        let versions = try versions(in: name)
        let layouts = type.layouts.filter { versions.contains($0.key) }.values
        if let keyLayout = layouts.max(by: { $0.ordinal < $1.ordinal })?.keyLayout {
            type.keyLayout = keyLayout
        } else if isOutdated {
            losses.append("each layout of the records of \(type.qualifiedName)")
            return nil
        }
        type.generation = name.generation
        if isOutdated || type.keyLayout != entry.keyLayout {
            losses.append("the last entry of the type \(type.qualifiedName): one of an earlier commit was corrected")
        }
        return type
    }

    /// Returns the versions of the records copied into a table.
    private func versions(in name: TableName) throws -> Set<UInt32> {
        guard let database = targets[name.text]?.database else { return [] }
        var versions: Set<UInt32> = []
        try keyspace.scan(database, ScanRange()) { _, value in
            if let version = StoredValue.version(of: value) { versions.insert(version) }
            return .continue
        }
        return versions
    }

    /// Leaves out a table: a migration would write it again.
    private func omit(_ name: TableName) throws {
        if let database = targets[name.text]?.database { try keyspace.deleteAll(database) }
        targets[name.text] = nil
    }

    /// Leaves out the table of a type's other generation, unless it may hold records lost in the type's own table.
    private func omitOrKeepSpare(beside name: TableName, _ type: CatalogType, _ types: inout SalvagedTypes) throws {
        guard let own = targets[name.text]?.report, let spare = targets[name.other.text] else { return }
        let isPresent = catalog.currentTypes.contains(name.keyPrefix)
        if spare.report.isEmpty || isPresent && own.isComplete {
            if let database = spare.database { try keyspace.deleteAll(database) }
            targets[name.other.text] = nil
            return
        }
        targets[name.other.text]?.report.type = type.qualifiedName
        guard spare.report.copied > 0 else { return }
        types.losses.append(
            "the certainty that the records of \(type.qualifiedName) in \(name.other.text) are not needed: they were kept"
        )
        guard isPresent, let migration = catalog.migrations[name.keyPrefix],
            migration.generation == name.other.generation,
            // The lists and the new keys, which such a migration has written, are left out.
            catalog.relations[name.keyPrefix] == nil,
            !catalog.relations.values.contains(where: { $0.hasEnd(name.keyPrefix) })
        else { return }
        // Resume the migration if that saves more records than a new start.
        let range = ScanRange(upTo: KeyRange.all.after(migration.position).lower)
        if try spare.report.copied >= UInt64(keyspace.count(database(name.text), range)) {
            types.migrations[name.keyPrefix] = migration
        }
    }

    /// Moves the records of an unknown type into the table of its first generation, if the table has no records.
    private func useFirstGeneration(_ prefix: UInt32) throws {
        let first = TableName(keyPrefix: prefix)
        guard let source = targets[first.other.text]?.database else { return }
        if let report = targets[first.text]?.report {
            guard report.copied == 0 else { return }
            if report.isEmpty { targets[first.text] = nil }
        }
        let destination = try keyspace.createTable(named: first.text)
        var isOver = false
        var position: [UInt8] = []
        while !isOver {
            isOver = true
            let keyspace = keyspace
            try keyspace.scan(source, ScanRange(from: KeyRange.all.after(position).lower)) { key, value in
                _ = try keyspace.put(destination, key, size: value.byteCount) { copy in
                    copyBytes(value, into: &copy)
                    guard let version = StoredValue.version(of: value) else { return }
                    StoredValue.seal(&copy, version, key: key, seed: first.checksumSeed)
                }
                guard isFull else { return .continue }
                position = copiedBytes(key)
                isOver = false
                return .stop
            }
            if !isOver { try commit() }
        }
        try keyspace.deleteAll(source)
    }
}

extension CatalogLayout {
    /// The layout of the keys; nil if the text has a later grammar.
    fileprivate var keyLayout: String? {
        do throws(CodingError) {
            let key = try RecordLayout(text).key
            // Without the braces of the empty field list.
            return String("\(RecordLayout(key: key, fields: []))".dropLast(2))
        } catch {
            return nil
        }
    }
}
