// The calls that convert a record to a `CKRecord`, and back.

#if canImport(CloudKit)
import CloudKit
import Foundation
import TroveCoding

extension CloudKitRecord {
    /// Creates a value from a `CKRecord`.
    ///
    /// An absent field is nil, an empty list, or the initial value of its property. Fields that are not of a property
    /// are ignored. The data of assets is read from their files.
    ///
    /// - Parameter ckRecord: The record of CloudKit.
    /// - Throws: ``CloudKitRecordError``: another record type; a missing field, or a field of another type.
    /// - Complexity: O(*n*) in the size of the record.
    public init(ckRecord: CKRecord) throws(CloudKitRecordError) {
        self = try Self.ckFields.record(Self.self, ofType: ckRecord.recordType) { CloudKitValue(ckRecord[$0]) }
    }

    /// Returns the value as a new `CKRecord`.
    ///
    /// The new record has no change tag: CloudKit saves it only if it has no record of this identifier. To save changes
    /// of a record that CloudKit has, call ``update(_:assetsIn:)``.
    ///
    /// - Parameters:
    ///   - recordID: The identifier of the record.
    ///   - directory: The directory for the files of assets; nil for the temporary directory. Delete the files after
    ///     the record has been saved.
    /// - Throws: ``CloudKitRecordError``: a value without a form in CloudKit; a file that cannot be written.
    /// - Complexity: O(*n*) in the size of the record.
    public func ckRecord(
        with recordID: CKRecord.ID, assetsIn directory: URL? = nil
    ) throws(CloudKitRecordError) -> CKRecord {
        // CloudKit raises an exception for an invalid name.
        try Self.ckFields.check()
        let record = CKRecord(recordType: Self.ckRecordType, recordID: recordID)
        try update(record, assetsIn: directory)
        return record
    }

    /// Writes the value into an existing `CKRecord`, whose system fields stay: its identifier and its change tag.
    ///
    /// Only fields with other values are set, so `changedKeys()` has what has changed; all fields, if the record has
    /// system fields alone. Fields that are not of a property stay. If an error is thrown, the record is unchanged.
    ///
    /// - Parameters:
    ///   - ckRecord: The record of CloudKit.
    ///   - directory: The directory for the files of changed assets; nil for the temporary directory.
    /// - Throws: ``CloudKitRecordError``: another record type; a value without a form in CloudKit; a file that cannot
    ///   be written.
    /// - Complexity: O(*n*) in the size of the record.
    public func update(_ ckRecord: CKRecord, assetsIn directory: URL? = nil) throws(CloudKitRecordError) {
        let hasValues = ckRecord.recordChangeTag == nil || !ckRecord.allKeys().isEmpty
        let changes = try Self.ckFields.changes(
            to: self, ofType: ckRecord.recordType, assetsIn: directory ?? FileManager.default.temporaryDirectory,
            sendsAll: !hasValues
        ) { CloudKitValue(ckRecord[$0]) }
        for (name, value) in changes { ckRecord.set(value, for: name) }
    }
}

extension CloudKitRecord where Self: IndexKeyRecord {
    /// Returns the record as a new `CKRecord` of a zone. Its name is ``ckRecordName(for:)`` of the key.
    ///
    /// A record whose name has a hash has the text of its key in the field `troveKey`.
    ///
    /// - Parameters:
    ///   - zoneID: The identifier of the zone.
    ///   - directory: The directory for the files of assets; nil for the temporary directory. Delete the files after
    ///     the record has been saved.
    /// - Throws: ``CloudKitRecordError``: a value without a form in CloudKit; a file that cannot be written.
    /// - Complexity: O(*n*) in the size of the record.
    public func ckRecord(
        in zoneID: CKRecordZone.ID, assetsIn directory: URL? = nil
    ) throws(CloudKitRecordError) -> CKRecord {
        let record = try ckRecord(with: Self.ckRecordID(for: indexKey, in: zoneID), assetsIn: directory)
        if let text = cloudKitKeyText { record.set(.string(text), for: CloudKitName.keyField) }
        return record
    }

    /// Returns the identifier of a record in a zone: its name is ``ckRecordName(for:)`` of the key.
    ///
    /// - Parameters:
    ///   - key: The key of the record.
    ///   - zoneID: The identifier of the zone.
    /// - Returns: The identifier: a valid one, also if CloudKit does not accept the record type.
    /// - Complexity: O(*n*) in the number of bytes of the key.
    public static func ckRecordID(for key: IndexKey, in zoneID: CKRecordZone.ID) -> CKRecord.ID {
        CKRecord.ID(recordName: ckRecordName(for: key), zoneID: zoneID)
    }

    /// Returns the key in an identifier, the inverse of ``ckRecordID(for:in:)``.
    ///
    /// - Parameter recordID: The identifier of a record.
    /// - Returns: The key; nil for a record of another type, with a hash in its name, or of another origin.
    /// - Complexity: O(*n*) in the length of the name.
    public static func indexKey(of recordID: CKRecord.ID) -> IndexKey? {
        indexKey(ofRecordNamed: recordID.recordName)
    }
}
#endif
