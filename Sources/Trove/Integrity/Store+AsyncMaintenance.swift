// The async forms of copies, checks, rebuilds, verification, salvage and upgrades.

extension Store {
    /// The async form of `copy(to:compacting:)`.
    @discardableResult
    public func copy(to destination: String, compacting: Bool = false) async throws -> CopyReport {
        try await Self.inBackground(on: Self.migrators) { _ in try self.copy(to: destination, compacting: compacting) }
    }

    /// The async form of `copyChanges(since:to:)`.
    @discardableResult
    public func copyChanges(since token: HistoryToken, to destination: String) async throws -> CopyReport {
        try await Self.inBackground(on: Self.migrators) { _ in try self.copyChanges(since: token, to: destination) }
    }

    /// The async form of `applyChanges(to:)`.
    @discardableResult
    public func applyChanges(to copy: String) async throws -> AppliedChanges {
        try await Self.inBackground(on: Self.migrators) { _ in try self.applyChanges(to: copy) }
    }

    /// The async form of `applyChanges(from:to:)`.
    @discardableResult
    public static func applyChanges(from path: String, to copy: String) async throws -> AppliedChanges {
        try await inBackground(on: migrators) { _ in try applyChanges(from: path, to: copy) }
    }

    /// The async form of `check(gathering:progress:)`. It also calls the closures that gather outside of transactions.
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled.
    public func check(
        gathering: Bool = false, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> [IndexDifference] {
        var differences = try await Self.inBackground(on: Self.migrators) { isCancelled in
            try self.check(gathering: gathering, progress: isCancelled.checking(progress))
        }
        for type in declaredTypes where gathering { differences += try await staleTexts(of: type.schema) }
        return Array(differences.prefix(IndexDifference.limit))
    }

    /// The async form of `check(_:index:gathering:progress:)`. It also calls the closures that gather outside of
    /// transactions.
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled.
    public func check<Record: IndexKeyRecord>(
        _ type: Record.Type, index: String? = nil, gathering: Bool = false,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> [IndexDifference] {
        let differences = try await Self.inBackground(on: Self.migrators) { isCancelled in
            try self.check(type, index: index, gathering: gathering, progress: isCancelled.checking(progress))
        }
        let stale = gathering ? try await staleTexts(of: type.schema).filter { index ?? $0.index == $0.index } : []
        return Array((differences + stale).prefix(IndexDifference.limit))
    }

    /// The async form of `relationNotes()`.
    public func relationNotes() async throws -> RelationNotes {
        try await Self.inBackground(on: Self.migrators) { _ in try self.relationNotes() }
    }

    /// The async form of `rebuild(_:index:progress:)`.
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled. The rebuild resumes when a program with the type
    ///   opens the store, or with `finishMigrations(progress:)`.
    public func rebuild<Record: IndexKeyRecord>(
        _ type: Record.Type, index: String? = nil, progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) async throws {
        try await Self.inBackground(on: Self.migrators) { isCancelled in
            try self.rebuild(type, index, unless: isCancelled) { progress?($0) }
        }
    }

    /// The async form of `rebuild(progress:)`.
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled. The rebuild resumes when a program with the type
    ///   opens the store, or with `finishMigrations(progress:)`.
    public func rebuild(progress: (@Sendable (MigrationProgress) -> Void)? = nil) async throws {
        try await Self.inBackground(on: Self.migrators) { isCancelled in
            try self.rebuild(unless: isCancelled) { progress?($0) }
        }
    }

    /// The async form of `verify(path:progress:)`.
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled.
    public static func verify(
        path: String, progress: @escaping @Sendable (_ pages: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> VerificationReport {
        try await inBackground(on: migrators) { isCancelled in
            try verify(path: path, progress: isCancelled.checking(progress))
        }
    }

    /// The async form of `salvage(from:to:strayPages:progress:)`.
    public static func salvage(
        from source: String, to destination: String, strayPages: Bool = false,
        progress: @escaping @Sendable (_ pages: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> SalvageReport {
        try await inBackground(on: migrators) { _ in
            try salvage(from: source, to: destination, strayPages: strayPages, progress: progress)
        }
    }

    /// The async form of `upgrade(path:keepingOriginal:progress:)`.
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled. The file then stays as it was.
    @discardableResult
    public static func upgrade(
        path: String, keepingOriginal: Bool = false,
        progress: @escaping @Sendable (_ pages: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> UpgradeReport {
        try await inBackground(on: migrators) { isCancelled in
            try upgrade(path, keepingOriginal, unless: isCancelled, progress)
        }
    }

    /// The async form of `markForRebuild(_:of:)`.
    public func markForRebuild(_ index: String? = nil, of type: StoredType) async throws -> [String] {
        try await Self.inBackground(on: Self.migrators) { _ in try self.markForRebuild(index, of: type) }
    }
}
