// A migration plan: a readable list of the changes to make when a store is opened.

import TroveCoding

/// The description has a line for each change:
///
/// ```
/// Shop.Person: 1000 records
///   990 of version 1:
///     fullName was named name
///     nickname is new: nil in old records
/// ```
public struct MigrationPlan: Hashable, Sendable {
    /// The pending migration of a record type.
    public struct RecordType: Hashable, Sendable {
        /// The type's name in this program, with its module.
        public var name: String
        /// The number of records, including the records in the current layout.
        public var records: Int
        /// The layouts of the keys, if they change: then all records are written to a new table.
        public var keyLayouts: KeyLayouts?
        /// Whether the type had its layout before, and a newer program has given it another layout since.
        public var isDowngrade: Bool
        /// The older layouts with records, the oldest first.
        public var versions: [Version]
        /// The indexes and unique constraints to build, such as `index(age)`.
        public var indexes: [String] = []
        /// The stored indexes and unique constraints that the type no longer declares. The type is neither migrated nor
        /// written until they are dropped: by `Store.dropUndeclaredIndexes()`, or with
        /// ``MigrationPolicy/droppingUndeclaredIndexes``.
        public var undeclaredIndexes: [String] = []
        /// The records that the type cannot read although they have its layout; nil if there are none, or without
        /// validation. They stay as they are.
        public var unreadable: UnreadableRecords?
        /// The changes of the type's relations, and the relations that the program does not declare.
        public var relations: [RelationChange] = []

        init(
            name: String, records: Int, keyLayouts: KeyLayouts? = nil, isDowngrade: Bool = false,
            versions: [Version] = []
        ) {
            (self.name, self.records, self.keyLayouts) = (name, records, keyLayouts)
            (self.isDowngrade, self.versions) = (isDowngrade, versions)
        }

        /// Whether records or links are rewritten, or indexes are built.
        var changesRecords: Bool {
            keyLayouts != nil || isDowngrade || !versions.isEmpty || !indexes.isEmpty
                || relations.contains(where: \.rewritesLinks)
        }

        /// Whether the migration is possible, as far as known without validation. It is not while there are
        /// ``undeclaredIndexes``.
        public var isPossible: Bool { isConvertible && undeclaredIndexes.isEmpty }

        /// Whether each version has a method of conversion.
        var isConvertible: Bool {
            versions.allSatisfy { if case .impossible = $0.method { false } else { true } }
        }
    }

    /// Intact records of a type's own layout that the type cannot read: with a removed case of an enum, for example.
    public struct UnreadableRecords: Hashable, Sendable {
        /// The number of records.
        public var records: Int
        /// The error of the first of them.
        public var first: String
    }

    /// The layouts of a type's keys.
    public struct KeyLayouts: Hashable, Sendable {
        /// The layout of the stored keys.
        public var stored: String
        /// The declared layout.
        public var declared: String
    }

    /// The pending migration of the records of a version.
    public struct Version: Hashable, Sendable {
        /// The version.
        public var version: UInt32
        /// The number of records with the version.
        public var records: Int
        /// The method of conversion.
        public var method: Method
        /// The fields that the automatic rules drop, and the number of their values. A field inside a value has a path.
        public var losses: [FieldLoss] = []
    }

    /// A method of conversion.
    public enum Method: Hashable, Sendable {
        /// The automatic rules with these changes. If `canFail` is true, every record is validated first.
        case rules([FieldChange], canFail: Bool)
        /// The type's own `migrate(_:from:)` or `init(decoding:version:)`.
        case byHand
        /// None. The text is the error to expect from opening the store.
        case impossible(String)
    }

    /// The types with pending migrations.
    public var types: [RecordType]

    /// Whether the store has no pending migration.
    public var isEmpty: Bool { types.isEmpty }

    /// Whether the migration is possible, as far as known without validation.
    public var isPossible: Bool { types.allSatisfy(\.isPossible) }
}

extension MigrationPlan: CustomStringConvertible {
    /// A line for each change.
    public var description: String {
        isEmpty ? "Nothing to migrate." : types.map(\.description).joined(separator: "\n")
    }
}

extension MigrationPlan.RecordType: CustomStringConvertible {
    /// A line for each change.
    public var description: String {
        var lines = ["\(name): \(records) record\(records == 1 ? "" : "s")"]
        if isDowngrade { lines.append("  a newer program has changed the layout; the older layout is restored") }
        if let keyLayouts { lines.append("  the key was \(keyLayouts.stored), is \(keyLayouts.declared)") }
        for version in versions {
            lines.append("  \(version.records) of version \(version.version)" + version.method.summary)
            lines += version.details.map { "    " + $0 }
        }
        lines += relations.map { "  \($0)" }
        lines += undeclaredIndexes.map {
            "  \($0) is no longer declared: nothing is migrated or written until it is dropped"
        }
        lines += indexes.map { "  \($0) is built from all records" }
        if let unreadable {
            lines.append(
                "  \(unreadable.records) record\(unreadable.records == 1 ? "" : "s") cannot be read: \(unreadable.first)"
            )
        }
        return lines.joined(separator: "\n")
    }
}

extension MigrationPlan.Method {
    fileprivate var summary: String {
        switch self {
        case .rules(let changes, _) where changes.isEmpty: ": only the version or the order of the fields differs"
        case .rules(_, canFail: true): ", each validated before any is rewritten:"
        case .rules: ":"
        case .byHand: ": by the type's own migration"
        case .impossible: " cannot be migrated:"
        }
    }

}

extension MigrationPlan.Version {
    fileprivate var details: [String] {
        switch method {
        case .rules(let changes, _):
            changes.map { change in
                let loss = change.kind == .removed ? losses.first { $0.field == change.name } : nil
                return loss.map { "\(change.subject) is removed: \($0.values)" } ?? change.description
            }
                + losses.filter { loss in !changes.contains { $0.kind == .removed && $0.name == loss.field } }.map {
                    "\($0.field) \($0.isOfKeptField(changes) ? "loses ids" : "is removed"): \($0.values)"
                }
        case .byHand: losses.map { "\($0.field) loses ids, or is removed: \($0.values)" }
        case .impossible(let reason): [reason]
        }
    }
}

extension FieldLoss {
    /// Whether the field still exists, and loses parts of its values.
    fileprivate func isOfKeptField(_ changes: [FieldChange]) -> Bool { changes.contains { $0.name == field } }
}

extension TypeMigration {
    /// Returns the plan of the migration. The values of dropped fields are counted.
    func plan(in store: Store) throws -> MigrationPlan.RecordType {
        let losses = try losses(in: store)
        return MigrationPlan.RecordType(
            name: typeName, records: count,
            keyLayouts: changesKeys
                ? MigrationPlan.KeyLayouts(stored: source.type.keyLayout, declared: type.schema.keyLayout) : nil,
            isDowngrade: isDowngrade, versions: versions.map { $0.plan(losing: losses[$0.version] ?? []) })
    }
}

extension TypeMigration.Version {
    fileprivate func plan(losing losses: [FieldLoss]) -> MigrationPlan.Version {
        let method: MigrationPlan.Method =
            switch self.method {
            case .failure(let error): .impossible("\(error)")
            case .success: conversion.map { .rules($0.changes, canFail: $0.canFail) } ?? .byHand
            }
        return MigrationPlan.Version(version: version, records: count, method: method, losses: losses)
    }
}
