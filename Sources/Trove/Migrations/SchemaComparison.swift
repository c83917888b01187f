// A comparison of a schema lock with the record types of a program, or of the types of a store with a schema lock.

import TroveCoding

struct SchemaComparison {
    /// The types before the changes.
    let old: [LockedType]
    /// The types after the changes.
    let new: [ComparedType]

    /// The differences by type, in the order of the new types; removed types come last.
    var changes: [SchemaChange] {
        let prefixes = Set(new.map(\.type.keyPrefix))
        // A type is identified by its prefix, or by its name if the old prefix is no longer declared.
        let places = Dictionary(old.indices.map { (old[$0].keyPrefix, $0) }, uniquingKeysWith: { first, _ in first })
        let names = Dictionary(grouping: old.indices.filter { !prefixes.contains(old[$0].keyPrefix) }) { old[$0].name }
        var rest = Set(old.indices)
        var changes: [SchemaChange] = []
        for type in new {
            let place = places[type.type.keyPrefix] ?? names[type.type.name]?.first(where: rest.contains)
            let former = place.flatMap { rest.remove($0) }
            let kinds = former.map { Self.changes(from: old[$0], to: type) } ?? [.added]
            changes += kinds.map { SchemaChange(type: type.type.name, kind: $0) }
        }
        return changes
            + old.indices.filter(rest.contains).map { place in
                SchemaChange(type: old[place].name, kind: .removed(keyPrefix: old[place].keyPrefix))
            }
    }

    private static func changes(from old: LockedType, to compared: ComparedType) -> [SchemaChange.Kind] {
        let new = compared.type
        var changes: [SchemaChange.Kind] = []
        if old.name != new.name {
            changes.append(.renamed(from: old.name, isRefused: compared.hasAutomaticPrefix))
        }
        if old.keyPrefix != new.keyPrefix { changes.append(.prefixChanged(from: old.keyPrefix, to: new.keyPrefix)) }
        if old.layout != new.layout { changes += layoutChanges(from: old, to: compared) }
        if old.fieldsVersion != new.fieldsVersion {
            changes.append(.versionChanged(from: old.fieldsVersion, to: new.fieldsVersion))
        } else if old.layout != new.layout {
            changes.append(.versionKept(new.fieldsVersion))
        }
        return changes + relationChanges(from: old.relations ?? [], to: new.relations ?? [], compared)
    }

    private static func relationChanges(
        from old: [LockedProperty], to new: [LockedProperty], _ compared: ComparedType
    ) -> [SchemaChange.Kind] {
        let oldNames = compared.oldRelationNames
        var rest = old
        var changes: [SchemaChange.Kind] = []
        for relation in new {
            // A name in use precedes an older name.
            let index =
                rest.firstIndex { $0.name == relation.name }
                ?? rest.firstIndex { known in
                    oldNames[relation.name]?.contains(known.name) == true && !new.contains { $0.name == known.name }
                }
                // The other end keeps its name.
                ?? rest.firstIndex { known in
                    known.inverse != nil && known.inverse == relation.inverse && !new.contains { $0.name == known.name }
                        && !old.contains { $0.name == relation.name }
                }
            guard let known = index.map({ rest.remove(at: $0) }) else {
                changes.append(.relationAdded(name: relation.name, description: relation.type))
                continue
            }
            if known.name != relation.name { changes.append(.relationRenamed(from: known.name, to: relation.name)) }
            if known.type != relation.type {
                changes.append(.relationChanged(name: relation.name, from: known.type, to: relation.type))
            }
        }
        return changes + rest.map { .relationRemoved(name: $0.name) }
    }

    private static func layoutChanges(
        from old: LockedType, to compared: ComparedType
    ) -> [SchemaChange.Kind] {
        let new = compared.type
        var changes: [SchemaChange.Kind] = []
        if old.keyLayout != new.keyLayout { changes.append(.keyChanged(from: old.keyLayout, to: new.keyLayout)) }
        do throws(ConversionError) {
            changes += try compared.changes(from: old.layout).map { .field($0) }
        } catch {
            changes += propertyChanges(from: old.key + old.fields, to: new.key + new.fields)
            // A lock alone lacks the initial values of its program.
            if compared.schema != nil { changes.append(.notConverted(error)) }
        }
        let names = (old: old.fields.map(\.name), new: new.fields.map(\.name))
        if names.old.filter(names.new.contains) != names.new.filter(names.old.contains) {
            changes.append(.reordered(names: names.new))
        }
        return changes
    }

    private static func propertyChanges(
        from old: [LockedProperty], to new: [LockedProperty]
    ) -> [SchemaChange.Kind] {
        var changes: [SchemaChange.Kind] = new.compactMap { property in
            guard let before = old.first(where: { $0.name == property.name }) else {
                return .propertyAdded(name: property.name, type: property.type)
            }
            if before.type == property.type { return nil }
            return .propertyChanged(name: property.name, from: before.type, to: property.type)
        }
        changes += old.compactMap { property in
            new.contains { $0.name == property.name } ? nil : .propertyRemoved(name: property.name)
        }
        return changes
    }
}

/// A type after the changes: the type of a program, or of a lock.
struct ComparedType {
    let type: LockedType
    /// The schema of the program's type; nil for a type of a lock.
    fileprivate let schema: RecordSchema?

    init(_ schema: RecordSchema) { (type, self.schema) = (LockedType(schema), schema) }

    init(_ type: LockedType) { (self.type, schema) = (type, nil) }

    /// Whether the prefix is derived from the name without the module.
    fileprivate var hasAutomaticPrefix: Bool {
        schema?.hasAutomaticPrefix ?? (type.keyPrefix == SDBM.hash32(type.bareName))
    }

    /// The older names of each relation, as far as they are known.
    fileprivate var oldRelationNames: [String: [String]] {
        Dictionary(
            (schema?.entity?.type.relationDescriptions ?? []).map { ($0.name, $0.oldNames) }, uniquingKeysWith: { $1 })
    }

    /// Returns the changes of the automatic rules in records of another layout.
    ///
    /// - Throws: ``ConversionError`` if the rules do not apply.
    fileprivate func changes(from old: String) throws(ConversionError) -> [FieldChange] {
        let layouts: (old: RecordLayout, new: RecordLayout)
        do throws(CodingError) {
            let new = if let schema { try schema.parsedLayout() } else { try RecordLayout(type.layout) }
            layouts = (try RecordLayout(old), new)
        } catch {
            throw ConversionError(field: type.bareName, reason: .value(error))
        }
        return try RecordConversion(from: layouts.old, to: layouts.new).changes
    }
}

extension LockedType {
    /// The name without the module.
    fileprivate var bareName: String { String(name.drop { $0 != "." }.dropFirst()) }
}

extension LockedProperty {
    /// The name of the inverse of a relation; nil for a one-way relation.
    fileprivate var inverse: Substring? { type.ranges(of: ", inverse ").last.map { type[$0.upperBound...] } }
}
