// A nested request of a query, without the type of its targets.

import TroveCoding

/// A request for the targets of a relation, for each owner that a query finds.
protocol NestedStep<Owner>: Sendable {
    associatedtype Owner: IndexKeyRecord

    /// The relation.
    var relation: RelationDescription { get }

    /// The number of levels of entities that the request adds, as far as it is known before the query runs.
    var depth: Int { get }

    /// The error in the request; thrown when the query runs.
    var failure: StoreError? { get }

    /// The lines of the query's plan about the request.
    var lines: [String] { get }

    /// The call that makes the request, as Swift.
    var swift: String { get }

    /// Reads the targets of owners.
    ///
    /// - Parameter owners: The keys of the owners, in ascending order.
    func fetch(for owners: KeyList, in context: ReadContext) throws -> any FetchedTargets<Owner>

    // MARK: Several requests at once

    /// The common form of equal requests of a bulk query; nil for a request that is run on its own.
    var bulkForm: BulkForm? { get }

    /// Reads the targets of owners for several requests with the same bulk form: each target once.
    ///
    /// - Returns: Nil if the requests have to run one by one.
    func fetch(
        for owners: KeyList, with others: [any NestedStep<Owner>], in context: ReadContext
    ) throws -> (any FetchedTargets<Owner>)?

    /// Reads the links of owners.
    func targetLists(of owners: KeyList, in context: ReadContext) throws -> TargetLists

    /// Returns the targets of the request among the targets of several requests; nil if they are of another type.
    func targets(_ chosen: ChosenTargets, of shared: any SharedTargetsProtocol) -> (any FetchedTargets<Owner>)?
}

/// The targets of a request, which are handed out to their owners once their own relations are complete.
protocol FetchedTargets<Owner>: AnyObject {
    associatedtype Owner: IndexKeyRecord

    /// The key of the first entity; nil if there are none, or only ids.
    var firstEntity: StoredKey? { get }

    /// The targets with nested requests of their own; nil if there are none.
    var level: (any GraphLevelProtocol)? { get }

    /// Sets the relation of the owners.
    ///
    /// - Parameter places: For each owner, the index of its key among the keys for which the targets were read.
    func handOut(to owners: inout [Owner], _ places: [Int32])
}
