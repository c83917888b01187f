// A record out of named values, by the rules: what a migration by hand ends with.

import LMDB
import TroveCoding

extension IndexKeyRecord {
    /// Makes a record of named values, by the rules by which records of older layouts are read.
    ///
    /// A migration by hand changes what the rules cannot know, and leaves the rest to them. So each step from one version
    /// to the next is written once, and those of older records come one after the other:
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
    /// A value that was read converts as in a record of its layout: `@Renamed` and initial values count. So does one that
    /// was given by `setValue(_:for:)`. A scalar set by the subscript becomes any type that can hold it; an array, a
    /// dictionary, a record or an enum has to be of the present layout. Values that the type does not ask for are
    /// dropped.
    ///
    /// - Parameter fields: The components of the key and the fields, by their stored names, in any order.
    /// - Throws: ``TroveCoding/ConversionError`` with the name of the component or the field that has no value, or one
    ///   that does not convert.
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
            // No single component makes a key too large.
            throw ConversionError(
                field: Self.schema.key.map(\.name).joined(separator: ","), reason: .value(error))
        }
        try bytes.withRawSpan { fields in
            try conversion.convertFields(key: RawSpan(), fields: fields, into: &newFields)
        }
        do throws(CodingError) {
            _ = try KeyReader.decode(IndexKey.self, from: newKey)
        } catch {
            let name = conversion.componentName(at: error.offset, in: newKey)
            throw ConversionError(field: name, reason: .value(error))
        }
        do throws(CodingError) {
            self = try RecordReader.read(key: newKey, fields: newFields) {
                (reader) throws(CodingError) in try Self(decoding: &reader)
            }
        } catch {
            let name = conversion.fieldName(at: error.offset, in: newFields)
            throw ConversionError(field: name, reason: .value(error))
        }
    }
}

/// The conversions of named values into records of a type, by the layouts of the values: in a migration, most of them
/// are the same.
final class ValueConversions: Sendable {
    private static let limit = 64

    private let found = Monitor<(declared: RecordLayout?, conversions: [RecordLayout: RecordConversion])>((nil, [:]))

    /// The present layout of the type.
    func declared(by schema: RecordSchema) throws(CodingError) -> RecordLayout {
        if let layout = found.withLock({ $0.declared }) { return layout }
        let layout = try schema.parsedLayout()
        found.withLock { $0.declared = layout }
        return layout
    }

    /// The conversion of values of a layout.
    func conversion(from layout: RecordLayout, to declared: RecordLayout) throws(ConversionError) -> RecordConversion {
        if let conversion = found.withLock({ $0.conversions[layout] }) { return conversion }
        let conversion = try RecordConversion(from: layout, to: declared)
        found.withLock { found in
            if found.conversions.count == Self.limit { found.conversions = [:] }
            found.conversions[layout] = conversion
        }
        return conversion
    }
}
