// Nested values of other versions of their structs: in JSON, as another version of the program wrote it.

import CloudKit
import Foundation
import Testing
import Trove

@RecordValue
private struct Engine: Equatable {
    @Renamed("name", "title") var label: String
    var power: Int = 90
    var note: String?
    var parts: [Engine] = []
}

@RecordValue
private enum Drive: Equatable {
    case none
    case engine(Engine)
}

@CloudKitRecord
@IndexKeyRecord("id")
private struct Car: Equatable {
    let id: Int
    var engine: Engine = Engine(label: "standard")
    var spares: [String: Engine] = [:]
    var drive: Drive = .none
}

@Suite("Nested values of other versions") struct NestedVersionTests {
    /// Returns the engine of a car in CloudKit.
    private func engine(_ json: String) throws -> Engine { try Car(ckRecord: record(json)).engine }

    private func record(_ json: String, field: String = "engine") throws -> CKRecord {
        let record = try Car(id: 1).ckRecord(in: zone)
        record[field] = Data(json.utf8)
        return record
    }

    private func wrongField(_ json: String) -> String? {
        do {
            _ = try engine(json)
            return nil
        } catch {
            guard case .invalidValue("Car", let field, _)? = error as? CloudKitRecordError else { return "\(error)" }
            return field
        }
    }

    @Test func missingMembers_haveTheirInitialValues() throws {
        #expect(try engine(#"{"label":"a"}"#) == Engine(label: "a"))
        let nested = try engine(#"{"label":"a","parts":[{"label":"b"}]}"#)
        #expect(nested == Engine(label: "a", parts: [Engine(label: "b")]))
        #expect(wrongField(#"{"power":1}"#) == "engine.label")
        #expect(wrongField(#"{"label":"a","parts":[{}]}"#) == "engine.parts[0].label")
    }

    @Test(arguments: [#""more":1"#, #""more":{"a":[{"b":"}"}]}"#, #""more":null,"other":"\"""#, #""more":1,"more":2"#])
    func otherMembers_areSkipped(members: String) throws {
        #expect(try engine(#"{"label":"a",\#(members)}"#) == Engine(label: "a"))
        #expect(try engine(#"{\#(members),"label":"a"}"#) == Engine(label: "a"))
    }

    @Test func oldNames_areRead() throws {
        #expect(try engine(#"{"name":"a"}"#).label == "a")
        for members in [#""name":"a","title":"b""#, #""title":"b","name":"a""#] {
            #expect(try engine("{\(members)}").label == "b")
        }
        for members in [#""label":"c","title":"b""#, #""title":"b","label":"c""#] {
            #expect(try engine("{\(members)}").label == "c")
        }
    }

    @Test func values_areOfAllDepths() throws {
        let old = #"{"name":"a","more":1}"#
        let spares = try Car(ckRecord: record(#"{"x":\#(old)}"#, field: "spares")).spares
        #expect(spares == ["x": Engine(label: "a")])
        let drive = try Car(ckRecord: record(#"{"engine":{"_0":\#(old)}}"#, field: "drive")).drive
        #expect(drive == .engine(Engine(label: "a")))
    }

    @Test func wrongJSON_throws() {
        #expect(wrongField(#"{"label":"a","label":"b"}"#) == "engine.label")
        #expect(wrongField(#"{"label":"a","power":"x"}"#) == "engine.power")
        #expect(wrongField(#"{"label":"a","more":}"#) != nil)
        #expect(wrongField(#"{"label":"a","more":1"#) != nil)
        // Only one value is in a field.
        #expect(wrongField(#"{"label":"a"},"more":1"#) != nil)
    }

    /// Members of a newer version stay in CloudKit, as long as the value does not change.
    @Test func update_keepsOtherMembers() throws {
        let record = try record(#"{"label":"a","more":1}"#)
        var car = try Car(ckRecord: record)
        try car.update(record)
        #expect(record["engine"] == Data(#"{"label":"a","more":1}"#.utf8))
        car.engine.power = 1
        try car.update(record)
        #expect(try Car(ckRecord: record) == car)
        #expect(record["engine"] != Data(#"{"label":"a","more":1}"#.utf8))
    }
}
