// The errors of declared types and of migrations.

import TroveCoding

extension StoreError {
    /// An error of a declared type: it does not fit the stored types, or its records cannot be migrated.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SchemaError: Hashable, Sendable {
        /// Two types have the same prefix; `free` is a prefix unused by the store and by this process.
        ///
        /// If only the store has the other type, it may be the same type under an older name or in another module: with
        /// the prefix set by hand, the type keeps its records. `isDeclared` is true if this process has declared both
        /// types.
        case prefixTaken(
            path: String, prefix: UInt32, type: String, by: String, free: UInt32, isDeclared: Bool,
            isEntity: Bool = false)
        /// Several types have the prefixes of other types; each of `conflicts` is a
        /// ``prefixTaken(path:prefix:type:by:free:isDeclared:isEntity:)``.
        case prefixesTaken(path: String, conflicts: [SchemaError])
        /// The version is already stored with another layout.
        case layoutChanged(path: String, type: String, version: UInt32, stored: String, declared: String)
        /// The type's key differs from the key of the stored records. They were not migrated because the store was
        /// opened without the type among its records.
        case keyLayoutChanged(path: String, type: String, stored: String, declared: String)
        /// The stored links of a relation have another form than the declared relation. They were not migrated because
        /// the store was opened without the type among its records.
        case relationChanged(path: String, relation: String, stored: String, declared: String)
        /// Another program has given the type a newer layout, or indexes, unique constraints and relations missing in
        /// this program. The layouts are the layouts of the records. `undeclaredIndexes` also names relations, such as
        /// `relation(chat)`, or `relation(chat), perhaps room now` if it may have been renamed. For a type that is not
        /// an entity, it names the relations that lead to it, such as `incoming relation(Message.author)`.
        case schemaNewer(path: String, type: String, stored: String, declared: String, undeclaredIndexes: [String] = [])
        /// The type declares two indexes with the same kind, properties and condition.
        case indexDeclaredTwice(type: String, index: String)
        /// An index covers values partly stored as JSON: equal values can have different bytes.
        case indexOfJSON(type: String, index: String)
        /// The type declares a full-text index of no property, or of more than `limit`.
        case wrongNumberOfTexts(type: String, index: String, limit: Int)
        /// The type does not declare the index or unique constraint; `indexes` lists its declared indexes.
        case noSuchIndex(type: String, index: String, indexes: [String])
        /// Records need a migration, and the store was opened with ``MigrationPolicy/refuse``. The plan describes the
        /// migration.
        case migrationRefused(path: String, plan: String)
        /// A migration would drop values, and the store was opened with ``MigrationPolicy/refusingLoss``. Nothing of
        /// these types has been rewritten.
        case valuesWouldBeLost(path: String, losses: [FieldLoss])
        /// Two records would have the same key after their migration. `records` are their current keys, if known.
        case keysCollide(type: String, key: StoredKey, records: [StoredKey])
        /// A relation has become a relation to one, and a stored entity has links to several entities. `relation` is
        /// the relation's name with a module, `owner` the key of the entity, and `targets` are the keys of two of the
        /// others.
        case relationNotUnique(relation: String, owner: StoredKey, targets: [StoredKey])
        /// No migration handles the record's version, and the layout of the version is not known.
        case unsupportedMigration(type: String, version: UInt32)
        /// The automatic rules do not convert the record's version.
        case noConversion(type: String, version: UInt32, reason: ConversionError)
        /// The automatic rules convert the record's version, but not a value of this record. The record is intact.
        case unconvertible(type: String, version: UInt32, key: StoredKey, reason: ConversionError)
        /// The record has a field of a type with a hand-written coding. Its layout gives only a name, so only the type
        /// can read the bytes.
        case unknownLayout(type: String, layout: String)
        /// The type describes a part of itself by text that does not follow the grammar of layouts.
        case layoutMalformed(type: String, layout: String, reason: CodingError)
        /// A layout in the catalog does not follow the grammar of layouts: the catalog is damaged.
        case layoutDamaged(type: String, layout: String, reason: CodingError)
    }
}

