// Records of CloudKit that are not of the type, or of an older program, and the names of types and fields.

import CloudKit
import Foundation
import Testing
import Trove

@CloudKitRecord
@IndexKeyRecord("id")
private struct Person: Equatable {
    let id: Int
    var name: String
    var age: Int8 = 7
    var color: Color = .red
    @Renamed("title", "degree") var rank: String?
    @Renamed("mail") var address: String = "none"
}

@CloudKitRecord
@IndexKeyRecord("id")
private struct Place: Equatable {
    static let ckRecordType = "Location"

    static func ckFieldName(for property: String) -> String {
        ["parent": "parentPlace", "größe": "size"][property] ?? property
    }

    let id: Int
    var parent: Int?
    var größe: Double
}

/// The macro would warn of the names of this type and the next types.
@IndexKeyRecord("id")
private struct Reserved: CloudKitRecord {
    static let ckFields = CloudKitFields(of: Reserved.self)

    let id: Int
    var creationDate: Date
}

@CloudKitRecord
@IndexKeyRecord("id")
private struct Twice {
    static func ckFieldName(for property: String) -> String { "same" }

    let id: Int
    var name: String
}

@IndexKeyRecord("id")
private struct Größe: CloudKitRecord {
    static let ckFields = CloudKitFields(of: Größe.self)

    let id: Int
}

@CloudKitRecord
@IndexKeyRecord("id")
private struct Long {
    static let ckRecordType = String(repeating: "a", count: 221)

    let id: Int
}

/// An old name is the name of another property in CloudKit.
@CloudKitRecord
@IndexKeyRecord("id")
private struct Moved: Equatable {
    static func ckFieldName(for property: String) -> String { property == "heading" ? "title" : property }

    let id: Int
    @Renamed("title") var rank: String?
    var heading: String
}

/// A conformance by hand, and fields whose layout is known only to their own type.
@IndexKeyRecord("id")
private struct ByHand: Equatable {
    let id: Int
    var name: String
}

extension ByHand: CloudKitRecord {
    static let ckFields = CloudKitFields(of: ByHand.self)
}

/// Fields that are declared of another type.
@IndexKeyRecord("id")
private struct Mistaken {
    let id: Int
}

extension Mistaken: CloudKitRecord {
    static let ckRecordType = ByHand.ckRecordType
    static let ckFields = ByHand.ckFields
}

private struct Secret: RecordValue {
    static func describe(in layout: inout LayoutBuilder) { layout.append("Secret") }
    var encodedSize: Int { 1 }
    func encode(into writer: inout ValueWriter) { UInt8(1).encode(into: &writer) }
    init() {}
    init(decoding reader: inout ValueReader) throws(CodingError) { _ = try UInt8(decoding: &reader) }
}

@CloudKitRecord
@IndexKeyRecord("id")
private struct Unknown {
    let id: Int
    var secret: Secret
}

@EntityModel
@CloudKitRecord
struct Note: Equatable {
    let id: String
    var text: String
    @Relationship(deleteRule: .cascade, inverse: \.parent) var children: [Note]?
    @Relationship(inverse: \.children) var parent: Note?
}

@Suite("Records of CloudKit") struct ConversionTests {
    private let id = CKRecord.ID(recordName: "x", zoneID: zone)

    private func record(of type: String = "Person", _ values: [String: any CKRecordValueProtocol]) -> CKRecord {
        let record = CKRecord(recordType: type, recordID: id)
        for (name, value) in values { record[name] = value as (any CKRecordValueProtocol)? }
        return record
    }

