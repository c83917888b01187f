// A field of a record type in CloudKit: the form of a property, and the conversions of its values.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import TroveCoding

/// A property as a field in CloudKit.
struct CloudKitField: Sendable {
    /// The name of the record type in CloudKit, for errors.
    let recordType: String
    /// The name in CloudKit.
    let name: String
    /// The names in CloudKit under which older programs may have stored the property, the newest first.
    private(set) var oldNames: [String]
    /// The stored name and the layout of the property.
    let property: LayoutField
    /// Whether the value is in a file.
    let isAsset: Bool
    let form: CloudKitForm

    init<Record: CloudKitRecord>(
        _ property: LayoutField, of type: Record.Type, isAsset: Bool
    ) throws(CloudKitRecordError) {
        recordType = type.ckRecordType
        name = type.ckFieldName(for: property.name)
        oldNames = property.rule.oldNames.reversed().map { type.ckFieldName(for: $0) }.filter(CloudKitName.isField)
        self.property = property
        self.isAsset = isAsset
        form = CloudKitForm(property.type)
        guard CloudKitName.isField(name) else { throw .invalidName(type: recordType, name: name) }
        if let own = RecordLayout(key: [], fields: [property]).unknownPart {
            throw .unencodable(type: recordType, field: name, reason: own.description)
        }
        guard !isAsset || form.isData else {
            throw .unencodable(
                type: recordType, field: name, reason: "an asset has bytes, and the property is \(form.words).")
        }
    }

    /// Returns the field without old names that are names of other fields.
    func withoutOldNames(in names: Set<String>) -> CloudKitField {
        var field = self
        field.oldNames.removeAll(where: names.contains)
        return field
    }

    // MARK: To CloudKit

    /// Returns the value in CloudKit; nil for an absent field.
    func value(of stored: StoredFields.Field) throws(CloudKitRecordError) -> CloudKitValue? {
        do throws(CodingError) {
            return try form.value(of: stored)
        } catch {
            throw .unencodable(type: recordType, field: name, reason: "\(error)")
        }
    }

    /// Stores the bytes of a value in a new file, and returns the file.
    func asset(of value: CloudKitValue, in directory: URL) throws(CloudKitRecordError) -> CloudKitValue {
        guard case .data(let data) = value else { return value }
        let file = directory.appendingPathComponent(UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try data.write(to: file, options: .atomic)
        } catch {
            throw .assetFailed(type: recordType, field: name, path: file.path, reason: "\(error)")
        }
        return .asset(file)
    }

    /// Returns whether a field has a value already. An asset is compared by its bytes.
    ///
    /// JSON is equal if it is read as the same value: members of another version of a struct stay in the field.
    func isEqual(_ existing: CloudKitValue?, to value: CloudKitValue?, of stored: StoredFields.Field) -> Bool {
        guard var existing, let value else { return existing == nil && value == nil }
        if case .asset = existing {
            // An asset whose file cannot be read is written again.
            guard isAsset, let data = try? fetched(existing, name) else { return false }
            existing = data
        }
        if form.normalized(existing).isSame(as: form.normalized(value)) { return true }
        // JSON that cannot be read is written again.
        guard form.shape == .json, let read = try? self.stored(existing, name) else { return false }
        return read.value == stored.value
    }

    // MARK: From CloudKit

    /// Returns the property of a `CKRecord`; nil if the field is absent and the property has an initial value.
    ///
    /// - Parameter values: Returns the value of a field in CloudKit; nil for an absent field.
    func stored(
        _ values: (String) -> CloudKitValue?
    ) throws(CloudKitRecordError) -> StoredFields.Field? {
        for name in [name] + oldNames {
            if let value = values(name) { return try stored(value, name) }
        }
        if let absent = form.absent { return StoredFields.Field(property.name, absent) }
        guard property.rule.defaultValue != nil else { throw .missingField(type: recordType, field: name) }
        return nil
    }

    private func stored(
        _ value: CloudKitValue, _ name: String
    ) throws(CloudKitRecordError) -> StoredFields.Field {
        let value = try fetched(value, name)
        var stored: FieldValue?
        switch (form.shape, value) {
        case (.scalar(let scalar), _):
            stored = scalar.stored(value)
            if stored == nil, case .text = scalar, case .string(let text) = value {
                throw .invalidValue(type: recordType, field: name, reason: "“\(text)” is not \(scalar.words).")
            }
        case (.list(let scalar), .list(let values)):
            let elements = values.compactMap { scalar.stored($0) }
            stored = elements.count == values.count ? .array(elements) : nil
        case (.codable, .data(let data)): stored = String(validating: data, as: UTF8.self).map { .json($0) }
        case (.json, .data(let data)):
            if let text = String(validating: data, as: UTF8.self) { return try read(text, name) }
            stored = nil
        default: stored = nil
        }
        guard let stored else {
            throw .wrongFieldType(type: recordType, field: name, expected: form.words, found: value.words)
        }
        return StoredFields.Field(property.name, stored)
    }

    /// Returns a value, or the bytes of its file. A property that was no asset before is read as what it is.
    private func fetched(_ value: CloudKitValue, _ name: String) throws(CloudKitRecordError) -> CloudKitValue {
        guard form.isData, case .asset(let file) = value else { return value }
        guard let file else {
            throw .assetFailed(type: recordType, field: name, path: "", reason: "the asset has no file.")
        }
        do {
            return .data(try Data(contentsOf: file))
        } catch {
            throw .assetFailed(type: recordType, field: name, path: file.path, reason: "\(error)")
        }
    }

    private func read(_ json: String, _ name: String) throws(CloudKitRecordError) -> StoredFields.Field {
        let label = FieldValue.string(property.name).json
        do throws(JSONError) {
            let record = try RecordLayout(key: [], fields: [property]).read(
                json: "{\(label):\(json)}", convertingParts: true)
            return record.fields[0]
        } catch {
            let field = error.field.isEmpty ? name : error.field
            let found = error.found.map { ", not \(JSONError.shortened($0))" } ?? ""
            throw .invalidValue(type: recordType, field: field, reason: "expected \(error.expected)\(found).")
        }
    }
}
