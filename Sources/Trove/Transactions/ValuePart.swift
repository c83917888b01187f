// A part of a transaction whose whole state is a value: an undone nested transaction restores it.

/// The state of a part: a value that nested transactions inherit.
protocol PartValue {
    init()

    /// The value at the begin of a nested transaction.
    var nested: Self { get }

    /// Takes over the value at the end of a committed nested transaction.
    mutating func formCommit(of nested: Self)

    /// Forgets tables and relations: the transaction has changed some.
    mutating func forgetTables()
}

extension PartValue {
    var nested: Self { self }
    mutating func formCommit(of nested: Self) { self = nested }
    mutating func forgetTables() {}
}

/// A value as a part of a transaction.
final class ValuePart<Value: PartValue>: TransactionPart {
    var value = Value()
    /// The values of the enclosing transactions, the outermost first.
    private var enclosing: [Value] = []

    init(in context: TransactionContext) {}

    func beginNested(_ context: TransactionContext) {
        enclosing.append(value)
        value = value.nested
    }

    func endNested(in context: TransactionContext, isCommitted: Bool) {
        let nested = value
        value = enclosing.popLast() ?? Value()
        if isCommitted { value.formCommit(of: nested) }
    }

    func forgetTables() { value.forgetTables() }
}
