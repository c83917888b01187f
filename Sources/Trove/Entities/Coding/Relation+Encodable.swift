// The encoding of relations.

extension Relation: Encodable where Entity: Encodable, Entity.ID: Encodable {
    /// Encodes the relation by the ``RelationEncodingStrategy`` of the encoder.
    public func encode(to encoder: any Encoder) throws {
        let strategy = RelationEncodingStrategy(encoder.userInfo)
        if strategy == .plain {
            try state.encodePlain(to: encoder)
        } else {
            try state.encodeWithKey(to: encoder, marksSlices: strategy == .explicitKeyedContainer)
        }
    }
}

extension Relationship: Encodable where Entity: Encodable, Entity.ID: Encodable {
    /// Encodes the relation by the ``RelationEncodingStrategy`` of the encoder.
    public func encode(to encoder: any Encoder) throws { try projectedValue.encode(to: encoder) }
}

extension RelationState where Entity: Encodable, Entity.ID: Encodable {
    fileprivate func encodePlain(to encoder: any Encoder) throws {
        switch self {
        case .none, .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .id(let id):
            var container = encoder.container(keyedBy: RelationCodingKey.self)
            try container.encode(id, forKey: .id)
        case .entity(let entity, _):
            try entity.encode(to: encoder)
        case .ids(let ids, _):
            var list = encoder.unkeyedContainer()
            for id in ids {
                var container = list.nestedContainer(keyedBy: RelationCodingKey.self)
                try container.encode(id, forKey: .id)
            }
        case .entities(let entities, _, _):
            var list = encoder.unkeyedContainer()
            for entity in entities { try list.encode(entity) }
        }
    }

    fileprivate func encodeWithKey(to encoder: any Encoder, marksSlices: Bool) throws {
        if isNone {
            var container = encoder.singleValueContainer()
            try container.encodeNil()
            return
        }
        var container = encoder.container(keyedBy: RelationCodingKey.self)
        switch self {
        case .none: break
        case .null: try container.encodeNil(forKey: .id)
        case .id(let id): try container.encode(id, forKey: .id)
        case .entity(let entity, _): try container.encode(entity, forKey: .object)
        case .ids(let ids, let isSlice): try container.encode(ids, forKey: isSlice && marksSlices ? .sliceIDs : .ids)
        case .entities(let entities, _, let isSlice):
            try container.encode(entities, forKey: isSlice && marksSlices ? .slice : .objects)
        }
    }
}
