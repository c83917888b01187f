// Observed values: a value of a store, and a new one after each commit that changes it.

/// A value, and a new one after each commit that changes it.
///
/// ```swift
/// for try await users in User.filter(\.age >= 18).sorted(by: \.name).values(in: store) { show(users) }
/// ```
///
/// A loop gets the first value at once, without waiting for a writer. Then it gets a value after each commit that
/// changes it, of this process or of another.
///
/// - Each value is read when the loop requests it, in a snapshot of its own. So a slow loop sees the latest value, and
///   no values queue up. Values in between may be left out, the last is never lost.
/// - Values never go back in time, and no two equal ones follow each other. A value that is requested after a write has
///   returned has that write.
/// - No writer waits for a loop. A loop may write to the store.
/// - An error of the store or of the request ends the loop, which throws it. A new loop begins with a first value. When
///   the task is cancelled, the loop ends without an error.
/// - If no read can begin because all reader slots are taken, or because the map is being enlarged, the loop tries
///   again from 10 milliseconds to a second apart. After eight failures it ends with the error.
///
/// Each loop observes the store on its own, and keeps it open until it ends.
public struct ObservedValues<Value: Sendable>: AsyncSequence, Sendable {
    /// An iteration throws any error of its request.
    public typealias Failure = any Error

    private let store: Store
    private let makeReader: @Sendable () throws -> any ObservedReader<Value>
    /// The commit after which changes count; nil for loops that begin with a first value.
    private let start: ChangesStart?
    /// The least time from one read to the next.
    private var interval = Duration.zero
    /// Waits until a time. A test replaces it.
    var sleep: @Sendable (ContinuousClock.Instant) async throws -> Void = {
        try await Task.sleep(until: $0, clock: .continuous)
    }

    /// - Parameters:
    ///   - start: The commit after which changes count; nil for loops that begin with a first value.
    ///   - makeReader: Returns the reader of an iteration. It throws the error of the request.
    init(
        _ store: Store, after start: ChangesStart? = nil,
        _ makeReader: @escaping @Sendable () throws -> any ObservedReader<Value>
    ) {
        self.store = store
        self.start = start
        self.makeReader = makeReader
    }

    /// Returns the values with a pause after each read: the next read begins no sooner than an interval after the last,
    /// whether that has led to a new value or to an equal one.
    ///
    /// The last value is never lost: after the pause, the latest value is read.
    ///
    /// - Parameter interval: The least time from one read to the next. Of several intervals, the longest counts.
    public func spaced(by interval: Duration) -> ObservedValues {
        var values = self
        values.interval = Swift.max(self.interval, interval)
        return values
    }

    /// Returns an iterator, which observes the store from its first value on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(iteration: ValueIteration(store, ValuePace(interval, sleep), after: start, makeReader))
    }

    /// An iteration over observed values. It ends with the iterator, or with its task.
    public struct Iterator: AsyncIteratorProtocol {
        let iteration: ValueIteration<Value>

        /// Returns the next value; nil if the task is cancelled.
        ///
        /// - Throws: The error of the request or of the store. Then the iteration has ended.
        public mutating func next() async throws -> Value? { try await iteration.next() }

        /// Returns the next value; nil if the task is cancelled.
        ///
        /// - Throws: The error of the request or of the store. Then the iteration has ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Value? {
            try await iteration.next()
        }
    }
}
