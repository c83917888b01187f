// The changes of a relation between a store and a program, in words.

/// A change of a relation, in a ``MigrationPlan``.
public struct RelationChange: Hashable, Sendable {
    /// A kind of change.
    public enum Kind: Hashable, Sendable {
        /// The property had another name.
        case renamed(from: String)
        /// The relation was one-way, and has an inverse now, such as `Chats.Chat.messages`.
        case becameMutual(inverse: String)
        /// The relation had an inverse, and is one-way now.
        case becameOneWay(inverse: String)
        /// The relation was to one, and is to many now.
        case becameToMany
        /// The relation was to many, and is to one now. The migration fails if an entity has several links.
        case becameToOne
        /// The entities' keys change, and the links get the new keys. Links to entities that are not stored are
        /// dropped, if the automatic rules do not convert their keys.
        case keysChanged(lostLinks: Int)
        /// The entities' keys change, and deleted entities lose ids of entities that are not stored, since the
        /// automatic rules do not convert their keys. The relation is a field of the deleted entities, such as
        /// `Chats.Message~deleted.$chat`.
        case idsLost(deletedEntities: Int)
        /// The program does not declare the relation. Its links, and the ids of the relation in deleted entities, are
        /// kept until `Store.dropUndeclaredRelations()`. Until then, the type is not written.
        ///
        /// - Parameters:
        ///   - otherEnd: The other end, if the program declares the property for another relation: the property with
        ///     its type, such as `Chats.Chat.messages`; or the type, for a one-way relation.
        ///   - possibleNames: The declared relations that may be this relation, renamed without `@Renamed`.
        ///   - deletedEntities: The number of deleted entities with ids of the relation.
        case undeclared(otherEnd: String?, possibleNames: [String], deletedEntities: Int)
    }

    /// The name of the property. For a one-way relation that leads to the type, the name of the relation, such as
    /// `Chats.Message.author`.
    public var relation: String
    /// The kind of the change.
    public var kind: Kind
    /// The number of links.
    public var links: Int
    /// Whether all links are rewritten.
    public var rewritesLinks: Bool
}

extension RelationChange: CustomStringConvertible {
    /// The change in a single line.
    public var description: String {
        let count = links == 1 ? "1 link" : "\(links) links"
        let change = "relation(\(relation)) \(kind)"
        switch kind {
        case .undeclared(_, _, 0): return change + ": \(count)"
        case .undeclared(_, _, 1): return change + ": \(count), and ids in 1 deleted entity"
        case .undeclared(_, _, let entities): return change + ": \(count), and ids in \(entities) deleted entities"
        default: return rewritesLinks ? change + ": \(count) rewritten" : change
        }
    }
}

extension RelationChange.Kind: CustomStringConvertible {
    /// The change, without the relation's name.
    public var description: String {
        switch self {
        case .renamed(let old): "was named \(old)"
        case .becameMutual(let inverse): "was one-way, has the inverse \(inverse)"
        case .becameOneWay(let inverse): "had the inverse \(inverse), is one-way"
        case .becameToMany: "was to one, is to many"
        case .becameToOne: "was to many, is to one"
        case .keysChanged(0): "gets new keys"
        case .keysChanged(let lost):
            "gets new keys, and loses \(lost) link\(lost == 1 ? "" : "s") to records that are not stored"
        case .idsLost(let count):
            "loses ids of records that are not stored, in \(count) deleted entit\(count == 1 ? "y" : "ies")"
        case .undeclared(let otherEnd?, _, _):
            "with \(otherEnd) is not declared, and is kept until dropUndeclaredRelations()"
        case .undeclared(nil, let names, _) where !names.isEmpty:
            "is not declared. If it is \(names.joined(separator: " or ")) now, write @Renamed with the old name. It is kept until dropUndeclaredRelations()"
        case .undeclared: "is not declared, and is kept until dropUndeclaredRelations()"
        }
    }
}
