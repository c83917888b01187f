// The names of records by their keys.

import CloudKit
import Foundation
import Testing
import Trove
import TroveTestSupport

@CloudKitRecord
@IndexKeyRecord("name")
private struct Named {
    let name: String
}

@CloudKitRecord
@IndexKeyRecord("id")
private struct Identified {
    let id: UUID
}

@CloudKitRecord
@IndexKeyRecord("_id")
private struct Underscored {
    static func ckFieldName(for property: String) -> String { "id" }

    let _id: Int
}

@Suite("Names of records") struct RecordNameTests {
    @Test func name_hasTheTypeAndTheKey() throws {
        #expect(Scalars.ckRecordName(for: -3) == "Scalars(id: -3)")
        let parts = try Parts.sample.ckRecord(in: zone)
        #expect(parts.recordID == CKRecord.ID(recordName: #"Parts(name: "Korben", number: 7)"#, zoneID: zone))
        #expect(parts.allKeys().contains("troveKey") == false)
        let id = UUID()
        #expect(Identified.ckRecordName(for: id) == "Identified(id: \(id))")
        // A name in CloudKit does not begin with an underscore.
        #expect(Underscored.ckRecordName(for: 1) == "Underscored(_id: 1)")
    }

    @Test func key_isReadFromTheName() throws {
        #expect(Scalars.indexKey(of: Scalars.ckRecordID(for: .min, in: zone)) == .min)
        #expect(Parts.indexKey(of: try Parts.sample.ckRecord(in: zone).recordID) == Parts.sample.indexKey)
        let id = UUID()
        #expect(Identified.indexKey(ofRecordNamed: Identified.ckRecordName(for: id)) == id)
    }

    @Test(arguments: [
        "", "Scalars", "Scalars()", "Scalars(id: 1", "Scalars(1)", "Scalars(id: 01)", "Scalars(id: x)",
        "Scalars(id: 9223372036854775808)", "Scalars(id: 1))", "Parts(id: 1)", "Scalars(#00)", "id: 1", "Scalars(id:1)",
    ])
    func otherName_hasNoKey(name: String) {
        #expect(Scalars.indexKey(ofRecordNamed: name) == nil)
    }

    @Test func incompleteKey_isNone() {
        #expect(Parts.indexKey(ofRecordNamed: #"Parts(name: "Korben")"#) == nil)
        #expect(Parts.indexKey(ofRecordNamed: #"Parts(name: "Korben", number: 7)"#)?.description != nil)
    }

    /// The text of a key escapes control characters.
    @Test func controlCharacters_areASCII() {
        let name = Named.ckRecordName(for: "a\n\u{7}\"\\")
        #expect(name == #"Named(name: "a\n\u{7}\"\\")"#)
        #expect(Named.indexKey(ofRecordNamed: name) == "a\n\u{7}\"\\")
    }

    @Test func longName_hasAHash() throws {
        let fitting = String(repeating: "a", count: 255 - #"Named(name: "")"#.count)
        #expect(Named.ckRecordName(for: fitting).count == 255)
        #expect(Named.indexKey(ofRecordNamed: Named.ckRecordName(for: fitting)) == fitting)
        let long = fitting + "a"
        let record = try Named(name: long).ckRecord(in: zone)
        let name = record.recordID.recordName
        #expect(name.wholeMatch(of: /Named\(#[0-9a-f]{32}\)/) != nil, "\(name)")
        #expect(record["troveKey"] == #"Named(name: "\#(long)")"#)
        #expect(Named.indexKey(ofRecordNamed: name) == nil)
        #expect(try Named(ckRecord: record).name == long)
        #expect(Named.ckRecordName(for: long + "a") != name)
    }

    /// Names are part of the records in CloudKit: they never change.
    @Test func otherCharacters_haveAHash() throws {
        let record = try Named(name: "Jürgen").ckRecord(in: zone)
        #expect(record.recordID.recordName == Named.ckRecordName(for: "Jürgen"))
        #expect(record.recordID.recordName == "Named(#bf07f138906e6629bd09f8e108266409)")
        #expect(record["troveKey"] == #"Named(name: "Jürgen")"#)
        #expect(try Named(ckRecord: record).name == "Jürgen")
        // An update keeps the field of the key.
        try Named(name: "Jürgen").update(record)
        #expect(record["troveKey"] == #"Named(name: "Jürgen")"#)
    }

    @Test func randomKeys_areReadFromTheirNames() {
        var (random, seed) = SeededGenerator.fromEnvironment()
        var names: Set<String> = []
        for round in 0..<300 {
            let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Unicode.Scalar(UInt8.random(in: 0...127, using: &random))
            }
            let key = "\(round)" + String(String.UnicodeScalarView(scalars))
            let name = Named.ckRecordName(for: key)
            names.insert(name)
            #expect(name.utf8.count <= 255 && name.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "seed \(seed)")
            let isHashed = name.hasPrefix("Named(#")
            #expect(Named.indexKey(ofRecordNamed: name) == (isHashed ? nil : key), "round \(round) of seed \(seed)")
        }
        #expect(names.count == 300, "seed \(seed)")
    }
}
