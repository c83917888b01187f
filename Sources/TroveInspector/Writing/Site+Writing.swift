// The transactions of pages that write.

#if Inspector
import Trove
import TroveSQL

extension Site {
    /// Runs a closure whose statements write types by the code of the program that declares them, or by their stored
    /// layout, as those of `trove sql --write` do.
    func withWritingStatements<R>(_ body: () throws -> R) rethrows -> R {
        var options = ConnectionOptions()
        options.writesStoredTypes = true
        return try StatementCall.$options.withValue(options) {
            try StatementCall.$analyzers.withValue(analyzers) { try body() }
        }
    }

    /// Runs a closure in a write transaction of its own, with such statements.
    ///
    /// - Throws: The error of the opening; ``RefusedChange`` if the file has lost its name, since its changes would be
    ///   lost, too; `StoreError` if the transaction cannot begin or commit.
    func write<R: Sendable>(_ body: @escaping @Sendable (TransactionContext) throws -> R) async throws -> R {
        let store = try store.get()
        guard !store.isFileReplaced else {
            throw RefusedChange(description: "The file has lost its name, and with it the change would be lost.")
        }
        return try await store.write { [self] context in try withWritingStatements { try body(context) } }
    }
}
#endif
