// `IndexKey`, `indexKey`, `id` and `encodeKey`.

/// Generates the members of a record's key.
enum KeyGeneration {
    static func members(of record: RecordDescription) -> [String] {
        let access = record.context.access.memberPrefix
        var members = [
            "\(access)typealias IndexKey = \(type(of: record.key))",
            "\(access)var indexKey: IndexKey { \(value(of: record.key)) }",
        ]
        if record.identity == .generated { members.append("\(access)var id: IndexKey { self.indexKey }") }
        members.append(
            SourceText.block(
                "\(access)func encodeKey(into writer: inout Trove.KeyWriter)",
                record.key.map { "self.\($0.code).encodeKey(into: &writer)" }))
        return members
    }

    private static func type(of key: [PropertyDescription]) -> String {
        key.count == 1 ? key[0].type : "Trove.Tuple<\(key.map(\.type).joined(separator: ", "))>"
    }

    private static func value(of key: [PropertyDescription]) -> String {
        let components = key.map { "self.\($0.code)" }
        return key.count == 1 ? components[0] : "Trove.Tuple(\(components.joined(separator: ", ")))"
    }
}
