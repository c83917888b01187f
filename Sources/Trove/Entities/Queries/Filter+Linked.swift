// Filters on the links of entities.

import TroveCoding

extension Filter where Record: EntityModelProtocol {
    /// Creates a filter for the entities that a relation links with an entity.
    ///
    /// ```swift
    /// let mine = try Message.filter(.linked(\.$author, to: "1")).sorted(by: \.sent.desc).limit(20).resolve(in: store)
    /// ```
    ///
    /// A query walks the links from the other end, so the relation needs no inverse. The other entity may be missing.
    ///
    /// - Parameters:
    ///   - relation: A relation, such as `\.$author`.
    ///   - id: The id of the other entity.
    public static func linked<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>, to id: Target.ID
    ) -> Filter {
        linked(relation, toAny: [id]) { isSwift in literal(id, isSwift: isSwift) }
    }

    /// Creates a filter for the entities that a relation links with any of some entities.
    ///
    /// - Parameters:
    ///   - relation: A relation, such as `\.$users`.
    ///   - ids: The ids of the other entities.
    public static func linked<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>,
        to ids: some Sequence<Target.ID>
    ) -> Filter {
        let ids = Array(ids)
        return linked(relation, toAny: ids) { isSwift in literal(ids, isSwift: isSwift) }
    }

    /// Creates a filter for the entities without links in a relation. A link to an entity that is not stored counts.
    ///
    /// - Parameter relation: A relation, such as `\.$replies`.
    public static func hasNone<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Filter {
        Filter(keys: { () throws(StoreError) in NoLinkCondition(try Record.relation(at: relation).declared) })
    }

    private static func linked<ID: KeyComponent>(
        _ relation: PartialKeyPath<Record>, toAny ids: [ID],
        _ text: @escaping @Sendable (_ isSwift: Bool) -> String
    ) -> Filter {
        Filter(keys: { () throws(StoreError) in
            var known: Set<[UInt8]> = []
            let keys = ids.map { KeyWriter.bytes(of: $0) }.filter { key in
                // Longer keys have no links.
                key.count <= LinkWriter.sizeLimit && known.insert(key).inserted
            }
            let declared = try Record.relation(at: relation).declared
            let property = declared.description.property
            return LinkSource(declared, isForward: false, .keys(keys)) { _ in
                ("\(property) linked to \(text(false))", ".linked(\\.$\(property), to: \(text(true)))")
            }
        })
    }
}

/// Creates a filter for the entities whose relation leads to an entity: `\.$author == .id("1")` is
/// ``Filter/linked(_:to:)-(_,Target.ID)``.
///
/// - Parameters:
///   - relation: A relation, such as `\.$author`.
///   - value: A value with a single id. A query with another value throws
///     ``StoreError/QueryError/relationNotStored(type:relation:path:)``.
public func == <Record: EntityModelProtocol, Target, Directionality, Cardinality, Constraints>(
    relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>,
    value: Relation<Target, Directionality, Cardinality, Constraints>
) -> Filter<Record> {
    guard case .id(let id) = value.state else { return .refusing(relation) }
    return .linked(relation, to: id)
}

/// Creates a filter for the entities whose relation does not lead to an entity.
///
/// - Parameters:
///   - relation: A relation, such as `\.$author`.
///   - value: A value with a single id. A query with another value throws
///     ``StoreError/QueryError/relationNotStored(type:relation:path:)``.
public func != <Record: EntityModelProtocol, Target, Directionality, Cardinality, Constraints>(
    relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>,
    value: Relation<Target, Directionality, Cardinality, Constraints>
) -> Filter<Record> {
    .not(relation == value)
}

extension Filter where Record: EntityModelProtocol {
    /// Returns the filter whose query throws: relations are not properties, and have filters of their own.
    fileprivate static func refusing(_ relation: PartialKeyPath<Record>) -> Filter {
        Filter(keys: { () throws(StoreError) in
            let property = try Record.relation(at: relation).declared.description.property
            throw StoreError.query(
                .relationNotStored(type: Record.schema.name, relation: property, path: "\\.$\(property)"))
        })
    }
}
