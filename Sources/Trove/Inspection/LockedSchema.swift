// The comparison of a schema lock with the types of a store, without their Swift declarations.

import TroveCoding

/// The types of a schema lock, for a comparison with a store.
package struct LockedSchema: Sendable {
    /// The differences of a type of the store from the type of the lock.
    package struct Difference: Sendable {
        /// The name of the type in the lock; in the store, if the lock does not have it.
        package let type: String
        /// The differences, a line each.
        package fileprivate(set) var lines: [String]
        /// Whether the store would refuse the type of the lock.
        package fileprivate(set) var isMistake = false
    }

    fileprivate let types: [LockedType]

    /// The number of types.
    package var count: Int { types.count }

    /// Reads the file of a ``SchemaLock``.
    package init(path: String) throws(SchemaLockError) { types = try SchemaLock.types(at: path) }
}

extension ReadContext {
    /// Returns the differences of the newest layouts of this store from the layouts of a lock, by type.
    ///
    /// - Complexity: O(*n*) in the size of the catalog and of the lock.
    package final func differences(from lock: LockedSchema) throws -> [LockedSchema.Difference] {
        let locked = Dictionary(lock.types.map { ($0.keyPrefix, $0) }, uniquingKeysWith: { first, _ in first })
        var relations: [UInt32: [LockedProperty]] = [:]
        for links in try storedRelations() {
            for prefix in Set([links.first.keyPrefix, links.second.keyPrefix]) {
                relations[prefix, default: []] += links.lockedProperties(of: prefix, locked)
            }
        }
        var old: [LockedType] = []
        var differences: [LockedSchema.Difference] = []
        var compared: Set<UInt32> = []
        for type in try storedTypes() where type.links == nil {
            guard let version = type.versions.last else { continue }
            let other = locked[type.keyPrefix]
            if let other, other.fieldsVersion != version, type.layouts[other.fieldsVersion] == other.layout {
                let line = "its fieldsVersion is \(other.fieldsVersion), and the store has \(version), a newer one"
                differences.append(LockedSchema.Difference(type: other.name, lines: [line]))
                compared.insert(type.keyPrefix)
                continue
            }
            do {
                var stored = LockedType(
                    name: type.name, keyPrefix: type.keyPrefix, fieldsVersion: version,
                    try type.layout(of: version),
                    relations: relations[type.keyPrefix] ?? [])
                // The text decides.
                if let other, type.layouts[version] == other.layout {
                    (stored.key, stored.fields) = (other.key, other.fields)
                }
                old.append(stored)
            } catch {
                differences.append(LockedSchema.Difference(type: type.name, lines: ["\(error)"], isMistake: true))
                compared.insert(type.keyPrefix)
            }
        }
        let new = lock.types.filter { !compared.contains($0.keyPrefix) }.map { ComparedType($0) }
        for change in SchemaComparison(old: old, new: new).changes {
            if differences.last?.type != change.type {
                differences.append(LockedSchema.Difference(type: change.type, lines: []))
            }
            differences[differences.count - 1].lines.append(change.lineAboutStore)
            if change.isMistake { differences[differences.count - 1].isMistake = true }
        }
        return differences
    }
}

extension SchemaChange {
    /// The change from the store to the lock in a line.
    fileprivate var lineAboutStore: String {
        switch kind {
        case .added: "the store does not have the type"
        case .removed: "the lock does not have the type; its records stay in the store"
        default: "\(kind)"
        }
    }
}

extension StoredLinks {
    /// Returns the properties of an entity type with the links, as a lock describes them.
    ///
    /// - Parameter locked: The types of a lock, for the names of types that the store does not have.
    fileprivate func lockedProperties(of keyPrefix: UInt32, _ locked: [UInt32: LockedType]) -> [LockedProperty] {
        let ends = isSymmetric ? [(first, first)] : [(first, second), (second, first)]
        return ends.compactMap { end, other in
            guard end.keyPrefix == keyPrefix, let property = end.property else { return nil }
            let target = other.type ?? locked[other.keyPrefix]?.name ?? ""
            let relation = "to \(end.isToOne ? "one" : "many") \(target)"
            return LockedProperty(name: property, type: other.property.map { "\(relation), inverse \($0)" } ?? relation)
        }
    }
}
