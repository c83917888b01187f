// The context of a closure that gathers texts in a transaction: it reads the transaction's own changes, and cannot
// write.

/// A write transaction as its gathering closures see it.
@safe final class GatheringContext: ReadContext {
    private let transaction: TransactionContext

    /// - Parameter transaction: A nested transaction for the length of the closure.
    init(_ transaction: TransactionContext) {
        self.transaction = transaction
        super.init(transaction.core, in: transaction)
    }

    override func findTable(for schema: RecordSchema) throws -> RecordTable? {
        try transaction.findTable(for: schema)
    }

    override var relations: [UInt32: StoredRelation] { transaction.relations }

    override func flushParts() throws { try transaction.flushParts() }

    override func flushOwnParts() throws { try transaction.flushOwnParts() }
}
