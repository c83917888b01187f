// Relations that do not name each other: the macro never writes them, a conformance by hand can.

import Testing
import TroveTestSupport

@testable import Trove

private struct Sender: EntityModelProtocol {
    let id: Int
    @Relationship(inverse: \.sender) var letter: Letter?

    enum RelationKeys {
        enum letter: RelationKey {
            typealias OwnerEntity = Sender
            typealias TargetEntity = Letter
            typealias InverseKey = Letter.RelationKeys.sender
        }
    }

    static let relations: [EntityRelation<Self>] = [
        .mutual(
            RelationKeys.letter.self, property: "letter", inverse: "receiver", at: \.$letter, get: { $0.$letter },
            set: { $0.$letter = $1 })
    ]

    static let schema = RecordSchema(
        of: Self.self, name: "Sender", fileID: #fileID, key: [KeyProperty("id", Int.self)], fields: [])

    static var patches: [MergeStrategy<Self>] { [] }

    var indexKey: Int { id }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }
    func fieldsSize() throws(CodingError) -> Int { 0 }
    func encodeFields(into writer: inout ValueWriter) {}

    init(id: Int) { self.id = id }

    init(decoding reader: inout RecordReader) throws(CodingError) { id = try Int(decodingKey: &reader.key) }
}

@EntityModel
private struct Letter {
    let id: Int
    @Relationship(inverse: \.letter) var sender: Sender?
}

@Suite("Relations that do not name each other") struct RelationMismatchTests {
    private func mismatch(_ type: String, _ relation: String, _ inverse: String) -> StoreError {
        .entity(.relationMismatch(type: type, relation: relation, inverse: inverse))
    }

    @Test func aMismatch_isAnErrorOfEveryStatement() throws {
        let store = try Store.temporary()
        let ofSender = mismatch("Sender", "letter", "Letter.receiver")
        let ofLetter = mismatch("Letter", "sender", "Sender.letter")
        var sender = Sender(id: 1)
        sender.$letter = .relation(Letter(id: 1))
        try store.write { context in
            #expect(throws: ofSender) { try sender.save(to: context) }
            #expect(throws: ofSender) { try context.insert(sender) }
            #expect(throws: ofSender) { try sender.detach(\.$letter, in: context) }
            #expect(throws: ofLetter) { try Letter(id: 1, sender: .id(1)).save(to: context) }
            #expect(throws: ofLetter) { try Letter(id: 1, sender: .relation(Sender(id: 1))).save(to: context) }
            // A record alone needs no relation.
            try Letter(id: 2).save(to: context)
            #expect(throws: ofLetter) { try Letter(id: 2).delete(from: context) }
        }
        #expect(try Sender.query().count(in: store) == 0)
        #expect(try Letter.query().keys(in: store) == [2])
    }

    @Test func anInverseOfAnotherType_isAMismatch() throws {
        // The inverse of `Teammate.team` is called `members` too, but belongs to `Team`.
        let stranger = RelationDescription(
            owner: Device.self, target: Teammate.self, path: PropertyPath(\Device.id), property: "members",
            name: "members", oldNames: [],
            inverseProperty: "team", isToMany: true, isRequired: false, deleteRule: .nullify)
        #expect(throws: mismatch("Device", "members", "Teammate.team")) { try DeclaredRelation(stranger) }
        #expect(throws: Never.self) { try Team.declaredRelations() }
    }
}
