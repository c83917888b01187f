// The fields of a record type in CloudKit, and the conversions of its records.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import LMDB
import TroveCoding

/// The fields of a record type in CloudKit: one for each stored property, the components of the key first.
///
/// Create it once for a type, as its ``CloudKitRecord/ckFields``. A property without a form in CloudKit makes each
/// conversion throw ``CloudKitRecordError``.
public struct CloudKitFields: Sendable {
    private let recordType: String
    private let fields: Result<[CloudKitField], CloudKitRecordError>
    private let read: @Sendable (any CloudKitRecord) throws -> StoredFields
    private let create: @Sendable (StoredFields) throws -> any CloudKitRecord

    /// Creates the fields of a record type.
    ///
    /// - Parameters:
    ///   - type: The type that declares the fields.
    ///   - assets: The stored names of the properties whose values are in files.
    public init<Record: CloudKitRecord & IndexKeyRecord>(of type: Record.Type, assets: [String] = []) {
        self.init(type, assets) { () throws(CodingError) in
            let layout = try type.schema.valueConversions.declared(by: type.schema)
            return layout.key + layout.fields
        } read: { record in
            let layout = try type.schema.valueConversions.declared(by: type.schema)
            let bytes = try record.currentBytes()
            return try bytes.key.withRawSpan { key in
                try bytes.fields.withRawSpan { try layout.read(key: key, fields: $0) }
            }
        } create: { fields in
            try Record(converting: fields)
        }
    }

    /// Creates the fields of a nested value, whose `CKRecord` has no name of its own.
    ///
    /// - Parameters:
    ///   - type: The type that declares the fields.
    ///   - assets: The stored names of the properties whose values are in files.
    @_disfavoredOverload
    public init<Value: CloudKitRecord & RecordValue>(of type: Value.Type, assets: [String] = []) {
        self.init(type, assets) { () throws(CodingError) in
            try NestedValue.layout(of: type).fields
        } read: { value in
            let layout = try NestedValue.layout(of: type)
            return try ValueWriter.bytes(of: value).withRawSpan { try layout.readFields($0) }
        } create: { fields in
            try NestedValue.value(of: type, converting: fields)
        }
    }

    private init<Record: CloudKitRecord>(
        _ type: Record.Type, _ assets: [String], properties: () throws(CodingError) -> [LayoutField],
        read: @escaping @Sendable (Record) throws -> StoredFields,
        create: @escaping @Sendable (StoredFields) throws -> Record
    ) {
        recordType = type.ckRecordType
        fields = Self.fields(of: type, assets, properties)
        self.read = { record in
            guard let record = record as? Record else { throw OtherType(declared: Record.self) }
            return try read(record)
        }
        self.create = create
    }

    private static func fields<Record: CloudKitRecord>(
        of record: Record.Type, _ assets: [String], _ properties: () throws(CodingError) -> [LayoutField]
    ) -> Result<[CloudKitField], CloudKitRecordError> {
        let type = record.ckRecordType
        let found: [LayoutField]
        do throws(CodingError) {
            found = try properties()
        } catch {
            return .failure(.unencodable(type: type, field: "", reason: "\(error)"))
        }
        do throws(CloudKitRecordError) {
            guard CloudKitName.isRecordType(type) else { throw .invalidName(type: type, name: type) }
            if let name = assets.first(where: { name in !found.contains { $0.name == name } }) {
                throw .unencodable(type: type, field: name, reason: "the asset is not a property.")
            }
            var names: Set<String> = []
            var fields: [CloudKitField] = []
            for property in found {
                let field = try CloudKitField(property, of: record, isAsset: assets.contains(property.name))
                guard names.insert(field.name).inserted else { throw .invalidName(type: type, name: field.name) }
                fields.append(field)
            }
            return .success(fields.map { $0.withoutOldNames(in: names) })
        } catch {
            return .failure(error)
        }
    }
}

/// The error of a type whose fields were declared of another type.
private struct OtherType: Error, CustomStringConvertible {
    let declared: Any.Type

    var description: String { "ckFields are the fields of \(declared), and of no other type." }
}

extension CloudKitFields {
    /// Throws if no record can be converted, for a reason in the declaration of the type.
    package func check() throws(CloudKitRecordError) { _ = try fields.get() }