    private func error(_ body: () throws -> some Any) -> CloudKitRecordError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? CloudKitRecordError
        }
    }

    // MARK: Errors

    @Test func otherRecordType_throws() {
        let other = record(of: "Pet", ["id": 1, "name": "a"])
        #expect(error { try Person(ckRecord: other) } == .wrongRecordType(expected: "Person", found: "Pet"))
        let person = Person(id: 1, name: "a")
        #expect(error { try person.update(other) } == .wrongRecordType(expected: "Person", found: "Pet"))
    }

    @Test func missingField_throws() {
        #expect(error { try Person(ckRecord: record(["id": 1])) } == .missingField(type: "Person", field: "name"))
        #expect(error { try Person(ckRecord: record(["name": "a"])) } == .missingField(type: "Person", field: "id"))
    }

    @Test func otherType_throws() {
        func found(_ field: String, _ value: any CKRecordValueProtocol) -> String? {
            var values: [String: any CKRecordValueProtocol] = ["id": 1, "name": "a"]
            values[field] = value
            guard case .wrongFieldType("Person", field, _, let found)? = error({ try Person(ckRecord: record(values)) })
            else { return nil }
            return found
        }
        #expect(found("name", 1) == "an integer")
        #expect(found("name", Data()) == "Data")
        #expect(found("age", "7") == "a String")
        #expect(found("age", 7.5) == "a number with a fraction")
        #expect(found("age", Date()) == "a Date")
        #expect(found("rank", [1, 2]) == "a list that begins with an integer")
        #expect(found("name", CKRecord.Reference(recordID: id, action: .none)) == "a \(CKRecord.Reference.self)")
        #expect(found("name", "a") == nil)
    }

    @Test func otherValue_throws() {
        func field(_ field: String, _ value: any CKRecordValueProtocol) -> String? {
            var values: [String: any CKRecordValueProtocol] = ["id": 1, "name": "a"]
            values[field] = value
            guard case .invalidValue("Person", let field, _)? = error({ try Person(ckRecord: record(values)) })
            else { return nil }
            return field
        }
        #expect(field("age", 300) == "age")
        #expect(field("age", -128) == nil)
        #expect(field("color", "blue") == "color")
        #expect(field("color", "green") == nil)
    }

    @Test func otherText_throws() throws {
        let scalars = try Scalars.sample.ckRecord(in: zone)
        scalars["uuid"] = "x"
        let uuid = try #require(error { try Scalars(ckRecord: scalars) })
        #expect(uuid == .invalidValue(type: "Scalars", field: "uuid", reason: "“x” is not the text of a UUID."))
    }

    @Test func otherJSON_throws() throws {
        let parts = try Parts.sample.ckRecord(in: zone)
        parts["address"] = Data(#"{"street":"Main","number":"x"}"#.utf8)
        guard case .invalidValue("Parts", "address.number", _)? = error({ try Parts(ckRecord: parts) }) else {
            Issue.record("the field is not named")
            return
        }
        let settings = try Parts.sample.ckRecord(in: zone)
        settings["settings"] = Data("{}".utf8)
        guard case .invalidValue("Parts", "settings", _)? = error({ try Parts(ckRecord: settings) }) else {
            Issue.record("the field is not named")
            return
        }
    }

    /// The elements of a list are of one type.
    @Test func otherElements_throw() throws {
        let parts = try Parts.sample.ckRecord(in: zone)
        parts["strings"] = [1, 2]
        #expect(
            error { try Parts(ckRecord: parts) }
                == .wrongFieldType(
                    type: "Parts", field: "strings", expected: "a list in which each element is a String",
                    found: "a list that begins with an integer"))
    }

    @Test func errors_nameTheField() {
        let errors: [CloudKitRecordError] = [
            .missingField(type: "Person", field: "name"),
            .wrongFieldType(type: "Person", field: "name", expected: "a String", found: "Data"),
            .invalidValue(type: "Person", field: "name", reason: "x"),
            .unencodable(type: "Person", field: "name", reason: "x"),
            .invalidName(type: "Person", name: "name"),
            .assetFailed(type: "Person", field: "name", path: "", reason: "x"),
        ]
        for error in errors {
            #expect(error.description.contains("name") && error.description.contains("Person"))
            #expect(error.localizedDescription == error.description)
        }
    }

    // MARK: Records of other programs

    @Test func absentField_hasTheInitialValue() throws {
        let person = try Person(ckRecord: record(["id": 1, "name": "a"]))
        #expect(person == Person(id: 1, name: "a"))
        #expect((person.age, person.color, person.address) == (7, .red, "none"))
        #expect(person.rank == nil)
    }

    /// A record of an older program has the field under an old name; of several, the newest is read.
    @Test func renamedField_isRead() throws {
        let old = try Person(ckRecord: record(["id": 1, "name": "a", "title": "Dr", "mail": "x"]))
        #expect((old.rank, old.address) == ("Dr", "x"))
        let newer = try Person(ckRecord: record(["id": 1, "name": "a", "title": "Dr", "degree": "Prof"]))
        #expect(newer.rank == "Prof")
    }

    @Test func otherProperty_keepsItsField() throws {
        let record = try Moved(id: 1, rank: nil, heading: "a").ckRecord(in: zone)
        #expect(try Moved(ckRecord: record) == Moved(id: 1, rank: nil, heading: "a"))
        try Moved(id: 1, rank: nil, heading: "a").update(record)
        #expect(record["title"] == "a")
    }

    @Test func otherFields_areIgnored() throws {
        #expect(try Person(ckRecord: record(["id": 1, "name": "a", "more": 3])).name == "a")
    }

    // MARK: Kinds of records

    @Test func value_hasNoKey() throws {
        let diver = Diver(name: "Leeloo", age: 20)
        let record = try diver.ckRecord(with: id)
        #expect(record.recordType == "Diver")
        #expect(record.recordID == id)
        #expect(Set(record.allKeys()) == ["age", "name"])
        #expect(try Diver(ckRecord: record) == diver)
    }

    @Test func recursiveValue_comesBackEqual() throws {
        let leaf = Tree(name: "leaf", children: [], depth: 3)
        let tree = Tree(name: "root", children: [Tree(name: "branch", children: [leaf], depth: 2), leaf])
        let record = try tree.ckRecord(with: id)
        #expect(try Tree(ckRecord: record) == tree)
        let old = self.record(of: "Tree", ["name": "root", "kids": Data("[]".utf8)])
        #expect(try Tree(ckRecord: old) == Tree(name: "root", children: [], depth: 1))
    }

    @Test func entity_hasNoRelations() throws {
        let note = Note(id: "1", text: "a", children: .relation([Note(id: "2", text: "b")]))
        let record = try note.ckRecord(in: zone)
        #expect(Set(record.allKeys()) == ["id", "text"])
        let read = try Note(ckRecord: record)
        #expect((read.id, read.text) == ("1", "a"))

        // A save of the record keeps the links.
        let store = try Store.temporary(records: [Note.self])
        try note.save(to: store)
        try read.save(to: store)
        #expect(try Note.query("1").with(\.$children).resolve(in: store)?.children?.map(\.id) == ["2"])
    }

    @Test func conformanceByHand_isTheSame() throws {
        let record = try ByHand(id: 1, name: "a").ckRecord(in: zone)
        #expect(record.recordID.recordName == "ByHand(id: 1)")
        #expect(try ByHand(ckRecord: record) == ByHand(id: 1, name: "a"))
    }

    @Test func fieldsOfAnotherType_throw() throws {
        guard case .unencodable("ByHand", "", _)? = error({ try Mistaken(id: 1).ckRecord(in: zone) }) else {
            Issue.record("the record was converted")
            return
        }
        let record = try ByHand(id: 1, name: "a").ckRecord(in: zone)
        guard case .invalidValue("ByHand", "", _)? = error({ try Mistaken(ckRecord: record) }) else {
            Issue.record("the record was converted")
            return
        }
    }

    @Test func ownLayout_throws() {
        guard
            case .unencodable("Unknown", "secret", _)? = error({
                try Unknown(id: 1, secret: Secret()).ckRecord(in: zone)
            })
        else {
            Issue.record("the field is not named")
            return
        }
    }

    // MARK: Names of types and fields

    @Test func otherNames_areUsed() throws {
        let place = Place(id: 1, parent: 2, größe: 3)
        let record = try place.ckRecord(in: zone)
        #expect(record.recordType == "Location")
        #expect(record.recordID.recordName == "Location(id: 1)")
        #expect(Set(record.allKeys()) == ["id", "parentPlace", "size"])
        #expect(try Place(ckRecord: record) == place)
    }

    @Test func invalidNames_throw() {
        #expect(
            error { try Reserved(id: 1, creationDate: Date()).ckRecord(in: zone) }
                == .invalidName(type: "Reserved", name: "creationDate"))
        #expect(error { try Twice(id: 1, name: "").ckRecord(in: zone) } == .invalidName(type: "Twice", name: "same"))
        #expect(error { try Größe(id: 1).ckRecord(with: id) } == .invalidName(type: "Größe", name: "Größe"))
        #expect(error { try Größe(id: 1).ckRecord(in: zone) } == .invalidName(type: "Größe", name: "Größe"))
        // The name of a record would have more than 255 characters.
        let long = Long.ckRecordType
        #expect(error { try Long(id: 1).ckRecord(in: zone) } == .invalidName(type: long, name: long))
        #expect(error { try Long(id: 1).ckRecord(with: id) } == .invalidName(type: long, name: long))
    }

    /// CloudKit raises an exception for an invalid name of a record.
    @Test func invalidTypes_haveValidRecordNames() {
        for id in [Größe.ckRecordID(for: 1, in: zone), Long.ckRecordID(for: 1, in: zone)] {
            #expect(id.recordName.wholeMatch(of: /\(#[0-9a-f]{32}\)/) != nil)
        }
        #expect(Größe.indexKey(of: Größe.ckRecordID(for: 1, in: zone)) == nil)
        #expect(Größe.indexKey(ofRecordNamed: "Größe(id: 1)") == nil)
    }

    /// The macro warns of the names that the conversions refuse.
    @Test func macro_hasTheReservedNames() throws {
        let names = URL(filePath: #filePath).appending(
            path: "../../../Sources/TroveMacroExpansion/Validation/CloudKitNames.swift")
        let text = try String(contentsOf: names.standardizedFileURL, encoding: .utf8)
        #expect(Set(text.matches(of: /"(\w\w+)"/).map { String($0.output.1) }) == CloudKitName.reserved)
    }
}
