// The async forms of migrations and their plans.

extension Store {
    /// The async form of `dropUndeclaredIndexes()`.
    @discardableResult
    public func dropUndeclaredIndexes() async throws -> [String] {
        try await Self.inBackground(on: Self.migrators) { _ in try self.dropUndeclaredIndexes() }
    }

    /// The async form of `dropUndeclaredRelations()`.
    @discardableResult
    public func dropUndeclaredRelations() async throws -> [String] {
        try await Self.inBackground(on: Self.migrators) { _ in try self.dropUndeclaredRelations() }
    }

    /// The async form of `migrationPlan(for:validating:)`.
    public func migrationPlan(
        for types: [any IndexKeyRecord.Type], validating: Bool = false
    ) async throws -> MigrationPlan {
        try await Self.inBackground(on: Self.migrators) { _ in
            try self.migrationPlan(for: types, validating: validating)
        }
    }

    /// The async form of `finishMigrations(progress:)`, on a background thread.
    ///
    /// - Parameter progress: Receives the progress, on that thread.
    /// - Throws: The errors of the synchronous form; `CancellationError` if the task is cancelled: completed batches
    ///   stay committed.
    public func finishMigrations(progress: (@Sendable (MigrationProgress) -> Void)? = nil) async throws {
        try await Self.inBackground(on: Self.migrators) { isCancelled in
            try self.finishMigrations(unless: isCancelled) { progress?($0) }
        }
    }
}
