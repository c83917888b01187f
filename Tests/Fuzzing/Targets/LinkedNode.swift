// An entity with relations of every form, written by hand: the fuzzer is compiled without macros.

import Trove
import TroveCoding

/// An entity whose relations lead to entities of its own type.
struct LinkedNode: EntityModelProtocol {
    let id: UInt8
    @Relationship(inverse: \.previous) var next: LinkedNode?
    @Relationship(inverse: \.next) var previous: LinkedNode?
    @Relationship(inverse: \.parent) var children: [LinkedNode]?
    @Relationship(inverse: \.children) var parent: LinkedNode?
    @Relationship(inverse: \.followers) var follows: [LinkedNode]?
    @Relationship(inverse: \.follows) var followers: [LinkedNode]?
    @Relationship(inverse: \.friends) var friends: [LinkedNode]?
    @Relationship(inverse: \.partner) var partner: LinkedNode?
    @Relationship() var favorite: LinkedNode?
    @Relationship() var likes: [LinkedNode]?

    static let schema = RecordSchema(
        of: LinkedNode.self, name: "LinkedNode", fileID: #fileID, key: [KeyProperty("id", \Self.id)], fields: [])

    static let patches: [MergeStrategy<Self>] = []

    var indexKey: UInt8 { id }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int { 0 }

    func encodeFields(into writer: inout ValueWriter) {}
}

extension LinkedNode {
    init(decoding reader: inout RecordReader) throws(CodingError) { id = try UInt8(decodingKey: &reader.key) }
}

// MARK: Relations

extension LinkedNode {
    enum RelationKeys {
        enum next: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = RelationKeys.previous
        }
        enum previous: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = RelationKeys.next
        }
        enum children: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = RelationKeys.parent
        }
        enum parent: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = RelationKeys.children
        }
        enum follows: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = RelationKeys.followers
        }
        enum followers: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = RelationKeys.follows
        }
        enum friends: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = RelationKeys.friends
        }
        enum partner: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = RelationKeys.partner
        }
        enum favorite: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = NoInverse
        }
        enum likes: RelationKey {
            typealias OwnerEntity = LinkedNode
            typealias TargetEntity = LinkedNode
            typealias InverseKey = NoInverse
        }
    }

    static let relations: [EntityRelation<Self>] = [
        .mutual(
            RelationKeys.next.self, property: "next", inverse: "previous", at: \.$next, get: { $0.$next },
            set: { $0.$next = $1 }),
        .mutual(
            RelationKeys.previous.self, property: "previous", inverse: "next", at: \.$previous, get: { $0.$previous },
            set: { $0.$previous = $1 }),
        .mutual(
            RelationKeys.children.self, property: "children", inverse: "parent", at: \.$children, get: { $0.$children },
            set: { $0.$children = $1 }),
        .mutual(
            RelationKeys.parent.self, property: "parent", inverse: "children", at: \.$parent, get: { $0.$parent },
            set: { $0.$parent = $1 }),
        .mutual(
            RelationKeys.follows.self, property: "follows", inverse: "followers", at: \.$follows, get: { $0.$follows },
            set: { $0.$follows = $1 }),
        .mutual(
            RelationKeys.followers.self, property: "followers", inverse: "follows", at: \.$followers,
            get: { $0.$followers },
            set: { $0.$followers = $1 }),
        .mutual(
            RelationKeys.friends.self, property: "friends", inverse: "friends", at: \.$friends, get: { $0.$friends },
            set: { $0.$friends = $1 }),
        .mutual(
            RelationKeys.partner.self, property: "partner", inverse: "partner", at: \.$partner, get: { $0.$partner },
            set: { $0.$partner = $1 }),
        .oneWay(
            RelationKeys.favorite.self, property: "favorite", at: \.$favorite, get: { $0.$favorite },
            set: { $0.$favorite = $1 }),
        .oneWay(RelationKeys.likes.self, property: "likes", at: \.$likes, get: { $0.$likes }, set: { $0.$likes = $1 }),
    ]
}
