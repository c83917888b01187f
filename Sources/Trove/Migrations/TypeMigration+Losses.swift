// The values that a migration drops. They are counted only if the automatic rules drop a field: opening a store without
// such a change reads no record for it.

import Logging
import TroveCoding

extension TypeMigration {
    /// Whether the automatic rules drop a field of a version with records.
    private var dropsFields: Bool { versions.contains { $0.dropped != nil } }

    /// Logs the fields that have values, and are dropped.
    ///
    /// - Throws: ``StoreError/SchemaError/valuesWouldBeLost(path:losses:)`` instead if the store refuses their loss.
    func checkLosses(in store: @autoclosure () throws -> Store) throws {
        guard dropsFields || changesKeys else { return }
        var records: [String: Int] = [:]
        for loss in try losses(in: store()).values.joined() { records[loss.field, default: 0] += loss.records }
        let links = try store().readToEnd { context in
            try translatingErrors {
                try lostLinks(in: context).map { context.loss(of: $0.count, in: $0.relation.relation) }
                    + lostIDs(in: context)
            }
        }
        let losses =
            links
            + records.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { field, count in
                FieldLoss(type: typeName, field: field, records: count)
            }
        guard !losses.isEmpty else { return }
        let store = try store()
        if store.refusesLoss { throw StoreError.schema(.valuesWouldBeLost(path: store.path, losses: losses)) }
        for loss in losses { loss.log(store.path) }
    }

    /// Logs the fields that later writes of the records would drop. Their values are not counted: there may be none.
    func warnOfDroppedFields(_ path: String) {
        let fields = Set(versions.flatMap { $0.dropped?.names ?? [] })
        for field in fields.sorted() {
            Logger(label: "trove").warning(
                "A migration drops a field when a record is next written",
                metadata: ["path": "\(path)", "type": "\(typeName)", "field": "\(field)"])
        }
    }

    /// Returns the dropped fields of each version, with the number of records that have a value.
    ///
    /// - Complexity: O(*n*) in the number of records, if a field is dropped.
    func losses(in store: @autoclosure () throws -> Store) throws -> [UInt32: [FieldLoss]] {
        guard dropsFields else { return [:] }
        var counts: [UInt32: [Int]] = [:]
        var rules: [UInt32: (migration: VersionMigration, dropped: DroppedFields)] = [:]
        for version in versions {
            guard let migration = version.migration, let dropped = version.dropped else { continue }
            rules[version.version] = (migration, dropped)
            counts[version.version] = [Int](repeating: 0, count: dropped.names.count)
        }
        try Self.scan(source, in: store()) { key, value in
            let version = try source.version(of: key, value)
            guard let (migration, dropped) = rules[version] else { return .continue }
            do {
                let fields = value.extracting(droppingFirst: StoredValue.headerSize)
                var values = try migration.values(key, fields)
                if isByHand(version) { values = migration.adaptation?.addedFields(of: values) ?? values }
                for name in dropped.found(in: values) { counts[version]?[name] += 1 }
            } catch is CodingError {
                // The record is damaged: the migration itself reports it.
            }
            return .continue
        }
        return counts.reduce(into: [:]) { losses, entry in
            let names = rules[entry.key]?.dropped.names ?? []
            losses[entry.key] = zip(names, entry.value).map {
                FieldLoss(type: typeName, field: $0, records: $1)
            }
        }
    }
}

extension TypeMigration {
    /// Returns whether the type's own methods convert the records of a version.
    private func isByHand(_ version: UInt32) -> Bool {
        versions.contains { known in
            guard known.version == version, case .success(.function) = known.method else { return false }
            return true
        }
    }
}

extension TypeMigration.Version {
    /// The migration by name; nil if there is none.
    fileprivate var migration: VersionMigration? {
        switch method {
        case .success(.rules(let migration)), .success(.function(let migration)): migration
        default: nil
        }
    }

    /// The fields that the automatic rules drop; nil if there are none. If the type converts its records itself, the
    /// rules still apply to the fields that the store adds to an entity.
    fileprivate var dropped: DroppedFields? {
        guard case .success(.function(let migration)) = method else { return conversion?.dropped }
        guard case .success(let added)? = migration.addedFields else { return nil }
        return added.dropped
    }
}

extension FieldLoss {
    /// Logs the loss as a warning.
    ///
    /// - Parameter path: The path of the store.
    func log(_ path: String) {
        if isRelation {
            Logger(label: "trove").warning(
                "Links of a relation are dropped",
                metadata: ["path": "\(path)", "type": "\(type)", "relation": "\(field)", "links": "\(records)"])
        } else {
            Logger(label: "trove").warning(
                "A migration drops a field with its values",
                metadata: [
                    "path": "\(path)", "type": "\(type)", "field": "\(field)", "records with a value": "\(records)",
                ])
        }
    }
}
