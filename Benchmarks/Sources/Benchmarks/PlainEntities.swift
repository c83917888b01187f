// The entities of the workloads that compare Trove with itself: the same fields, with and without an extra.

import Trove

/// An entity with six relations, none of which is set.
@EntityModel
struct Linked {
    let id: Int64
    var name: String
    var age: Int
    var email: String
    @Relationship(inverse: \.pupils) var teacher: Linked?
    @Relationship(inverse: \.teacher) var pupils: [Linked]?
    @Relationship(inverse: \.friends) var friends: [Linked]?
    @Relationship(inverse: \.partner) var partner: Linked?
    @Relationship var neighbor: Linked? = nil
    @Relationship var colleagues: [Linked]? = nil
}

/// The same record without relations.
@IndexKeyRecord("id")
struct Unlinked {
    let id: Int64
    var name: String
    var age: Int
    var email: String
}

extension Linked {
    /// Creates the entity of a number, always with the same contents.
    init(number: Int) {
        self.init(
            id: Int64(number), name: "Person number \(100_000 + number)", age: number % 90,
            email: "person\(100_000 + number)@example.com")
    }
}

extension Unlinked {
    init(_ entity: Linked) { self.init(id: entity.id, name: entity.name, age: entity.age, email: entity.email) }
}

/// An entity with the fields of ``Linked``, without relations.
protocol PlainEntity: EntityModelProtocol where ID == Int64 {
    init(id: Int64, name: String, age: Int, email: String)
}

extension PlainEntity {
    init(_ entity: Linked) { self.init(id: entity.id, name: entity.name, age: entity.age, email: entity.email) }
}

/// An entity of which a store keeps nothing else.
@EntityModel
struct Plain: PlainEntity {
    let id: Int64
    var name: String
    var age: Int
    var email: String
}

/// An entity with the time of its last save.
@EntityModel(keepsMetadata: true)
struct Stamped: PlainEntity {
    let id: Int64
    var name: String
    var age: Int
    var email: String
}

/// An entity that a store keeps when it is deleted.
@EntityModel(keepsDeleted: true)
struct Kept: PlainEntity {
    let id: Int64
    var name: String
    var age: Int
    var email: String
}
