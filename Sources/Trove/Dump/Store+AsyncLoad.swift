// The async forms of loading text.

import LMDB
import TroveText

extension Store {
    /// The async form of `load(_:onConflict:type:schema:keepsIndexes:analyzers:nextLine:progress:)`. The closures run
    /// on a background thread.
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled before the next line: nothing is loaded.
    @discardableResult
    public func load(
        _ format: LoadFormat = .json, onConflict rule: ConflictRule = .throw, type: String? = nil,
        schema: [DumpedType] = [], keepsIndexes: Bool = false, analyzers: [TextAnalyzer] = [],
        nextLine: @escaping @Sendable () throws -> String?, progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws -> LoadReport {
        let options = LoadOptions(
            rule: rule, type: type, schema: schema, keepsIndexes: keepsIndexes, analyzers: analyzers)
        return try await Self.inBackground(on: Self.migrators) { isCancelled in
            try self.load(format, options, unless: isCancelled, nextLine, progress)
        }
    }

    /// The async form of `load(_:from:onConflict:type:schema:keepsIndexes:analyzers:progress:)`. The lines are read on
    /// a background thread, where the progress is reported.
    ///
    /// ```swift
    /// let rows = ["name,price", "Chair,12.50"]
    /// try await store.load(.csv, from: rows, type: "Product")
    /// ```
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled before the next line: nothing is loaded.
    @discardableResult
    public func load<Lines: Sequence & Sendable>(
        _ format: LoadFormat = .json, from lines: Lines, onConflict rule: ConflictRule = .throw, type: String? = nil,
        schema: [DumpedType] = [], keepsIndexes: Bool = false, analyzers: [TextAnalyzer] = [],
        progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws -> LoadReport where Lines.Element: StringProtocol {
        let options = LoadOptions(
            rule: rule, type: type, schema: schema, keepsIndexes: keepsIndexes, analyzers: analyzers)
        return try await Self.inBackground(on: Self.migrators) { isCancelled in
            var lines = lines.makeIterator()
            return try self.load(
                format, options, unless: isCancelled, { lines.next().map { String($0) } }, progress)
        }
    }

    /// Loads the lines of an async sequence, such as the lines of a file or of a download, as
    /// `load(_:from:onConflict:type:schema:keepsIndexes:analyzers:progress:)` does.
    ///
    /// ```swift
    /// try await store.load(.csv, from: file.lines, type: "Product") { print($0.records) }
    /// ```
    ///
    /// The transaction begins with the call: other writes wait until the last line is loaded. The sequence must not
    /// write to the store. The lines have no line feeds, and are read in the caller's task. `progress` is called on a
    /// background thread.
    ///
    /// - Throws: Also the error of the sequence, and `CancellationError` if the task is cancelled before the last line:
    ///   nothing is loaded.
    @discardableResult
    public func load<Lines: AsyncSequence>(
        _ format: LoadFormat = .json, from lines: sending Lines, onConflict rule: ConflictRule = .throw,
        type: String? = nil, schema: [DumpedType] = [], keepsIndexes: Bool = false, analyzers: [TextAnalyzer] = [],
        progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws -> LoadReport where Lines.Element: StringProtocol {
        let channel = LineChannel()
        let options = LoadOptions(
            rule: rule, type: type, schema: schema, keepsIndexes: keepsIndexes, analyzers: analyzers)
        return try await withTaskCancellationHandler {
            async let report = Self.inBackground(on: Self.migrators) { isCancelled in
                defer { channel.close() }
                return try self.load(format, options, unless: isCancelled, { try channel.next() }, progress)
            }
            do {
                for try await line in lines {
                    guard await channel.send(String(line)) else { break }
                }
                channel.finish(throwing: Task.isCancelled ? CancellationError() : nil)
            } catch {
                channel.finish(throwing: error)
            }
            return try await report
        } onCancel: {
            channel.finish(throwing: CancellationError())
        }
    }

    /// The async form of `create(at:loading:onConflict:type:schema:nextLine:progress:)`. The closures run on a
    /// background thread.
    ///
    /// - Throws: Also `CancellationError` if the task is cancelled before the next line: no store is created.
    @discardableResult
    public static func create(
        at path: String, loading format: LoadFormat = .json, onConflict rule: ConflictRule = .throw,
        type: String? = nil, schema: [DumpedType] = [], nextLine: @escaping @Sendable () throws -> String?,
        progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws -> LoadReport {
        try await inBackground(on: migrators) { isCancelled in
            try create(
                at: path, loading: format, onConflict: rule, type: type, schema: schema,
                nextLine: {
                    try isCancelled.check()
                    return try nextLine()
                }, progress: progress)
        }
    }
}
