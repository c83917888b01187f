// The schema of a hidden type that follows an entity type: the type of its stamps, or of its deleted entities.

import Synchronization
import TroveCoding

/// A schema in the schema of an entity type. Generic types have no static stored properties that could keep it.
final class FollowingSchema: Sendable {
    private let schema = AtomicLazyReference<RecordSchema>()

    /// Returns the schema, created at its first use: the entity type's own schema has to exist by then.
    func value(_ make: () -> RecordSchema) -> RecordSchema { schema.load() ?? schema.storeIfNil(make()) }
}

/// The kinds of types that follow an entity type. The raw value is the end of the type's name, after the name of the
/// entity type.
enum FollowingKind: String, CaseIterable {
    case metadata = "~metadata"
    case deleted = "~deleted"

    /// Returns the key prefix of the following type of an entity type with a prefix of its own.
    func keyPrefix(following entityPrefix: UInt32) -> UInt32 { SDBM.hash32("\(entityPrefix)\(rawValue)") }
}

extension RecordSchema {
    /// Returns the schema of a type that follows this entity type.
    ///
    /// - Parameters:
    ///   - place: The place of the schema.
    ///   - make: Creates the schema.
    func following(_ place: KeyPath<EntitySchema, FollowingSchema>, _ make: () -> RecordSchema) -> RecordSchema {
        entity?[keyPath: place].value(make) ?? make()
    }

    /// Creates the schema of a type that follows an entity type.
    ///
    /// - Parameters:
    ///   - type: The following type.
    ///   - entity: The schema of the entity type.
    ///   - kind: The kind of the following type. A hash of both identities is the key prefix, so that an entity type
    ///     with a `keyPrefix` of its own can be renamed.
    ///   - id: The key path of the following type's key, which is the key of the entity.
    convenience init<Record: IndexKeyRecord>(
        of type: Record.Type, following entity: RecordSchema, _ kind: FollowingKind, fieldsVersion: UInt32? = nil,
        id: KeyPath<Record, Record.IndexKey>, fields: [FieldProperty]
    ) {
        self.init(
            of: type, name: entity.name + kind.rawValue, fileID: entity.fileID,
            keyPrefix: entity.hasAutomaticPrefix ? nil : kind.keyPrefix(following: entity.keyPrefix),
            fieldsVersion: fieldsVersion, key: entity.key.map { $0.at(PropertyPath(id)) }, fields: fields)
    }
}

extension KeyProperty {
    /// Returns the same component at another key path.
    fileprivate func at(_ path: PropertyPath) -> KeyProperty {
        KeyProperty(name, at: path, type: type, described: described, coding: coding, skip: skip)
    }
}
