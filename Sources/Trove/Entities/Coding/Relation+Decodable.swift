// The decoding of relations.

extension Relation: Decodable where Entity: Decodable, Entity.ID: Decodable {
    /// Decodes a relation in one of the forms of the decoder's ``RelationDecodingStrategy``.
    ///
    /// - Throws: `DecodingError` for any other value, and the errors of the entities in it, with their path.
    public init(from decoder: any Decoder) throws {
        let reader = RelationDecoder<Entity>(decoder)
        if try decoder.singleValueContainer().decodeNil() {
            self.init(.none)
        } else if Cardinality.isToMany {
            self.init(try reader.list())
        } else {
            self.init(try reader.entity(isRequired: Constraints.isRequired))
        }
    }
}

extension Relationship: Decodable where Entity: Decodable, Entity.ID: Decodable {
    /// Decodes a relation in one of the forms of the decoder's ``RelationDecodingStrategy``.
    ///
    /// - Throws: `DecodingError` for any other value, and the errors of the entities in it, with their path.
    public init(from decoder: any Decoder) throws { self.init(relation: try Relation(from: decoder)) }
}

extension KeyedDecodingContainer {
    /// Decodes a relation. `null` and a missing key are ``Relation/none``.
    ///
    /// The synthesized `init(from:)` of an entity calls this function for its relations.
    public func decode<Value, Entity, Directionality, Cardinality, Constraints>(
        _ type: Relationship<Value, Entity, Directionality, Cardinality, Constraints>.Type, forKey key: Key
    ) throws -> Relationship<Value, Entity, Directionality, Cardinality, Constraints>
    where Entity: Decodable, Entity.ID: Decodable {
        try decodeIfPresent(type, forKey: key) ?? Relationship(relation: nil)
    }
}

/// Reads a relation that is not null.
private struct RelationDecoder<Entity: EntityModelProtocol & Decodable> where Entity.ID: Decodable {
    private let decoder: any Decoder
    private let strategy: RelationDecodingStrategy

    init(_ decoder: any Decoder) {
        self.decoder = decoder
        strategy = RelationDecodingStrategy(decoder.userInfo)
    }

    // MARK: To-one relations

    func entity(isRequired: Bool) throws -> RelationState<Entity> {
        guard let container = try Self.keys(of: decoder, ifKeyed: strategy.contains(.plain)) else {
            return .entity(try Entity(from: decoder), isFragment: false)
        }
        let key = container.allKeys.count == 1 ? container.allKeys[0] : nil
        if strategy.hasKeys, key == .object {
            // Other encoders write null so. A required relation has no null. Decoding the entity throws the error.
            if !isRequired, try container.decodeNil(forKey: .object) { return .null }
            return .entity(try container.decode(Entity.self, forKey: .object), isFragment: false)
        }
        if strategy.hasKeys, key == .id {
            // A required relation has no null. Decoding the id throws the error.
            let isNull = try container.decodeNil(forKey: .id) && !isRequired
            return isNull ? .null : .id(try container.decode(Entity.ID.self, forKey: .id))
        }
        guard strategy.contains(.plain) else { throw unexpectedKeys(container) }
        return key == .id && !Self.hasOnlyID
            ? .id(try container.decode(Entity.ID.self, forKey: .id))
            : .entity(try Entity(from: decoder), isFragment: false)
    }

    // MARK: To-many relations

    func list() throws -> RelationState<Entity> {
        guard strategy.contains(.plain) else { return try keyedList() }
        guard strategy.hasKeys else { return try plainList(decoder.unkeyedContainer()) }
        let list: any UnkeyedDecodingContainer
        do {
            list = try decoder.unkeyedContainer()
        } catch DecodingError.typeMismatch {
            return try keyedList()
        }
        return try plainList(list)
    }

    private func keyedList() throws -> RelationState<Entity> {
        let container = try decoder.container(keyedBy: RelationCodingKey.self)
        let key = container.allKeys.count == 1 ? container.allKeys[0] : nil
        switch key {
        case .ids: return .ids(try container.decode([Entity.ID].self, forKey: .ids), isSlice: false)
        case .objects:
            return .entities(
                try container.decode([Entity].self, forKey: .objects), isFragment: false, isSlice: false)
        case .some(let key) where key.isSliceIDs && strategy.contains(.explicitKeyedContainer):
            return .ids(try container.decode([Entity.ID].self, forKey: key), isSlice: true)
        case .slice where strategy.contains(.explicitKeyedContainer):
            return .entities(try container.decode([Entity].self, forKey: .slice), isFragment: false, isSlice: true)
        default: throw unexpectedKeys(container)
        }
    }

    /// Returns a list of ids if all elements are ids, and a list of entities otherwise.
    private func plainList(_ list: any UnkeyedDecodingContainer) throws -> RelationState<Entity> {
        var list = list
        var elements: [any Decoder] = []
        while !list.isAtEnd { elements.append(try list.superDecoder()) }
        let areIDs =
            try !elements.isEmpty && !Self.hasOnlyID
            && elements.allSatisfy { try Self.keys(of: $0, ifKeyed: true)?.allKeys == [.id] }
        guard areIDs else {
            return .entities(try elements.map { try Entity(from: $0) }, isFragment: false, isSlice: false)
        }
        let ids = try elements.map {
            try $0.container(keyedBy: RelationCodingKey.self).decode(Entity.ID.self, forKey: .id)
        }
        return .ids(ids, isSlice: false)
    }

    // MARK: Their parts

    /// Whether the id is the only property of the type, so that an object with an id is the whole entity.
    private static var hasOnlyID: Bool { Entity.schema.fields.isEmpty && Entity.relations.isEmpty }

    /// Returns the keys of an object.
    ///
    /// - Parameter ifKeyed: Whether to return nil for any other value, such as an entity that is encoded as a string.
    private static func keys(
        of decoder: any Decoder, ifKeyed: Bool
    ) throws -> KeyedDecodingContainer<RelationCodingKey>? {
        do {
            return try decoder.container(keyedBy: RelationCodingKey.self)
        } catch DecodingError.typeMismatch where ifKeyed {
            return nil
        }
    }

    private func unexpectedKeys(_ container: KeyedDecodingContainer<RelationCodingKey>) -> DecodingError {
        let keys = container.allKeys.map(\.stringValue).sorted().joined(separator: ", ")
        return .dataCorrupted(
            .init(
                codingPath: decoder.codingPath,
                debugDescription: "Expected an object with a single key for a relation, but found the keys: \(keys)."))
    }
}
