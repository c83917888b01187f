// The schema of a hidden type that follows an entity type: the type of its stamps, or of its deleted entities.

import Synchronization
import TroveCoding

/// A schema in the schema of an entity type. Generic types have no static stored properties that could keep it.
final class FollowingSchema: Sendable {
    private let schema = AtomicLazyReference<RecordSchema>()

    /// Returns the schema, created at its first use: the entity type's own schema has to exist by then.
    func value(_ make: () -> RecordSchema) -> RecordSchema { schema.load() ?? schema.storeIfNil(make()) }
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
    ///   - suffix: The end of the type's name, after the name of the entity type. A hash of both identities is the key
    ///     prefix, so that an entity type with a `keyPrefix` of its own can be renamed.
    ///   - id: The key path of the following type's key, which is the key of the entity.
    convenience init<Record: IndexKeyRecord>(
        of type: Record.Type, following entity: RecordSchema, suffix: String, fieldsVersion: UInt32? = nil,
        id: KeyPath<Record, Record.IndexKey>, fields: [FieldProperty]
    ) {
        self.init(
            of: type, name: entity.name + suffix, fileID: entity.fileID,
            keyPrefix: entity.hasAutomaticPrefix ? nil : SDBM.hash32("\(entity.keyPrefix)\(suffix)"),
            fieldsVersion: fieldsVersion, key: entity.key.map { $0.at(PropertyPath(id)) }, fields: fields)
    }
}

extension KeyProperty {
    /// Returns the same component at another key path.
    fileprivate func at(_ path: PropertyPath) -> KeyProperty {
        KeyProperty(name, path, type, described, coding, skip: skip)
    }
}
