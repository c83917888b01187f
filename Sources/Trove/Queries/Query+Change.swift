// Removes or changes the matches of a query.

import LMDB
import TroveCoding

extension Query {
    /// Removes the matching records, all or none. With a limit or an offset, it removes only the records of the page.
    ///
    /// Entities are deleted in the query's order, by the delete rules of their relations, and the hooks of all deleted
    /// entities are called. Entities that hooks add meanwhile stay, even if they match: the keys of all matches are
    /// collected first.
    ///
    /// - Parameter destination: The context of a write transaction, or a store.
    /// - Returns: The number of matches removed, without the entities that a delete rule has taken along.
    /// - Throws: ``StoreError/EntityError/deleteDenied(type:key:relation:other:)`` if a relation of an entity denies
    ///   its delete; the errors of hooks. Nothing is then deleted.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete(in destination: some RecordWritable) throws -> Int {
        try destination.writing { context in
            try context.logged(self) { trace in try remove(in: context, &trace) }
        }
    }

    /// Changes the matching records in the query's order, all or none. With a limit or an offset, it changes only the
    /// records of the page. Entities are saved with the relations that the closure sets, and their hooks are called.
    ///
    /// ```swift
    /// try User.filter(\.status == .invited).update(in: context) { user in
    ///     user.status = .active
    /// }
    /// ```
    ///
    /// The changes are a nested transaction: if the closure throws, all of them are undone. Records can swap unique
    /// values: ``CollisionRule/throw`` compares at the end, and a record that ``CollisionRule/upsert`` has deleted is
    /// changed and saved in its turn. For the latter, the keys of all matches are collected first.
    ///
    /// An entity is not deleted by ``CollisionRule/upsert`` before its turn, which may give it other values. Entities
    /// that have the same values at the end are deleted by their rules, but for the entity saved last.
    ///
    /// Records that the update adds are not changed, even if they match: entities of the closure's relations and of
    /// hooks, and records of a ``CollisionRule/custom(_:)`` rule. For types with any of these, the keys of all matches
    /// are collected first too.
    ///
    /// The closure gets entities with unset relations, also if the query requests relations. So a save changes only the
    /// relations that the closure sets.
    ///
    /// - Parameters:
    ///   - destination: The context of a write transaction, or a store.
    ///   - change: Changes a record. The key must stay the same.
    /// - Returns: The number of records changed, without records that a collision rule ignored.
    /// - Throws: ``StoreError/RecordError/keyChanged(type:key:)``,
    ///   ``StoreError/RecordError/notUnique(type:index:key:existing:)``, or the closure's error.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func update(
        in destination: some RecordWritable, _ change: (inout Record) throws -> Void
    ) throws -> Int {
        try destination.writing { context in
            try context.logged(self) { trace in
                try context.statement { context in
                    guard let run = try QueryRun(self, in: context, for: .records, trace: &trace) else { return 0 }
                    var count = 0
                    let upcoming = context.beginUpdate(Record.self)
                    try run.forEach(
                        context, keysFirst: Record.mayAddBySaving, upcoming: upcoming,
                        replaced: context.keepReplaced(Record.self)
                    ) { matches, index, table in
                        var record = try Record.decode(matches[index], table)
                        try change(&record)
                        try checkKey(of: record, is: matches[index].key)
                        if try context.insert(record) {
                            count += 1
                            upcoming?.noteSave(matches[index].key)
                        }
                        return .continue
                    }
                    try upcoming?.settle(Record.self, in: context)
                    return count
                }
            }
        }
    }

    private func remove(in context: TransactionContext, _ trace: inout QueryTrace) throws -> Int {
        if let keyScan { return try context.remove(Record.self, keyScan) }
        // Records without relations and hooks can be deleted in any order.
        let query = Record.schema.isOfEntities ? self : try unsorted()
        guard try context.tableForRemoval(Record.schema) != nil,
            let run = try QueryRun(query, in: context, for: .keys, trace: &trace)
        else { return 0 }
        if let keys = run.keysAlone { return try context.remove(Record.self, keys) }
        return try context.statement { context in
            var count = 0
            try run.forEach(context, keysFirst: Record.schema.mayAddByDeleting) { matches, index, _ in
                if try matches[index].key.withSpan({ try context.replace($0, with: nil as Record?) }) { count += 1 }
                return .continue
            }
            return count
        }
    }

    @usableFromInline
    func checkKey(of record: Record, is key: ByteView) throws {
        guard withKeyBytes(of: record.indexKey, { key.equals($0) }) else {
            throw StoreError.record(.keyChanged(type: Record.schema.name, key: Record.schema.storedKey(key.copy())))
        }
    }
}

extension QueryRun {
    /// The matching keys, if key ranges alone describe them; otherwise nil.
    var keysAlone: ScanPlan? {
        guard !plan.scansIndexes, plan.isExact, !plan.sorts, plan.offset == 0,
            plan.scanOrder == .ascending || plan.scanOrder == .descending
        else { return nil }
        return ScanPlan(plan.ranges, plan.scanOrder, limit: plan.limit, after: start)
    }
}
