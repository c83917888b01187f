// The samples of Empire's page: the same calls, in the same order.

import Foundation
import Testing
import Trove
import TroveSpellings

#if canImport(CloudKit)
import CloudKit
#endif

@IndexKeyRecord("name")
private struct Diver: Hashable {
    let name: String
    let age: Int
}

@IndexKeyRecord("lastName", "firstName")
private struct Sailor: Hashable {
    let lastName: String
    let firstName: String
    let age: Int
}

@IndexKeyRecord(keyPrefix: 7_201, fieldsVersion: 1, "lastName", "firstName")
private struct FirstRower {
    let lastName: String
    let firstName: String
}

@IndexKeyRecord(keyPrefix: 7_201, fieldsVersion: 2, "lastName", "firstName")
private struct Rower: Hashable {
    let lastName: String
    let firstName: String
    let age: Int
}

/// Without a key; the library's files for CloudKit are tested in `Tests/CloudKitTests`.
@CloudKitRecord
private struct Guest: Equatable {
    let name: String
    let age: Int
}

/// With a key, and with another name in CloudKit.
@CloudKitRecord
@IndexKeyRecord("name")
private struct Boat {
    static let ckRecordType = "Ship"

    let name: String
    let age: Int
}

extension Rower {
    init(decoding reader: inout RecordReader, version: UInt32) throws {
        switch version {
        case 1:
            self.lastName = try String(decodingKey: &reader.key)
            self.firstName = try String(decodingKey: &reader.key)
            self.age = 0
        default: throw Self.unsupportedMigration(from: version)
        }
    }
}

@Suite("Coming from Empire") struct EmpireTests {
    @Test func records_areInserted_andSelectedByARange() async throws {
        let store = try await Store.temporary()
        try await store.withTransaction { context in
            try context.insert(Diver(name: "Korben", age: 45))
            try context.insert(Diver(name: "Leeloo", age: 2000))
        }
        let records = try await store.withTransaction { context in
            try Diver.select(in: context, limit: 1, name: .lessThan("Zorg"))
        }
        #expect(records.first == Diver(name: "Leeloo", age: 2000))
    }

    @Test func aRange_comesLast() throws {
        let store = try Store.temporary()
        let sailors = [("Dallas", "Korben"), ("Dallas", "Zoe"), ("Rhod", "Ruby")]
        try store.insert(contentsOf: sailors.map { Sailor(lastName: $0.0, firstName: $0.1, age: 45) })
        #expect(try Sailor.select(in: store, lastName: .greaterThan("Dallas")).map(\.firstName) == ["Ruby"])
        let some = try Sailor.select(in: store, lastName: "Dallas", firstName: .lessThanOrEqual("Korben"))
        #expect(some.map(\.firstName) == ["Korben"])
    }

    @Test func anOldVersion_isReadByTheInitializer() throws {
        let store = try Store.temporary()
        try store.insert(FirstRower(lastName: "Dallas", firstName: "Korben"))
        let copy = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).trove")
        defer { for end in ["", "-lock"] { try? FileManager.default.removeItem(atPath: copy.path + end) } }
        try store.copy(to: copy)
        let next = try Store(path: copy.path, records: [Rower.self])
        let expected = [Rower(lastName: "Dallas", firstName: "Korben", age: 0)]
        #expect(try Rower.select(in: next, lastName: "Dallas") == expected)
        try next.close()
    }

    /// The declaration builds on every platform.
    @Test func recordsForCloudKit_areDeclared() {
        func isConverted(_ type: (some CloudKitRecord).Type, as name: String) -> Bool { type.ckRecordType == name }
        #expect(isConverted(Guest.self, as: "Guest"))
        #expect(isConverted(Boat.self, as: "Ship"))
        #expect(Boat.ckRecordName(for: "Argo") == #"Ship(name: "Argo")"#)
        #expect(Boat.indexKey(ofRecordNamed: #"Ship(name: "Argo")"#) == "Argo")
    }

    #if canImport(CloudKit)
    @Test func records_areConverted() throws {
        let id = CKRecord.ID(recordName: "guest")
        let guest = Guest(name: "Korben", age: 45)
        #expect(try Guest(ckRecord: guest.ckRecord(with: id)) == guest)
        let zone = CKRecordZone.ID(zoneName: "boats")
        #expect(try Boat(name: "Argo", age: 3).ckRecord(in: zone).recordType == "Ship")
    }
    #endif
}
