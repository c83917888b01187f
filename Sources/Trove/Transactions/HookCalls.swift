// The calls of hooks in a write transaction: a change of several records finds out whether a hook has run meanwhile.

/// The calls of hooks in a transaction, such as the hooks of entities.
struct HookCalls: PartValue {
    /// The number of hooks that are running, each within the next.
    var depth = 0
    /// The number of hooks that the transaction has called.
    var count = 0
}

extension TransactionContext {
    /// The calls of hooks in this transaction.
    var hookCalls: ValuePart<HookCalls> { part(ValuePart<HookCalls>.self) }
}
