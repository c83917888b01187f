// Conversions of whole records in tests: from values to values, through their bytes.

import TroveCoding

struct Conversion {
    let old: RecordLayout
    let new: RecordLayout
    let rules: RecordConversion

    init(_ old: RecordLayout, _ new: RecordLayout, keepingKeys: Bool = false) throws(ConversionError) {
        self.old = old
        self.new = new
        rules = try RecordConversion(from: old, to: new, keepingKeys: keepingKeys)
    }

    /// - Parameter rules: The migration rules of the new components and fields, by their names.
    init(_ old: String, _ new: String, _ rules: [String: FieldRule] = [:]) throws {
        var layout = try RecordLayout(new)
        for index in layout.key.indices { layout.key[index].rule = rules[layout.key[index].name] ?? FieldRule() }
        for index in layout.fields.indices {
            layout.fields[index].rule = rules[layout.fields[index].name] ?? FieldRule()
        }
        try self.init(RecordLayout(old), layout)
    }

    static func defaultRule<Value: RecordValue>(_ value: Value) -> FieldRule {
        FieldRule(defaultValue: DefaultValue(DirectField<Value>.self) { value })
    }

    func fields(_ values: [(String, FieldValue)], key: [(String, FieldValue)] = []) throws -> StoredFields {
        var bytes: [UInt8] = []
        let (key, fields) = try (old.writeKey(StoredFields(named: key)), old.writeFields(StoredFields(named: values)))
        try rules.convertFields(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes, into: &bytes)
        return try new.readFields(unsafe bytes.span.bytes)
    }

    func key(_ key: [(String, FieldValue)], fields: [(String, FieldValue)] = []) throws -> StoredFields {
        var bytes: [UInt8] = []
        let (key, fields) = try (old.writeKey(StoredFields(named: key)), old.writeFields(StoredFields(named: fields)))
        try rules.convertKey(key: unsafe key.span.bytes, fields: unsafe fields.span.bytes, into: &bytes)
        return try new.readKey(unsafe bytes.span.bytes)
    }
}

extension StoredFields {
    init(named values: [(String, FieldValue)]) { self.init(values.map { Field($0, $1) }) }
}