    /// Returns the fields of a `CKRecord` that differ from a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - type: The record type of the `CKRecord`.
    ///   - directory: The directory for new files of assets.
    ///   - sendsAll: Whether absent fields are also removed where the `CKRecord` does not have them: a record of system
    ///     fields alone does not have the values of CloudKit.
    ///   - existing: Returns the value of a field of the `CKRecord`; nil for an absent field.
    /// - Returns: The names of the fields, and their new values: nil for a field that is to be removed.
    package func changes(
        to record: some CloudKitRecord, ofType type: String, assetsIn directory: URL, sendsAll: Bool = false,
        from existing: (String) -> CloudKitValue?
    ) throws(CloudKitRecordError) -> [(name: String, value: CloudKitValue?)] {
        let fields = try checked(type)
        let stored: StoredFields
        do {
            stored = try read(record)
        } catch {
            throw .unencodable(type: type, field: "", reason: "\(error)")
        }
        // All values first: a value without a form leaves no file.
        var changes: [(field: CloudKitField, value: CloudKitValue?)] = []
        var values: [(name: String, value: CloudKitValue?)] = []
        for (field, property) in zip(fields, stored.fields) {
            let value = try field.value(of: property)
            let isSent = sendsAll || !field.isEqual(existing(field.name), to: value, of: property)
            if isSent { changes.append((field, value)) }
            guard value == nil else { continue }
            // The field of an old name would be read in place of the absent one.
            for name in field.oldNames where sendsAll || existing(name) != nil { values.append((name, nil)) }
        }
        for (field, value) in changes {
            let value = try value.map { value throws(CloudKitRecordError) in
                field.isAsset ? try field.asset(of: value, in: directory) : value
            }
            values.append((field.name, value))
        }
        return values
    }

    /// Returns the record of a `CKRecord`.
    ///
    /// - Parameters:
    ///   - record: The type of the record.
    ///   - type: The record type of the `CKRecord`.
    ///   - values: Returns the value of a field of the `CKRecord`; nil for an absent field.
    package func record<Record: CloudKitRecord>(
        _ record: Record.Type, ofType type: String, _ values: (String) -> CloudKitValue?
    ) throws(CloudKitRecordError) -> Record {
        var stored = StoredFields()
        for field in try checked(type) {
            if let property = try field.stored(values) { stored.fields.append(property) }
        }
        do {
            let created = try create(stored)
            guard let record = created as? Record else { throw OtherType(declared: Swift.type(of: created)) }
            return record
        } catch let error as ConversionError {
            if case .value(let reason) = error.reason {
                throw .invalidValue(type: type, field: error.field, reason: "\(reason)")
            }
            throw .invalidValue(type: type, field: error.field, reason: "\(error)")
        } catch {
            throw .invalidValue(type: type, field: "", reason: "\(error)")
        }
    }

    private func checked(_ type: String) throws(CloudKitRecordError) -> [CloudKitField] {
        let fields = try fields.get()
        guard type == recordType else { throw .wrongRecordType(expected: recordType, found: type) }
        return fields
    }
}

/// The conversions of a ``/TroveCoding/RecordValue`` with named fields.
private enum NestedValue {
    /// Returns the layout of the fields.
    ///
    /// - Throws: ``/TroveCoding/CodingError`` if the type is not a struct whose fields have a layout.
    static func layout<Value: RecordValue>(of type: Value.Type) throws(CodingError) -> RecordLayout {
        var builder = LayoutBuilder()
        builder.field("value", fieldCoding(of: Value.self))
        let value = try LayoutField(builder).type
        guard case .record(let fields) = value else {
            throw CodingError(.unencodable("the type is not a struct with stored properties"))
        }
        return RecordLayout(key: [], fields: fields.map { $0.with($0.type.replacingReferences(to: value)) })
    }

    /// Returns a value, by the rules for records of older layouts.
    static func value<Value: RecordValue>(of type: Value.Type, converting fields: StoredFields) throws -> Value {
        let declared = try layout(of: type)
        let (layout, bytes) = try fields.described(for: declared)
        let conversion = try RecordConversion(from: layout, to: declared)
        var converted: [UInt8] = []
        try bytes.withRawSpan { try conversion.convertFields(key: RawSpan(), fields: $0, into: &converted) }
        do throws(CodingError) {
            return try ValueReader.decode(Value.self, from: converted)
        } catch {
            throw ConversionError(field: conversion.fieldName(at: error.offset, in: converted), reason: .value(error))
        }
    }
}
