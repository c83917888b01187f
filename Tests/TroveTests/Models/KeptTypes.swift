// Entities whose store keeps metadata and deleted entities: a post office.

@testable import Trove

@EntityModel(keepsMetadata: true, keepsDeleted: true)
struct Mailing: Hashable, Codable {
    #Unique<Mailing>(\.code, collisions: .upsert)

    let id: String
    var text: String
    var code: Int?
    @Relationship(.required, inverse: \.mailings) var sack: MailSack?
    @Relationship(inverse: \.answerTo) var answers: [Mailing]?
    @Relationship(inverse: \.answers) var answerTo: Mailing?
    @Relationship var readers: [MailReader]? = nil
}

@EntityModel(keepsMetadata: true, keepsDeleted: true)
struct MailSack: Hashable, Codable {
    let id: Int
    var title: String = ""
    @Relationship(deleteRule: .cascade, inverse: \.sack) var mailings: [Mailing]?
}

/// An entity without additional records.
@EntityModel
struct MailReader: Hashable, Codable {
    let id: Int
    @Relationship var favorite: Mailing? = nil
}

/// An entity with metadata alone.
@EntityModel(keyPrefix: 4_400_001, keepsMetadata: true)
struct MailRoute: Hashable {
    let id: Int
    var name: String = ""
}

extension RecordReadable {
    /// The ids of the stored stamps of a type.
    func stamps<Entity: EntityModelProtocol>(_ type: Entity.Type) throws -> [Entity.ID] {
        try EntityMetadata<Entity>.query().resolve(in: self).map(\.id)
    }

    /// The ids of the deleted entities of a type.
    func trash<Entity: EntityModelProtocol>(_ type: Entity.Type) throws -> [Entity.ID] {
        try Deleted<Entity>.query().resolve(in: self).map(\.id)
    }

    /// The names of the stored types, with their modules.
    func typeNames() throws -> [String] {
        let types = try reading { try $0.storedTypes() }
        return types.map(\.name)
    }
}
