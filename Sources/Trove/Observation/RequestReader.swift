// The reader of an observed request that is run again for each value.

/// Reads the values of any request.
final class RequestReader<Value: Sendable>: ObservedReader {
    private let fetch: (ReadContext) throws -> Value
    private let isEqual: (Value, Value) throws -> Bool
    private var last: Value?

    /// - Parameters:
    ///   - fetch: Returns the value in a snapshot.
    ///   - isEqual: Returns whether a value need not be given after another.
    init(_ fetch: @escaping (ReadContext) throws -> Value, isEqual: @escaping (Value, Value) throws -> Bool) {
        self.fetch = fetch
        self.isEqual = isEqual
    }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        let new = try fetch(context)
        if let last, try isEqual(last, new) { return false }
        last = new
        return true
    }

    func value() throws -> Value {
        guard let last else { throw CancellationError() }
        return last
    }

    func mayChange(in round: Round) -> Bool { true }
}
