// A relation in the catalog, without the Swift types of its ends.

/// The relation whose links are the records of a stored type.
///
/// A link is a record of a type of its own, whose key is the pair of the linked entities' identifiers.
public struct StoredLinks: Hashable, Sendable, Codable {
    /// An end of a relation: the entities of a type, and their property with the links.
    public struct End: Hashable, Sendable, Codable {
        /// The identity of the entity type in the store.
        public var keyPrefix: UInt32
        /// The name of the entity type with its module; nil if the store has no such type so far.
        public var type: String?
        /// The stored name of the property; nil for the target of a one-way relation.
        public var property: String?
        /// Whether an entity has at most one link.
        public var isToOne: Bool
        /// The names of the property before it was renamed.
        public var formerNames: [String] = []
    }

    /// The form of the links: `pair`, `list`, `lists`, `symmetricPair` or `symmetricList`.
    public var form: String
    /// The end of the first identifier in a link's key.
    public var first: End
    /// The end of the second identifier in a link's key.
    public var second: End
}

extension StoredLinks {
    /// Whether the relation is its own inverse: then each link is stored in both directions.
    public var isSymmetric: Bool { form == LinkForm.symmetricPair.name || form == LinkForm.symmetricList.name }

    /// The end whose property gives the relation its name.
    private var owner: End { first.property == nil ? second : first }
    private var target: End { first.property == nil ? first : second }

    /// The name of the relation, such as `Chats.Message.chat`.
    public var name: String { owner.name ?? "" }

    /// The name of the inverse, such as `Chats.Chat.messages`; nil for a one-way relation.
    public var inverse: String? { isSymmetric ? name : target.name }
}

extension StoredLinks.End {
    /// The name of the property with its type; nil if the end has no property.
    fileprivate var name: String? { property.map { typeName + "." + $0 } }

    /// The name of the entity type; its prefix if the store has no such type so far.
    fileprivate var typeName: String { type ?? "type " + TableName.hexadecimal(keyPrefix) }

    fileprivate var count: String { isToOne ? "one" : "many" }
}

extension StoredLinks: CustomStringConvertible {
    /// The relation and its inverse with their targets, in a single line:
    /// `Chats.Message.chat to one Chats.Chat, inverse Chats.Chat.messages to many Chats.Message`.
    public var description: String {
        let relation = "\(name) to \(owner.count) \(target.typeName)"
        if isSymmetric { return relation + ", its own inverse" }
        return target.name.map { "\(relation), inverse \($0) to \(target.count) \(owner.typeName)" }
            ?? relation + ", one-way"
    }
}

extension StoredLinks {
    /// - Parameter typeName: Returns the name of a type with its module; nil for a type that the store does not have.
    init(_ relation: CatalogRelation, _ typeName: (UInt32) -> String?) {
        func end(_ end: LinkEnd) -> End {
            End(
                keyPrefix: end.keyPrefix, type: typeName(end.keyPrefix), property: end.property,
                isToOne: end.isExclusive, formerNames: end.formerNames)
        }
        self.init(form: relation.form.name, first: end(relation.first), second: end(relation.second))
    }
}

extension CatalogRelation {
    /// Creates the relation of a dump; nil for a form of a later version of Trove.
    init?(_ links: StoredLinks) {
        guard let form = LinkForm.allCases.first(where: { $0.name == links.form }) else { return nil }
        func end(_ end: StoredLinks.End) -> LinkEnd {
            LinkEnd(
                keyPrefix: end.keyPrefix, property: end.property, isExclusive: end.isToOne,
                formerNames: end.formerNames)
        }
        self.init(form: form, first: end(links.first), second: end(links.second))
    }
}

extension LinkForm {
    /// The name in reports and dumps, which never changes.
    var name: String {
        switch self {
        case .pair: "pair"
        case .list: "list"
        case .lists: "lists"
        case .symmetricPair: "symmetricPair"
        case .symmetricList: "symmetricList"
        }
    }
}
