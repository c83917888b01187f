// Observes several requests, or a closure, in a store.

extension Store {
    /// Returns the values of several requests in one snapshot, and new ones after each commit that changes any of them.
    ///
    /// ```swift
    /// let unread = Message.filter(\.isRead == false).count
    /// for try await (chats, count) in store.observe(Chat.query(), unread) { show(chats, count) }
    /// ```
    ///
    /// - Parameter requests: Queries, and other requests.
    public func observe<each Request: StoreRequest>(
        _ requests: repeat each Request
    ) -> ObservedValues<(repeat (each Request).Value)> {
        ObservedValues(self) { try JoinedReader(repeat PartReader(each requests)) }
    }

    /// Returns the value that a closure makes of a snapshot, and again after each commit that changes a record or a
    /// range that the closure has read.
    ///
    /// ```swift
    /// let totals = store.observe { context in
    ///     try Order.filter(\.isPaid).grouped(by: \.city).sum(of: \.total).resolve(in: context)
    /// }
    /// ```
    ///
    /// Of interest are the records, key ranges and types that the closure has read last time. So another commit may run
    /// it again for nothing: a closure that filters by other properties than the key depends on all records of the
    /// type. Requests are more precise, see ``observe(_:)-(_)``.
    ///
    /// Values that are `Equatable`, and tuples and arrays of such values, are not given again if they are equal. All
    /// others are given after each run. Two entities are equal if their relations have the same ids, loaded or not.
    ///
    /// - Parameter fetch: Returns a value of a snapshot. It runs on a background thread, as often as needed. It must
    ///   depend on the snapshot alone: a change of a clock or of a global variable is not noticed.
    public func observe<Value: Sendable>(
        _ fetch: @escaping @Sendable (ReadContext) throws -> Value
    ) -> ObservedValues<Value> {
        ObservedValues(self) { RequestReader(fetch, isEqual: areEqual) }
    }
}
