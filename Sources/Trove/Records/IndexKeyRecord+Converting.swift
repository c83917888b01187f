// Converts named values into a record, by the rules of automatic migration. It is the last step of a migration by hand.

import LMDB
import TroveCoding

extension IndexKeyRecord {
    /// Creates a record from named values, by the rules for records of older layouts.
    ///
    /// A migration by hand changes the values that the rules cannot derive, and leaves the other values to the rules.
    /// So each step from a version to the next is written once, and the steps for older records run in turn:
    ///
    /// ```swift
    /// static func migrate(_ old: StoredFields, from version: UInt32) throws -> Person {
    ///     var fields = old
    ///     if version < 2 { fields["fullName"] = .string(try fullName(of: old)) }
    ///     if version < 3 { try fields.setValue(Address(city: "Salem"), for: "home") }
    ///     return try Person(converting: fields)
    /// }
    /// ```
    ///
    /// A value read from a record converts as in its layout, including `@Renamed` and initial values. The same is true
    /// of a value set by `setValue(_:for:)`. A scalar set by the subscript becomes any type that can hold it. An array,
    /// a dictionary, a record or an enum must have the current layout. Values that the type has no property for are
    /// dropped.
    ///
    /// - Parameter fields: The key components and the fields, by their stored names, in any order.
    /// - Throws: ``/TroveCoding/ConversionError`` with the name of the component or field whose value is missing or
    ///   does not convert.
    public init(converting fields: StoredFields) throws {
        let declared = try Self.schema.valueConversions.declared(by: Self.schema)
        let (layout, bytes) = try fields.described(for: declared)
        let conversion = try Self.schema.valueConversions.conversion(from: layout, to: declared)
        var (newKey, newFields): ([UInt8], [UInt8]) = ([], [])
        do {
            try bytes.withRawSpan { fields in
                try conversion.convertKey(key: RawSpan(), fields: fields, into: &newKey)
            }
        } catch let error as CodingError {
            // The key as a whole is too large, so the error names all of its components.
            throw ConversionError(
                field: Self.schema.key.map(\.name).joined(separator: ","), reason: .value(error))
        }
        try bytes.withRawSpan { fields in
            try conversion.convertFields(key: RawSpan(), fields: fields, into: &newFields)
        }
        try self.init(key: newKey, fields: newFields, of: declared)
    }

    /// Creates a record from bytes of the current layout. A type can refuse a value of its layout, such as the raw
    /// value of no case.
    ///
    /// - Throws: ``/TroveCoding/ConversionError`` with the name of the component or field that is refused.
    package init(key: [UInt8], fields: [UInt8], of layout: RecordLayout) throws(ConversionError) {
        do throws(CodingError) {
            self = try RecordReader.read(key: key, fields: fields) {
                (reader) throws(CodingError) in try Self(decoding: &reader)
            }
        } catch {
            throw Self.refusal(of: key, fields, error, of: layout)
        }
    }

    /// Returns the error for bytes that the type refuses. The offset is one in the key if the key alone is refused.
    private static func refusal(
        of key: [UInt8], _ fields: [UInt8], _ reason: CodingError, of layout: RecordLayout
    ) -> ConversionError {
        do throws(CodingError) {
            _ = try KeyReader.decode(IndexKey.self, from: key)
        } catch {
            let name = key.withRawSpan { layout.componentName(at: error.offset, in: $0) }
            return ConversionError(field: name, reason: .value(error))
        }
        let name = fields.withRawSpan { layout.fieldName(at: reason.offset, in: $0) }
        return ConversionError(field: name, reason: .value(reason))
    }
}
