// SwiftUI: the rows of a query in a view, and the store in the environment of views.

#if canImport(SwiftUI)
import SwiftUI

/// The rows of a query in a view: a ``LiveList`` of the environment's store.
///
/// ```swift
/// struct UserList: View {
///     @LiveQuery(User.filter(\.age >= 18).sorted(by: \.name)) var users
///
///     var body: some View {
///         List(users) { user in
///             Text(user.name).onAppear { $users?.rowAppeared(user) }
///         }
///     }
/// }
///
/// UserList().store(store)
/// ```
///
/// The value has the rows of the pages loaded so far. It is empty as long as the environment has no store, and if the
/// query cannot be read; then ``error`` has the reason. A query that could not be read is read again in another store,
/// if the view gets another query, and by ``retry()``. The projected value, `$users`, is the list itself.
@propertyWrapper
public struct LiveQuery<Record: IndexKeyRecord>: DynamicProperty {
    @Environment(\.store) private var store
    @State private var source = LiveQuerySource<Record>()
    private let query: Query<Record>
    private let pageSize: Int

    /// Creates the rows of a query.
    ///
    /// - Parameters:
    ///   - query: The query. The first one counts as long as the view exists; `$users?.query` replaces it.
    ///   - pageSize: The number of rows of a page.
    public init(_ query: Query<Record>, pageSize: Int = 100) {
        self.query = query
        self.pageSize = pageSize
    }

    /// The rows.
    @MainActor public var wrappedValue: LiveRows<Record> { projectedValue?.rows ?? LiveRows() }

    /// The list; nil as long as the environment has no store, and if the query cannot be read.
    @MainActor public var projectedValue: LiveList<Record>? { source.list(of: query, in: store, pageSize: pageSize) }

    /// The error of the last reading: `_users.error`. Nil if it succeeded.
    @MainActor public var error: (any Error)? {
        if let list = projectedValue { return list.error }
        return store == nil ? nil : source.error
    }

    /// Reads the query again after an error: `_users.retry()`. The view is updated.
    @MainActor public func retry() {
        source.retry()
        // The error is in the list's `error`.
        if let list = projectedValue, list.error != nil { try? list.reload() }
    }
}

/// The list of a ``LiveQuery``, made at its first use.
@MainActor
private final class LiveQuerySource<Record: IndexKeyRecord> {
    /// A query that could not be read. It is not read again each time that the view is updated.
    private struct Failure {
        let store: Store
        /// The query as text.
        let query: String
        let error: any Error
    }

    private var list: LiveList<Record>?
    private var failure: Failure?
    /// Observed by views without a list.
    private let observed = LiveObject()

    nonisolated init() {}

    /// Why there is no list.
    var error: (any Error)? { failure?.error }

    /// Returns the list in a store. Another store gets another list.
    func list(of query: Query<Record>, in store: Store?, pageSize: Int) -> LiveList<Record>? {
        guard let store else { return nil }
        if let list, list.store === store { return list }
        observed.access(.error)
        if let failure, failure.store === store, failure.query == query.description { return nil }
        do {
            list = try LiveList(list?.query ?? query, in: store, pageSize: pageSize)
            failure = nil
        } catch {
            (list, failure) = (nil, Failure(store: store, query: query.description, error: error))
        }
        return list
    }

    /// Lets the next use read the query again, and updates the views without a list.
    func retry() {
        failure = nil
        observed.notify(.error)
    }
}

/// The key of the environment's store.
private struct StoreKey: EnvironmentKey {
    static var defaultValue: Store? { nil }
}

extension EnvironmentValues {
    /// The store of ``LiveQuery``.
    public var store: Store? {
        get { self[StoreKey.self] }
        set { self[StoreKey.self] = newValue }
    }
}

extension View {
    /// Returns the view with a store for its queries.
    ///
    /// The live objects and lists of the store are refreshed on the main actor from then on: all of a round in one
    /// turn.
    @MainActor
    public func store(_ store: Store) -> some View {
        store.live.delivery = MainActor.shared
        return environment(\.store, store)
    }
}
#endif
