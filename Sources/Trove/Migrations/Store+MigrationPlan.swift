// The plan of a store's migrations: the effects of opening the store with some types.

import LMDB
import TroveCoding

extension Store {
    /// Returns the migrations for opening the store with these types, and with the types that come along: the targets
    /// of their relations, and the types of their times and deleted entities. Nothing is changed.
    ///
    /// ```swift
    /// let store = try Store(path: "people.trove")
    /// print(try store.migrationPlan(for: [Person.self, Pet.self]))
    /// ```
    ///
    /// - Parameters:
    ///   - types: Record types of this program.
    ///   - validating: Whether every record is read and converted on trial, so that the plan reports records that
    ///     cannot be converted, and records that their types cannot read.
    /// - Throws: ``StoreError`` if a type contradicts the store: another type has its prefix, or its version is stored
    ///   with another layout.
    /// - Complexity: O(*n*) in the number of records of types that have changed; with `validating`, of all types.
    @available(*, noasync, message: "await the call")
    public func migrationPlan(
        for types: [any IndexKeyRecord.Type], validating: Bool = false
    ) throws -> MigrationPlan {
        let types = types.withRelatedTypes
        let migrations = try self.migrations(of: types, countingVersions: true)
            .filter { !$0.isFollowing || !$0.hasUndeclaredIndexes }
        var plan = try plan(of: types, migrations, droppingIndexes: true)
        guard validating else { return plan }
        for migration in migrations {
            guard let index = plan.types.firstIndex(where: { $0.name == migration.typeName }),
                plan.types[index].isConvertible
            else { continue }
            do {
                try migration.validate(in: self) { _ in }
            } catch {
                // The error may also be an error of the type itself.
                plan.types[index].note(error)
            }
        }
        for type in types {
            guard let unreadable = try unreadableRecords(of: type) else { continue }
            if let index = plan.types.firstIndex(where: { $0.name == type.schema.qualifiedName }) {
                plan.types[index].unreadable = unreadable
            } else {
                let count = try readToEnd { try $0.countRecords(of: type.schema) }
                var lone = MigrationPlan.RecordType(name: type.schema.qualifiedName, records: count)
                lone.unreadable = unreadable
                plan.types.append(lone)
            }
        }
        return plan
    }

    /// Returns the plan of some migrations.
    ///
    /// - Parameter droppingIndexes: Whether the plan has the work that undeclared indexes keep waiting.
    func plan(
        of types: [any IndexKeyRecord.Type], _ migrations: [TypeMigration], droppingIndexes: Bool
    ) throws -> MigrationPlan {
        let plans = try types.compactMap { type -> MigrationPlan.RecordType? in
            let name = type.schema.qualifiedName
            let migration = migrations.first { $0.typeName == name && !$0.isTrivial }
            let unfinished = try unfinishedIndexes(of: type, droppingIndexes: droppingIndexes)
            let undeclared = try undeclaredIndexes(of: type.schema)
            let relations = try relationChanges(of: type, migration, amongChangesOf: types)
            guard migration != nil || !unfinished.unready.isEmpty || !undeclared.isEmpty || !relations.isEmpty else {
                return nil
            }
            var plan =
                try migration?.plan(in: self)
                ?? MigrationPlan.RecordType(name: name, records: readToEnd { try $0.countRecords(of: type.schema) })
            plan.indexes = unfinished.unready
            plan.undeclaredIndexes = undeclared
            plan.relations = relations
            return plan
        }
        return MigrationPlan(types: plans)
    }

    /// Returns the records of a type's newest layout that the type cannot decode; nil if there are none.
    private func unreadableRecords(of type: any IndexKeyRecord.Type) throws -> MigrationPlan.UnreadableRecords? {
        // A type with other keys is validated as a whole.
        guard let table = try readToEnd({ try $0.storedTable(of: type.schema)?.table }), table.keepsKeys else {
            return nil
        }
        var found: MigrationPlan.UnreadableRecords?
        try TypeMigration.scan(table, in: self) { key, value in
            guard StoredValue.version(of: value) == table.fieldsVersion, table.isIntact(key, value) else {
                return .continue
            }
            do {
                try type.checkIsReadable(key, value, table)
            } catch  where error.isOfRecord {
                found = MigrationPlan.UnreadableRecords(
                    records: (found?.records ?? 0) + 1, first: found?.first ?? "\(error)")
            }
            return .continue
        }
        return found
    }

    /// Returns the pending work on the indexes of a type. If the store has a newer layout of the type, or undeclared
    /// indexes or relations, there is none: the type may not be written.
    ///
    /// - Parameter droppingIndexes: Whether the undeclared indexes are going to be dropped, and keep nothing waiting.
    func unfinishedIndexes(
        of type: any IndexKeyRecord.Type, droppingIndexes: Bool = false
    ) throws -> UnfinishedIndexes {
        try readToEnd { context in
            try translatingErrors {
                let schema = type.schema
                guard let (stored, _, records) = context.catalogSnapshot.recordTable(schema.keyPrefix),
                    droppingIndexes || stored.undeclaredIndexes(by: schema).isEmpty,
                    !stored.hasNewerLayout(than: schema),
                    try schema.undeclaredRelations(among: context.relations).isEmpty
                else { return UnfinishedIndexes() }
                var unfinished = UnfinishedIndexes(records: try context.keyspace.count(records))
                for (declared, number) in zip(schema.indexes, stored.indexNumbers(of: schema)) {
                    guard let number, stored.hasIndex(declared, number), stored.newestVersion == schema.fieldsVersion,
                        let index = stored.indexes[number]
                    else {
                        // Without records, the first write creates the index.
                        if unfinished.records > 0 { unfinished.unready.append(declared.text) }
                        continue
                    }
                    if !index.isReady {
                        unfinished.unready.append(declared.text)
                    } else if index.mayHaveDuplicates, declared.forbidsDuplicates {
                        unfinished.mayHaveDuplicates = true
                    }
                }
                return unfinished
            }
        }
    }

    struct UnfinishedIndexes {
        /// The number of the type's records.
        var records = 0
        /// The names of the indexes to build.
        var unready: [String] = []
        /// Whether a ready unique index may have duplicate values.
        var mayHaveDuplicates = false
    }
}

extension IndexKeyRecord {
    /// Throws if a stored record cannot be decoded.
    fileprivate static func checkIsReadable(_ key: RawSpan, _ value: RawSpan, _ table: RecordTable) throws {
        _ = try decode(key, value, table)
    }
}

extension MigrationPlan.RecordType {
    /// Marks the version of a record that cannot be converted as impossible.
    fileprivate mutating func note(_ error: any Error) {
        var index = versions.startIndex
        if case StoreError.schema(.unconvertible(_, let version, _, _)) = error {
            index = versions.firstIndex { $0.version == version } ?? index
        }
        if versions.indices.contains(index) { versions[index].method = .impossible("\(error)") }
    }
}
