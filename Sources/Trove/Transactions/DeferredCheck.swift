// Deferred checks: the unique values of a statement are compared at its end, so that records can swap values.

import LMDB
import TroveCoding

/// A collision to be checked at the end of a statement.
struct DeferredCheck {
    /// Whether the collision rule removes the other record.
    var replaces: Bool
    var run: (TransactionContext) throws -> Void
}

extension TransactionContext {
    /// Calls a closure that changes several records. An error undoes all of the changes.
    ///
    /// Unique values whose rule is to throw or to replace are compared at the end, so that two records can swap values.
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

    /// Resolves the collisions that are left at the end of a statement.
    ///
    /// Of records that replace each other, the record that was saved last stays. Records that must not collide are
    /// compared after the others are removed.
    private func runDeferredChecks() throws {
        try translatingErrors {
            for check in deferredChecks.reversed() where check.replaces { try check.run(self) }
            for check in deferredChecks where !check.replaces { try check.run(self) }
            deferredChecks = []
        }
    }
}
