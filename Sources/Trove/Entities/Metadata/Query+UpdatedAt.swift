// Queries by the times of entities' last saves.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An order of entities by the metadata that a store keeps in addition to their properties:
/// `sorted(by: .updatedAt)`, `sorted(by: .updatedAt.desc)`.
public struct MetadataSortKey: Hashable, Sendable {
    fileprivate let isDescending: Bool

    /// The time of the last save, the earliest first.
    public static let updatedAt = MetadataSortKey(isDescending: false)

    /// The same sort key with the opposite direction.
    public var desc: MetadataSortKey { MetadataSortKey(isDescending: !isDescending) }
}

/// A condition on the metadata that a store keeps in addition to the properties of entities, for bulk queries of
/// several types: ``NestedRelations/entities(filter:)``.
public enum MetadataFilter: Hashable, Sendable {
    /// The last save was in a range of times.
    case updated(within: ClosedRange<Date>)

    /// Returns the filter for entities of a type.
    func filter<Entity: EntityModelProtocol>(_ type: Entity.Type) -> Filter<Entity> {
        switch self {
        case .updated(let range): .updated(within: range)
        }
    }
}

extension MetadataFilter: CustomStringConvertible {
    /// The filter as Swift.
    public var description: String {
        switch self {
        case .updated(let range): ".updated(within: \(range.literal(isSwift: true)))"
        }
    }
}

extension Filter where Record: EntityModelProtocol {
    /// Creates a filter for the entities whose last save was in a range of times.
    ///
    /// ```swift
    /// let recent = try Chat.filter(.updated(within: yesterday...now)).sorted(by: .updatedAt.desc).resolve(in: store)
    /// ```
    ///
    /// The type keeps the times by `@EntityModel(keepsMetadata: true)`. Entities that were last saved without this
    /// option have no time, and do not match. An index on the times serves the filter.
    ///
    /// - Parameter range: The times.
    /// - Throws: When a query with the filter runs, ``StoreError/EntityError/notKept(type:option:)`` for a type that
    ///   keeps no times.
    public static func updated(within range: ClosedRange<Date>) -> Filter {
        Filter(keys: { () throws(StoreError) in
            try UpdateTimes<Record>.checkOption()
            return UpdateTimes<Record>(within: range)
        })
    }
}

extension QueryShaping where Record: EntityModelProtocol {
    /// Returns the query in the order of the entities' last saves: `sorted(by: .updatedAt.desc)`.
    ///
    /// Entities with equal times are in key order. Entities without a time come last, in either direction: they were
    /// last saved before the type had `@EntityModel(keepsMetadata: true)`. The entities are in the order of an index,
    /// so a limit ends the scan early.
    ///
    /// A page that continues with ``after(_:)-(Self.Record?)`` begins after the present time of its last
    /// entity.
    ///
    /// - Parameter key: The time of the last save, and the direction.
    /// - Throws: When run, ``StoreError/EntityError/notKept(type:option:)`` for a type that keeps no times.
    public func sorted(by key: MetadataSortKey) -> Self {
        changing {
            $0.order(by: .source(UpdateTimes<Record>(within: nil, isDescending: key.isDescending)))
        }
    }
}

extension RecordListQuery where Record: EntityModelProtocol {
    /// Returns a query for the entities in the order of their last saves, each once; see
    /// ``QueryShaping/sorted(by:)-(MetadataSortKey)``.
    public func sorted(by key: MetadataSortKey) -> Query<Record> { query.sorted(by: key) }
}