extension StoreError.SchemaError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .prefixTaken(let path, let prefix, let type, let other, let free, let isDeclared, let isEntity):
            "\(path): "
                + Self.prefixTakenText(
                    prefix, of: type, by: other, isDeclared: isDeclared,
                    kept: Self.declaration(prefix, isEntity: isEntity), new: Self.declaration(free, isEntity: isEntity))
        case .prefixesTaken(let path, let conflicts):
            Self.prefixesTakenText(path, conflicts)
        case .layoutChanged(let path, let type, let version, let stored, let declared):
            "\(path): \(type) has version \(version) with the layout \(declared), but its stored version \(version) has the layout \(stored). Give the new layout a new fieldsVersion."
        case .keyLayoutChanged(let path, let type, let stored, let declared):
            "\(path): the key of \(type) is \(declared), but its stored records have the key \(stored). To migrate them, open the store for writing, with \(type) among its records."
        case .relationChanged(let path, let relation, let stored, let declared):
            "\(path): the links of \(relation) are stored as \(stored), but the program declares \(declared). To migrate them, open the store for writing, with the types of the relation among its records."
        case .schemaNewer(let path, let type, _, _, let names)
        where names.contains { $0.hasPrefix("incoming relation(") }:
            "\(path): \(type) has \(names.joined(separator: ", ")), but is not declared as an entity, so this program cannot maintain the links. Declare the type with @EntityModel, or use the program that declares it so."
        case .schemaNewer(let path, let type, _, _, let names)
        where names.contains { $0.hasPrefix("relation(") && $0.hasSuffix(" now") }:
            "\(path): \(type) has \(names.joined(separator: ", ")), which this program does not declare and cannot maintain. If its property was renamed, keep its links: write @Renamed with the old name before @Relationship. Otherwise declare the relation, use the program that declares it, or drop it with its links: store.dropUndeclaredRelations()."
        case .schemaNewer(let path, let type, _, _, let names) where names.contains { $0.hasPrefix("relation(") }:
            "\(path): \(type) has \(names.joined(separator: ", ")), which this program does not declare and cannot maintain. Declare the relation, use the program that declares it, or drop it with its links: store.dropUndeclaredRelations()."
        case .schemaNewer(let path, let type, _, _, let indexes) where !indexes.isEmpty:
            "\(path): \(type) has \(indexes.joined(separator: ", ")), which this program does not declare and cannot maintain. Use the program that declares them, or drop them: store.dropUndeclaredIndexes(), or migrations: .onOpen.droppingUndeclaredIndexes."
        case .schemaNewer(let path, let type, let stored, let declared, _):
            "\(path): a newer program has given \(type) the layout \(stored); this program declares \(declared). Use the newer program. If the automatic rules can convert its records back, the store also opens with migrations: .allowOlderLayout."
        case .indexDeclaredTwice(let type, let index):
            "\(type) declares \(index) twice. Leave out one of the declarations."
        case .indexOfJSON(let type, let index):
            "\(index) of \(type) covers a value that is partly stored as JSON, where equal values can have different bytes. Declare the types of its parts @RecordValue, or remove the index."
        case .wrongNumberOfTexts(let type, let index, let limit):
            "\(index) of \(type) has no property, or more than \(limit). Declare a full-text index of 1 to \(limit) properties."
        case .noSuchIndex(let type, let index, let indexes):
            "\(type) does not declare \(index). Its indexes are: \(indexes.isEmpty ? "none" : indexes.joined(separator: ", "))."
        case .migrationRefused(let path, let plan):
            "\(path): a migration is necessary, but the store was opened with migrations: .refuse.\n\(plan)"
        case .valuesWouldBeLost(let path, let losses):
            "\(path): a migration would drop values, but the store was opened with migrations: .refusingLoss.\n"
                + losses.map { "  \($0)\n" }.joined()
                + "Declare the fields again, rename them by @Renamed, move their values in migrate(_:from:), or open the store without .refusingLoss."
        case .keysCollide(let type, let key, let records):
            "Two records of \(type) would have the same key \(key) after their migration\(records.isEmpty ? "" : ": the records with the keys \(records.map(\.description).joined(separator: " and "))"). Delete one of them, or implement migrate(_:from:) to give them different keys."
        case .relationNotUnique(let relation, let owner, let targets):
            "The relation \(relation) leads to one record now, but its stored links lead from the record of \(owner.type) with the key \(owner) to the records with the keys \(targets.map(\.description).joined(separator: " and ")). Remove all links of that record except one with the program that declares the relation to many, or leave the relation as it was."
        case .unsupportedMigration(let type, let version):
            "A stored \(type) has version \(version), which the declared \(type) cannot read. Implement init(decoding:version:)."
        case .noConversion(let type, let version, let reason):
            "A stored \(type) has version \(version), which the automatic rules do not convert: \(reason)"
        case .unconvertible(let type, let version, let key, let reason):
            "The stored \(type) with the key \(key) has version \(version), and cannot be converted: \(reason) Implement migrate(_:from:) to convert it."
        case .unknownLayout(let type, let layout):
            "\(type) has a field with the layout “\(layout)”, which only its own type can read. Read it in a program that has that type."
        case .layoutMalformed(let type, let layout, let reason):
            "The layout “\(layout)” of \(type) does not follow the grammar of layouts: \(reason) A type that describes itself by a name gives an identifier, such as Money."
        case .layoutDamaged(let type, let layout, let reason):
            "The catalog is damaged: the layout “\(layout)” of \(type) cannot be read: \(reason) Examine the store with trove verify, and restore it from a copy."
        }
    }
}

extension StoreError.SchemaError {
    /// The key of the record; nil for an error about something else.
    var key: StoredKey? {
        switch self {
        case .keysCollide(_, let key, _),
            .relationNotUnique(_, let key, _),
            .unconvertible(_, _, let key, _):
            key
        // Without a default, so that the compiler reports each new case.
        case .prefixTaken, .prefixesTaken, .layoutChanged, .keyLayoutChanged, .relationChanged, .schemaNewer,
            .indexDeclaredTwice, .indexOfJSON, .wrongNumberOfTexts, .noSuchIndex, .migrationRefused, .valuesWouldBeLost,
            .unsupportedMigration, .noConversion, .unknownLayout, .layoutMalformed, .layoutDamaged:
            nil
        }
    }
}
