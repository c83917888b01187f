// Migrations of a store's declared types: at open, in the background, and on request.

import Logging

extension Store {
    /// Rewrites the records of the declared types in older layouts, and builds unready indexes and unique constraints.
    /// Such work remains after ``MigrationPolicy/lazily``, and while ``MigrationPolicy/background`` is not finished.
    ///
    /// If the records of a type cannot be migrated, or violate a unique constraint, the other types are migrated
    /// nevertheless.
    ///
    /// - Parameter progress: Receives the progress, on this thread. The callback of the store's opener receives it too.
    /// - Throws: After all possible work is done, the ``StoreError`` of opening the store with
    ///   ``MigrationPolicy/onOpen``. In addition, ``StoreError/RecordError/notUnique(type:index:key:existing:)`` with
    ///   two records that have the same unique values, and ``StoreError/RecordError/checksumMismatch(type:key:)`` if a
    ///   damaged record was skipped.
    @available(*, noasync, message: "await the call")
    public func finishMigrations(progress: ((MigrationProgress) -> Void)? = nil) throws {
        try finishMigrations(unless: CancellationFlag()) { progress?($0) }
    }

    /// Finishes the migrations, and reports each step to the opener of the store too.
    func finishMigrations(
        unless isCancelled: CancellationFlag, _ progress: (MigrationProgress) -> Void
    ) throws {
        guard let reports else { return try finish(unless: isCancelled, progress) }
        try reports.migrating {
            try finish(unless: isCancelled) { step in
                progress(step)
                reports.add(step)
            }
        }
    }

