// Deferred checks: a statement compares unique values at its end, so records can swap values.

import LMDB
import TroveCoding

/// A collision to be checked at the end of a statement.
struct DeferredCheck {
    /// Whether the collision rule removes the other record.
    var replaces: Bool
    var run: (TransactionContext) throws -> Void
}

extension TransactionContext {
    /// Calls a closure for changes of several records. An error undoes all of the changes.
    ///
    /// Unique values are compared at the end if their rule is to throw or to replace. So two records can swap values.
    @usableFromInline
    func statement<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        try nested { context in
            context.isStatement = true
            let result = try body(context)
            context.isStatement = false
            try context.runDeferredChecks()
            return result
        }
    }

    /// Resolves the remaining collisions at the end of a statement.
    ///
    /// If records replace each other, the record saved last stays. Collisions whose rule is to throw are checked after
    /// all removals.
    private func runDeferredChecks() throws {
        try translatingErrors {
            for check in deferredChecks.reversed() where check.replaces { try check.run(self) }
            for check in deferredChecks where !check.replaces { try check.run(self) }
            deferredChecks = []
        }
    }
}
