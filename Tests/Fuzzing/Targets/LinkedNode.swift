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
            RelationKeys.next.self, "next", inverse: "previous", \.$next, { $0.$next }, { $0.$next = $1 }),
        .mutual(
            RelationKeys.previous.self, "previous", inverse: "next", \.$previous, { $0.$previous },
            { $0.$previous = $1 }),
        .mutual(
            RelationKeys.children.self, "children", inverse: "parent", \.$children, { $0.$children },
            { $0.$children = $1 }),
        .mutual(
            RelationKeys.parent.self, "parent", inverse: "children", \.$parent, { $0.$parent }, { $0.$parent = $1 }),
        .mutual(
            RelationKeys.follows.self, "follows", inverse: "followers", \.$follows, { $0.$follows },
            { $0.$follows = $1 }),
        .mutual(
            RelationKeys.followers.self, "followers", inverse: "follows", \.$followers, { $0.$followers },
            { $0.$followers = $1 }),
        .mutual(
            RelationKeys.friends.self, "friends", inverse: "friends", \.$friends, { $0.$friends }, { $0.$friends = $1 }),
        .mutual(
            RelationKeys.partner.self, "partner", inverse: "partner", \.$partner, { $0.$partner }, { $0.$partner = $1 }),
        .oneWay(RelationKeys.favorite.self, "favorite", \.$favorite, { $0.$favorite }, { $0.$favorite = $1 }),
        .oneWay(RelationKeys.likes.self, "likes", \.$likes, { $0.$likes }, { $0.$likes = $1 }),
    ]
}
