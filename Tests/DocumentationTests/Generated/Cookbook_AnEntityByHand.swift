// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2703
@EntityModel(keyPrefix: 3)
private struct Place {
    let id: Int
    var name: String
    var note: String?
    @Relationship(inverse: \.children) var parent: Place?
    @Relationship(deleteRule: .cascade, inverse: \.parent) var children: [Place]?
    @Relationship var tags: [Tag]? = nil
}

// Docs/Cookbook.md:2713
@EntityModel
private struct Tag {
    let id: String
}

// Docs/Cookbook.md:2718
private struct HandWritten {
    let id: Int
    var name: String
    var note: String?
    @Relationship(inverse: \.children) var parent: HandWritten?
    @Relationship(deleteRule: .cascade, inverse: \.parent) var children: [HandWritten]?
    @Relationship var tags: [Tag]? = nil
}

// Docs/Cookbook.md:2727
extension HandWritten: EntityModelProtocol {
    static let schema = RecordSchema(
        of: Self.self, name: "Place", fileID: #fileID, keyPrefix: 3, key: [KeyProperty("id", \Self.id)],
        fields: [
            FieldProperty("name", \Self.name, fieldCoding(of: String.self)),
            FieldProperty("note", \Self.note, fieldCoding(of: String?.self)),
        ])

    enum RelationKeys {
        enum parent: RelationKey {
            typealias OwnerEntity = HandWritten
            typealias TargetEntity = HandWritten
            typealias InverseKey = children
        }
        enum children: RelationKey {
            typealias OwnerEntity = HandWritten
            typealias TargetEntity = HandWritten
            typealias InverseKey = parent
        }
        enum tags: RelationKey {
            typealias OwnerEntity = HandWritten
            typealias TargetEntity = Tag
            typealias InverseKey = NoInverse
        }
    }

    static let relations: [EntityRelation<Self>] = [
        .mutual(
            RelationKeys.parent.self, property: "parent", inverse: "children", at: \.$parent, get: { $0.$parent },
            set: { $0.$parent = $1 }),
        .mutual(
            RelationKeys.children.self, property: "children", inverse: "parent", at: \.$children, get: { $0.$children },
            set: { $0.$children = $1 }, deleteRule: .cascade),
        .oneWay(RelationKeys.tags.self, property: "tags", at: \.$tags, get: { $0.$tags }, set: { $0.$tags = $1 }),
    ]

    static let patches: [MergeStrategy<Self>] = [.patch(\.note)]

    var indexKey: Int { id }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int { try name.encodedSize + note.encodedSize }

    func encodeFields(into writer: inout ValueWriter) {
        name.encode(into: &writer)
        note.encode(into: &writer)
    }

    init(decoding reader: inout RecordReader) throws(CodingError) {
        id = try Int(decodingKey: &reader.key)
        name = try String(decoding: &reader.fields)
        note = try String?(decoding: &reader.fields)
    }
}

// Docs/Cookbook.md:2787
private func dump(_ store: Store) throws -> [String] {
    var lines: [String] = []
    try store.read { context in
        try context.forEachDumpLine(of: context.storedTypes()) { line in lines.append(line) }
    }
    return lines
}

enum Cookbook_AnEntityByHand {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2787

        let generated = try Store.temporary(records: [Place.self])
        try Place(
            id: 1, name: "Oslo", children: .relation([Place(id: 2, name: "Frogner", note: "park")]), tags: .ids(["north"])
        ).save(to: generated)

        let byHand = try Store.temporary(records: [HandWritten.self])
        try HandWritten(
            id: 1, name: "Oslo", note: nil, children: .relation([HandWritten(id: 2, name: "Frogner", note: "park")]),
            tags: .ids(["north"])
        ).save(to: byHand)

        expectOutput(try dump(generated) == dump(byHand), is: #"true"#, at: "Docs/Cookbook.md:2806")
        _ = generated
        _ = byHand
    }
}
