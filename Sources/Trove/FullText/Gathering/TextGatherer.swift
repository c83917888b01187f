// The tasks of a store that gather texts, after commits and at opening: one for each type, so that a type whose texts
// cannot be gathered does not keep others waiting.

/// Gathers the texts of some types of a store in tasks, whenever records may wait.
final class TextGatherer: StoreTask {
    private let types: [TypeTextGatherer]

    /// - Parameters:
    ///   - types: The types. Only types with texts to gather outside of transactions count.
    ///   - pause: Waits before another attempt, after a number of failures of a type. Tests do not wait.
    init(
        _ types: [any IndexKeyRecord.Type],
        pause: @escaping @Sendable (_ failures: Int) async throws -> Void = { failures in
            try await Task.sleep(for: .seconds(1 << (min(failures, TypeTextGatherer.mostFailures) - 1)))
        }
    ) {
        let schemas = types.map { $0.schema }.filter { schema in
            schema.gatherings.contains { $0.gathering.isAsync }
        }
        self.types = schemas.map { TypeTextGatherer($0, pause: pause) }
    }

    /// Begins to gather: now, and after each commit of this process that changes records of the types.
    func start(_ store: Store) { for type in types { type.start(store) } }

    /// Ends the tasks at their next steps, and begins no others.
    func stop() { for type in types { type.stop() } }

    /// Returns when all tasks have ended. The tasks themselves do not wait.
    func end() async { for type in types { await type.end() } }

    /// The running tasks.
    var tasks: [Task<Void, Never>] { types.compactMap(\.task) }
}

extension TextMaintainer: TaskMaintainer {
    func task(for types: [any IndexKeyRecord.Type], _ options: StoreOptions) -> (any StoreTask)? {
        options.gathersTexts && !options.isReadOnly ? TextGatherer(types) : nil
    }
}
