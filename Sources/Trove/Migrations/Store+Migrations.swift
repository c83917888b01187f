// The migrations of a store's declared types: when it opens, behind it, when they are asked for, and as a plan.

import Dispatch
import Logging

extension Store {
    /// What opening the store with these types would do to its records; nothing is changed.
    ///
    /// ```swift
    /// let store = try Store(path: "people.trove")
    /// print(try store.migrationPlan(for: [Person.self, Pet.self]))
    /// ```
    ///
    /// - Parameters:
    ///   - types: Record types as they are in this program.
    ///   - validating: Whether every record is converted on trial, so that the plan tells of those that cannot be.
    /// - Throws: ``StoreError`` where a type contradicts what is stored: another type has its prefix, or its version is
    ///   stored with another layout.
    /// - Complexity: O(*n*) in the number of records of types that have changed.
    public func migrationPlan(
        for types: [any IndexKeyRecord.Type], validating: Bool = false
    ) throws -> MigrationPlan {
        let migrations = try self.migrations(of: types.map { MigratableType($0) }, countingVersions: true)
            .filter { !$0.isTrivial }
        var plan = MigrationPlan(types: migrations.map(\.plan))
        guard validating else { return plan }
        for (index, migration) in migrations.enumerated() where plan.types[index].isPossible {
            do {
                try migration.validate(in: self) { _ in }
            } catch {
                // Also one of the type's own.
                plan.types[index].note(error)
            }
        }
        return plan
    }

    /// Rewrites the records of the declared types that do not have the present layout yet: what
    /// ``MigrationPolicy/lazily`` has left, and what ``MigrationPolicy/background`` has not done so far.
    ///
    /// A type whose records cannot be migrated does not keep the others from it.
    ///
    /// - Parameter progress: Receives how far it is, on this thread.
    /// - Throws: ``StoreError`` as opening the store with ``MigrationPolicy/onOpen`` does, when all is done that can be.
    public func finishMigrations(progress: ((MigrationProgress) -> Void)? = nil) throws {
        try finishMigrations(unless: CancellationFlag()) { progress?($0) }
    }