    private func finish(unless isCancelled: CancellationFlag, _ progress: (MigrationProgress) -> Void) throws {
        try checkIsWritable()
        var failure: (any Error)?
        do {
            try migrateRelations(.onOpen, unless: isCancelled, progress)
        } catch let error as CancellationError {
            throw error
        } catch {
            failure = error
        }
        for type in declaredTypes.followingTypesLast {
            do {
                guard let migration = try TypeMigration.find(type, in: self, countsVersions: false),
                    !migration.isDeferred(allowingOlderLayout: allowsOlderLayout)
                else { continue }
                try checkLayouts([migration])
                try migration.carryOut(in: try isCancelled.passing(self), .large, progress)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        for type in try typesWithUnfinishedIndexes {
            do {
                let reports = try Self.buildIndexes(
                    of: type, in: try isCancelled.passing(self), .large, progress)
                failure = failure ?? reports.first
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Runs the policy's migrations of the declared types after the store is open.
    func openTypes(
        _ policy: MigrationPolicy, unless isCancelled: CancellationFlag,
        _ progress: (@Sendable (MigrationProgress) -> Void)?
    ) throws {
        try declareTypes()
        try restoreRelations(unless: isCancelled)
        try migrateRelations(policy, unless: isCancelled) { progress?($0) }
        let writeError = try readToEnd { $0.catalogSnapshot.writeError }
        let mayWrite = !isReadOnly && writeError == nil
        let undeclared = try undeclaredIndexes
        var all = try migrations(of: declaredTypes, countingVersions: policy.timing == .refuse)
        try checkLayouts(all.filter { $0.isDowngrade && !$0.isFollowing })
        if mayWrite, !undeclared.isEmpty {
            if policy.dropsUndeclaredIndexes {
                try checkBeforeDrop(all, policy, unless: isCancelled) { progress?($0) }
                try dropIndexes(undeclaredBy: undeclared.map(\.schema))
                all = try migrations(of: declaredTypes, countingVersions: policy.timing == .refuse)
            } else {
                for (schema, names) in undeclared { warn(of: names, undeclaredBy: schema) }
            }
        }
        guard try !all.isEmpty || !typesWithUnfinishedIndexes.isEmpty else { return }
        // If this program would not maintain some indexes of a type, it only reads the type.
        let migrations = all.filter {
            !$0.hasUndeclaredIndexes && !$0.isDeferred(allowingOlderLayout: allowsOlderLayout)
        }
        try refuse(migrations, policy)
        for migration in migrations { try migration.check() }
        let urgent = urgent(migrations, policy)
        if isReadOnly || writeError != nil {
            for migration in urgent where migration.changesKeys { throw writeError ?? migration.unmigratedKeys(path) }
            return
        }
        if policy.refusesLoss, policy.leavesWork {
            for migration in migrations { try migration.checkLosses(in: try isCancelled.passing(self)) }
        } else if policy.timing == .lazily {
            for migration in migrations where !migration.changesKeys { migration.warnOfDroppedFields(path) }
        }
        try migrate(urgent, unless: isCancelled) { progress?($0) }
        // With `refuse`, no index is left to build here; an index may still need its check for duplicate values.
        if policy.timing == .onOpen || policy.timing == .refuse {
            for type in try typesWithUnfinishedIndexes {
                warn(of: try Self.buildIndexes(of: type, in: try isCancelled.passing(self), .large) { progress?($0) })
            }
        }
        if policy.timing == .background {
            migrateInBackground(try current(migrations.filter { !$0.changesKeys && !$0.isTrivial }, after: urgent))
        }
    }

    /// Returns the migrations that cannot wait until the store is open.
    private func urgent(_ migrations: [TypeMigration], _ policy: MigrationPolicy) -> [TypeMigration] {
        policy.timing == .onOpen ? migrations : migrations.filter { $0.changesKeys || $0.isTrivial }
    }

    /// Throws the plan of the migrations if the policy refuses it.
    private func refuse(_ migrations: [TypeMigration], _ policy: MigrationPolicy) throws {
        guard policy.timing == .refuse else { return }
        let plan = try plan(of: declaredTypes, migrations, droppingIndexes: policy.dropsUndeclaredIndexes)
        if plan.types.contains(where: \.changesRecords) {
            throw StoreError.schema(.migrationRefused(path: path, plan: plan.description))
        }
    }

    /// Throws the error that would keep the store from opening after its undeclared indexes are dropped.
    private func checkBeforeDrop(
        _ all: [TypeMigration], _ policy: MigrationPolicy, unless isCancelled: CancellationFlag,
        _ progress: (MigrationProgress) -> Void
    ) throws {
        let migrations = all.filter {
            $0.source.relations.undeclared.isEmpty && !$0.isDeferred(allowingOlderLayout: allowsOlderLayout)
        }
        try refuse(migrations, policy)
        for migration in migrations { try migration.check() }
        for migration in urgent(migrations, policy) where migration.canFail {
            try migration.validate(in: try isCancelled.passing(self), progress)
        }
        guard policy.refusesLoss else { return }
        for migration in migrations { try migration.checkLosses(in: try isCancelled.passing(self)) }
    }

    /// Logs damaged and unreadable records, violations of unique constraints, and failed closures. They do not keep the
    /// store from opening.
    func warn(of reports: [StoreError]) {
        for error in reports {
            let isUnfinished = if case .text(.gatheringFailed) = error { true } else { false }
            Logger(label: "trove").warning(
                isUnfinished
                    ? "An index is not built" : "Records are damaged, unreadable, or violate a unique constraint",
                metadata: ["path": "\(path)", "error": "\(error)"])
        }
    }

    /// Migrates until no work is left, or the store is closed. Then the next process to open the store continues.
    private func migrateInBackground(_ migrations: [TypeMigration]) {
        let (path, declaredTypes) = (path, declaredTypes)
        let reports = reports ?? MigrationReports { _ in }
        backgroundWork.start { [weak self] in
            func store() throws -> Store {
                guard let self, !self.environment.isClosing else { throw CancellationError() }
                return self
            }
            func carryOut(_ type: any IndexKeyRecord.Type, _ body: () throws -> Void) throws(CancellationError) {
                do {
                    try body()
                } catch let error as CancellationError {
                    throw error
                } catch StoreError.transaction(.closed) {
                    throw CancellationError()
                } catch {
                    Logger(label: "trove").warning(
                        "A background migration has stopped",
                        metadata: ["path": "\(path)", "type": "\(type.schema.qualifiedName)", "error": "\(error)"])
                }
            }
            do {
                try reports.migrating {
                    for migration in migrations {
                        try carryOut(migration.type) { try migration.carryOut(in: store(), .small, reports.add) }
                    }
                    for type in declaredTypes {
                        try carryOut(type) {
                            guard try store().hasUnfinishedIndexes(type) else { return }
                            let found = try Self.buildIndexes(of: type, in: store(), .small, reports.add)
                            try store().warn(of: found)
                        }
                    }
                }
            } catch {
                // The store has been closed.
            }
        }
    }

    /// The declared types with indexes to build, or to check for duplicate values.
    private var typesWithUnfinishedIndexes: [any IndexKeyRecord.Type] {
        get throws { try declaredTypes.filter { try hasUnfinishedIndexes($0) } }
    }

    private func hasUnfinishedIndexes(_ type: any IndexKeyRecord.Type) throws -> Bool {
        let unfinished = try unfinishedIndexes(of: type)
        return unfinished.mayHaveDuplicates || !unfinished.unready.isEmpty
    }

    private func declareTypes() throws {
        try readToEnd { context in
            var conflicts: [StoreError.SchemaError] = []
            for type in declaredTypes {
                do {
                    try catalog.declare(type.schema, in: context.catalogSnapshot)
                } catch StoreError.schema(let error) {
                    guard case .prefixTaken = error else { throw StoreError.schema(error) }
                    conflicts.append(error)
                }
            }
            if let first = conflicts.first {
                throw StoreError.schema(conflicts.count == 1 ? first : .prefixesTaken(path: path, conflicts: conflicts))
            }
        }
    }

    func migrations(of types: [any IndexKeyRecord.Type], countingVersions: Bool) throws -> [TypeMigration] {
        try types.compactMap { try TypeMigration.find($0, in: self, countsVersions: countingVersions) }
    }

    /// Throws if the store has a newer layout of a type than this program, unless the older layout is allowed.
    private func checkLayouts(_ migrations: [TypeMigration]) throws {
        if allowsOlderLayout { return }
        for migration in migrations { if let newer = migration.source.outdated { throw newer } }
    }

    /// Runs the migrations. Migrations that can fail are validated before any record is rewritten.
    private func migrate(
        _ migrations: [TypeMigration], unless isCancelled: CancellationFlag, _ progress: (MigrationProgress) -> Void
    ) throws {
        for migration in migrations where migration.canFail {
            try migration.validate(in: try isCancelled.passing(self), progress)
        }
        for migration in migrations { try migration.checkLosses(in: try isCancelled.passing(self)) }
        let others = migrations.filter { !$0.isFollowing }
        for migration in others { try migration.rewrite(in: try isCancelled.passing(self), .large, progress) }
        for migration in try current(migrations.filter(\.isFollowing), after: others) {
            try migration.rewrite(in: try isCancelled.passing(self), .large, progress)
        }
    }

    /// Returns the migrations as they are after the migrations of other types. Ids in deleted entities have got the new
    /// keys of records, and so their layout has changed.
    private func current(
        _ migrations: [TypeMigration], after others: [TypeMigration]
    ) throws -> [TypeMigration] {
        guard others.contains(where: \.changesKeys) else { return migrations }
        return try migrations.compactMap { migration in
            guard migration.isFollowing else { return migration }
            return try TypeMigration.find(migration.type, in: self, countsVersions: false)
        }
    }
}

extension [any IndexKeyRecord.Type] {
    /// The types, with the types that follow an entity type after all others.
    fileprivate var followingTypesLast: Self {
        filter { !($0 is any FollowingRecord.Type) } + filter { $0 is any FollowingRecord.Type }
    }
}

extension TypeMigration {
    /// Rewrites the records. If conversions can fail, all records are first converted on trial.
    fileprivate func carryOut(
        in store: @autoclosure () throws -> Store, _ size: BatchSize, _ progress: (MigrationProgress) -> Void
    ) throws {
        try check()
        if canFail { try validate(in: store(), progress) }
        try checkLosses(in: store())
        try rewrite(in: store(), size, progress)
    }

    fileprivate func unmigratedKeys(_ path: String) -> StoreError {
        .schema(
            .keyLayoutChanged(
                path: path, type: type.schema.name, stored: source.type.keyLayout, declared: type.schema.keyLayout))
    }
}
