// The receivers of the end of a write transaction.

/// The receiver of the end of a write transaction, on the thread of the transaction, which still has the writer's turn.
protocol TransactionOutcome {
    /// The transaction is committed.
    ///
    /// - Parameter number: The number of the transaction; nil if it has changed nothing, and so has no number.
    func noteCommitted(_ number: Int?)

    /// An error of a closure has undone the transaction, or the nested transaction in which the receiver was added.
    func noteUndone()

    /// The commit has failed. With an unknown outcome, the changes may be stored nevertheless.
    func noteFailed()
}
