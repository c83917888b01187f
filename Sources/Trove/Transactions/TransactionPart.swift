// The parts of a write transaction: the state that other folders keep for its length.
//
//     part(_:)       the first use creates the part
//     beginNested    a nested transaction begins: its changes may be undone alone
//     endNested      it ends, kept or undone
//     finish         a closure of the program has returned
//     flush          before a search, and before the commit
//     noteCommitted  after the commit

/// The state of a capability in a write transaction, such as its full-text indexes or its links.
///
/// Nested transactions use the same part. A part created in a nested transaction has not seen its beginning.
protocol TransactionPart: AnyObject {
    /// Creates the part of a transaction.
    init(in context: TransactionContext)

    /// Begins a nested transaction.
    func beginNested(_ context: TransactionContext)

    /// Ends a nested transaction of a transaction.
    func endNested(in context: TransactionContext, isCommitted: Bool)

    /// Forgets tables and relations: the transaction has changed some.
    func forgetTables()

    /// Runs the work that a closure of the program has left. An error belongs to the closure.
    func finish(in context: TransactionContext) throws

    /// Writes all pending changes.
    func flush(in context: TransactionContext) throws

    /// Whether a flush calls closures of the program.
    static var callsProgram: Bool { get }

    /// Notes that the outermost transaction is committed.
    ///
    /// - Parameters:
    ///   - transaction: The number of the commit.
    ///   - hasChangedTypes: Whether it has changed types in the catalog.
    func noteCommitted(_ transaction: Int, hasChangedTypes: Bool)
}

extension TransactionPart {
    func beginNested(_ context: TransactionContext) {}
    func endNested(in context: TransactionContext, isCommitted: Bool) {}
    func forgetTables() {}
    func finish(in context: TransactionContext) throws {}
    func flush(in context: TransactionContext) throws {}
    static var callsProgram: Bool { false }
    func noteCommitted(_ transaction: Int, hasChangedTypes: Bool) {}
}

/// The parts of a transaction and of its nested transactions, a part for each type.
final class TransactionParts {
    private(set) var all: [any TransactionPart] = []
    /// The types of the parts. A comparison takes a fraction of the time of a cast.
    private var types: [ObjectIdentifier] = []

    /// Returns the part of a type. The first call creates it.
    func part<Part: TransactionPart>(_ type: Part.Type, in context: TransactionContext) -> Part {
        if let known = known(type) { return known }
        let part = Part(in: context)
        all.append(part)
        types.append(ObjectIdentifier(type))
        return part
    }

    /// Makes a part the part of its type, and returns it.
    func begin<Part: TransactionPart>(_ part: Part) -> Part {
        if let index = types.firstIndex(of: ObjectIdentifier(Part.self)) {
            all[index] = part
        } else {
            all.append(part)
            types.append(ObjectIdentifier(Part.self))
        }
        return part
    }

    /// Returns the part of a type; nil if the transaction has not used it.
    func known<Part: TransactionPart>(_ type: Part.Type) -> Part? {
        types.firstIndex(of: ObjectIdentifier(type)).flatMap { all[$0] as? Part }
    }
}

extension TransactionContext {
    /// Returns the part of a type. The first call creates it.
    func part<Part: TransactionPart>(_ type: Part.Type) -> Part { parts.part(type, in: self) }

    /// Runs the work that a closure of the program has left to the parts. An error belongs to the closure.
    func finishParts() throws {
        for part in parts.all { try part.finish(in: self) }
    }
}