    private func finishMigrations(
        unless isCancelled: CancellationFlag, _ progress: (MigrationProgress) -> Void
    ) throws {
        try checkIsWritable()
        var failure: (any Error)?
        for type in declaredTypes {
            do {
                guard let migration = try TypeMigration.find(type, in: self, countsVersions: false) else { continue }
                try checkLayouts([migration])
                try migration.carryOut(in: try isCancelled.passing(self), .large, progress)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        for type in try unfinishedTypes {
            do {
                try Self.buildSecondaryTables(of: type, in: try isCancelled.passing(self), .large, progress)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The same for async functions, on a thread where it may take its time.
    ///
    /// - Parameter progress: Receives how far it is, on that thread.
    /// - Throws: As the synchronous form does; `CancellationError` when the task is cancelled: what is done stays done.
    public func finishMigrations(progress: (@Sendable (MigrationProgress) -> Void)? = nil) async throws {
        let isCancelled = CancellationFlag()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                Self.migrators.async {
                    continuation.resume(
                        with: Result { try self.finishMigrations(unless: isCancelled) { progress?($0) } })
                }
            }
        } onCancel: {
            isCancelled.raise()
        }
    }

    /// Where migrations run that nobody waits for on a thread.
    static let migrators = DispatchQueue(label: "trove.migrations", qos: .utility, attributes: .concurrent)

    /// Does what the policy says about the declared types, when the store has opened.
    func openTypes(_ policy: MigrationPolicy, _ progress: (@Sendable (MigrationProgress) -> Void)?) throws {
        try declareTypes()
        let migrations = try migrations(of: declaredTypes, countingVersions: policy.timing == .refuse)
        let hasUnfinishedTables = try !unfinishedTypes.isEmpty
        guard !migrations.isEmpty || hasUnfinishedTables else { return }
        try checkLayouts(migrations)
        let refused = migrations.filter { !$0.isTrivial }
        if policy.timing == .refuse, !refused.isEmpty {
            let plan = MigrationPlan(types: refused.map(\.plan))
            throw StoreError.migrationRefused(path: path, plan: plan.description)
        }
        for migration in migrations { try migration.check() }
        let urgent = policy.timing == .onOpen ? migrations : migrations.filter { $0.changesKeys || $0.isTrivial }
        if isReadOnly {
            for migration in urgent where migration.changesKeys { throw migration.unmigratedKeys(path) }
            return
        }
        try migrate(urgent) { progress?($0) }
        if policy.timing == .onOpen { try buildSecondaryTables { progress?($0) } }
        if policy.timing == .background {
            migrateInBackground(migrations.filter { !$0.changesKeys && !$0.isTrivial }) { progress?($0) }
        }
    }

    /// Goes on until there is nothing left to do, or nobody has the store open: then whoever opens it next goes on.
    private func migrateInBackground(
        _ migrations: [TypeMigration], _ progress: @escaping @Sendable (MigrationProgress) -> Void
    ) {
        let path = path
        Self.migrators.async { [weak self] in
            func store() throws -> Store {
                guard let self else { throw CancellationError() }
                return self
            }
            for migration in migrations {
                do {
                    try migration.carryOut(in: store(), .small, progress)
                } catch is CancellationError {
                    return
                } catch {
                    Logger(label: "trove").warning(
                        "A migration in the background has stopped",
                        metadata: ["path": "\(path)", "type": "\(migration.typeName)", "error": "\(error)"])
                }
            }
        }
    }

    /// The declared types of which there are records, and secondary tables that do not have the entries of all.
    private var unfinishedTypes: [MigratableType] {
        get throws {
            try read { context in
                declaredTypes.filter { type in
                    guard let stored = context.image.recordTable(type.schema.keyPrefix)?.type else { return false }
                    let numbers = stored.numbers(of: type.schema.secondaryTables)
                    return numbers?.contains { stored.secondaryTables[$0]?.isReady == false } ?? true
                }
            }
        }
    }

    /// Makes what can be made. A unique constraint that the records contradict keeps nobody from opening the store.
    private func buildSecondaryTables(_ progress: (MigrationProgress) -> Void) throws {
        for type in try unfinishedTypes {
            do {
                try Self.buildSecondaryTables(of: type, in: self, .large, progress)
            } catch StoreError.notUnique(let name, let table, let key, let existing) {
                let error = StoreError.notUnique(type: name, table: table, key: key, existing: existing)
                Logger(label: "trove").warning(
                    "A unique constraint is not in force", metadata: ["path": "\(path)", "error": "\(error)"])
            }
        }
    }

    private func declareTypes() throws {
        try read { context in
            for type in declaredTypes { try catalog.declare(type.schema, in: context.image) }
        }
    }

    private func migrations(of types: [MigratableType], countingVersions: Bool) throws -> [TypeMigration] {
        try types.compactMap { try TypeMigration.find($0, in: self, countsVersions: countingVersions) }
    }

    /// Refuses a program whose layout of a type is the newest one no more, unless it may take it up again.
    private func checkLayouts(_ migrations: [TypeMigration]) throws {
        if allowsOlderLayout { return }
        for migration in migrations { if let newer = migration.source.outdated { throw newer } }
    }

    /// Validates all that can fail before anything is rewritten.
    private func migrate(_ migrations: [TypeMigration], _ progress: (MigrationProgress) -> Void) throws {
        for migration in migrations where migration.canFail { try migration.validate(in: self, progress) }
        for migration in migrations { try migration.rewrite(in: self, .large, progress) }
    }
}

extension CancellationFlag {
    /// A store to go on with, unless the task is cancelled.
    fileprivate func passing(_ store: Store) throws -> Store {
        try check()
        return store
    }
}

extension TypeMigration {
    /// Rewrites the records, after all of them were converted on trial where that can fail.
    fileprivate func carryOut(
        in store: @autoclosure () throws -> Store, _ size: BatchSize, _ progress: (MigrationProgress) -> Void
    ) throws {
        try check()
        if canFail { try validate(in: store(), progress) }
        try rewrite(in: store(), size, progress)
    }

    fileprivate func unmigratedKeys(_ path: String) -> StoreError {
        .keyLayoutChanged(
            path: path, type: type.schema.name, stored: source.type.keyLayout, declared: type.schema.keyLayout)
    }
}

extension MigrationPlan.RecordType {
    /// Notes the record that cannot be converted.
    fileprivate mutating func note(_ error: any Error) {
        var index = versions.startIndex
        if case StoreError.unconvertible(_, let version, _, _) = error {
            index = versions.firstIndex { $0.version == version } ?? index
        }
        if versions.indices.contains(index) { versions[index].way = .impossible("\(error)") }
    }
}
