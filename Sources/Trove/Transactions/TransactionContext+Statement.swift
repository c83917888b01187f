// Statements: changes of several records, saved one after another. Unique values and delete rules that deny are checked
// at the end.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Calls a closure for changes of several records. An error undoes all of the changes.
    ///
    /// Each record is saved as by a call of its own. Only unique values whose rule is to throw, and relations whose
    /// rule is to deny, are checked at the end. So two records can swap values. Inside another statement, such as in a
    /// hook of an entity, in a collision rule, or in a nested transaction of either, the end is the end of the
    /// outermost statement.
    @usableFromInline
    func statement<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        if isUndoneByErrors { return try run(body, isOutermost: !isStatement) }
        return try nested { context in
            context.isUndoneByErrors = true
            return try context.run(body, isOutermost: !isStatement)
        }
    }

    private func run<R>(_ body: (TransactionContext) throws -> R, isOutermost: Bool) throws -> R {
        isStatement = true
        let result = try body(self)
        guard isOutermost else { return result }
        isStatement = false
        try runDeferredChecks()
        return result
    }

    /// Calls a closure of the program, which may catch errors: its statements have transactions of their own.
    func callingProgram<R>(_ body: () throws -> R) rethrows -> R {
        let wasUndone = isUndoneByErrors
        isUndoneByErrors = false
        defer { isUndoneByErrors = wasUndone }
        return try body()
    }

    /// Runs the checks that a statement has deferred, until none is left: a check can change records.
    private func runDeferredChecks() throws {
        try translatingErrors {
            while !deferredChecks.isEmpty {
                let checks = deferredChecks
                deferredChecks = []
                for check in checks { try check(self) }
            }
        }
    }

    /// Begins to keep the records that this statement's collision rules remove. A record still to come is then saved
    /// all the same.
    ///
    /// - Returns: The stored value of a removed record, by its key; nil for entities, or if no rule of the type removes
    ///   records.
    @usableFromInline
    func keepReplaced<Record: IndexKeyRecord>(_ type: Record.Type) -> ((_ key: ByteView) -> [UInt8]?)? {
        guard Record.replacesRecords, !Record.schema.isOfEntities else { return nil }
        replacedRecords = ReplacedRecords()
        return { key in self.replacedRecords?[Record.schema.keyPrefix, key.copy()] }
    }
}
