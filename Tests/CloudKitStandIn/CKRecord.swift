// Records and zones.

import Foundation

/// The owner of the zones of a private database.
public let CKCurrentUserDefaultName = "__defaultOwner__"

/// A zone of a database.
public final class CKRecordZone: Sendable {
    /// The identifier of a zone.
    public struct ID: Hashable, Sendable, Codable {
        /// The name.
        public let zoneName: String
        /// The owner.
        public let ownerName: String

        /// Creates an identifier.
        public init(zoneName: String, ownerName: String = CKCurrentUserDefaultName) {
            self.zoneName = zoneName
            self.ownerName = ownerName
        }
    }

    /// The identifier.
    public let zoneID: ID

    /// Creates a zone.
    public init(zoneID: ID) { self.zoneID = zoneID }
}

/// A record: named values, and the fields of the system.
public final class CKRecord: @unchecked Sendable {
    /// The name of a record type.
    public typealias RecordType = String
    /// The name of a field.
    public typealias FieldKey = String

    /// The identifier of a record.
    public struct ID: Hashable, Sendable, Codable {
        /// The name.
        public let recordName: String
        /// The zone.
        public let zoneID: CKRecordZone.ID

        /// Creates an identifier.
        public init(recordName: String, zoneID: CKRecordZone.ID) {
            precondition(
                !recordName.isEmpty && recordName.utf8.count <= 255 && recordName.utf8.allSatisfy { $0 < 0x80 }
                    && !recordName.hasPrefix("_"), "“\(recordName)” is not the name of a record")
            self.recordName = recordName
            self.zoneID = zoneID
        }
    }

    /// A value that names another record.
    public final class Reference: Sendable {
        /// The other record.
        public let recordID: ID

        /// What a deletion of the other record does to this one.
        public enum Action: Sendable { case none, deleteSelf }

        /// Creates a reference.
        public init(recordID: ID, action: Action) { self.recordID = recordID }
    }

    /// The record type.
    public let recordType: RecordType
    /// The identifier.
    public let recordID: ID
    /// The tag of the version that the server has; nil for a record that the server does not have.
    public internal(set) var recordChangeTag: String?
    private var values: [FieldKey: StoredRecordValue] = [:]
    private var changed: Set<FieldKey> = []

    /// Creates a record that the server does not have.
    public init(recordType: RecordType, recordID: ID) {
        precondition(Self.isName(recordType), "“\(recordType)” is not the name of a record type")
        self.recordType = recordType
        self.recordID = recordID
    }

    /// The value of a field.
    public subscript(key: FieldKey) -> (any CKRecordValueProtocol)? {
        get { values[key]?.value }
        set {
            precondition(Self.isName(key) && !Self.systemFields.contains(key), "“\(key)” is not the name of a field")
            values[key] = newValue.map(StoredRecordValue.init)
            changed.insert(key)
        }
    }

    /// The value of a field, as a type. Another type ends the process.
    public subscript<Value: CKRecordValueProtocol>(key: FieldKey) -> Value? {
        get {
            guard let value: any CKRecordValueProtocol = self[key] else { return nil }
            guard let value = value as? Value else { preconditionFailure("\(key) is a \(type(of: value))") }
            return value
        }
        set { self[key] = newValue as (any CKRecordValueProtocol)? }
    }

    /// Returns the names of all fields.
    public func allKeys() -> [FieldKey] { values.keys.sorted() }

    /// Returns the names of the fields that were set since the record came from the server.
    public func changedKeys() -> [FieldKey] { changed.sorted() }

    private static let systemFields: Set<String> = [
        "recordID", "recordType", "creationDate", "creatorUserRecordID", "modificationDate",
        "lastModifiedUserRecordID", "parent", "share",
    ]

    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 255 && name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/.asciiOnlyWordCharacters()) != nil
    }

    // MARK: The server

    /// A copy that the server gives away.
    var copy: CKRecord { recordChangeTag.map(saved) ?? self }

    /// Returns a copy with a change tag, as the server has it. CloudKit has no such call.
    public func saved(_ changeTag: String) -> CKRecord {
        let copy = CKRecord(recordType: recordType, recordID: recordID)
        copy.recordChangeTag = changeTag
        copy.values = values
        return copy
    }

    /// Returns a copy of this version with the changed fields of another.
    func merged(_ other: CKRecord, _ changeTag: String) -> CKRecord {
        let copy = saved(changeTag)
        for key in other.changed { copy.values[key] = other.values[key] }
        return copy
    }

    // MARK: The fields of the system

    /// Encodes the fields of the system: the type, the identifier and the change tag.
    public func encodeSystemFields(with coder: NSCoder) {
        coder.encode(recordType as NSString, forKey: "type")
        coder.encode(recordID.recordName as NSString, forKey: "name")
        coder.encode(recordID.zoneID.zoneName as NSString, forKey: "zone")
        coder.encode(recordID.zoneID.ownerName as NSString, forKey: "owner")
        coder.encode(recordChangeTag.map { $0 as NSString }, forKey: "tag")
    }

    /// Creates a record without values from encoded fields of the system.
    public init?(coder: NSCoder) {
        func text(_ key: String) -> String? { coder.decodeObject(of: NSString.self, forKey: key).map { "\($0)" } }
        guard let type = text("type"), let name = text("name"), let zone = text("zone"), let owner = text("owner")
        else { return nil }
        recordType = type
        recordID = ID(recordName: name, zoneID: CKRecordZone.ID(zoneName: zone, ownerName: owner))
        recordChangeTag = text("tag")
    }
}
