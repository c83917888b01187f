// The members of an entity, except the members of every record and those for its relations.

/// Generates `normalize`, `isNormalized`, `patches` and `entityOptions`.
enum EntityGeneration {
    /// Returns no member for a record that is not an entity.
    static func members(of record: RecordDescription) -> [String] {
        guard let entity = record.entity else { return [] }
        let access = record.context.access.memberPrefix
        let patches = entity.patched.map { ".patch(\\.\($0.code))" }.joined(separator: ", ")
        let relations = entity.relations.map { "self.\($0.projection)" }
        let members = [
            SourceText.block("\(access)mutating func normalize()", relations.map { "\($0) = .none" }),
            "\(access)var isNormalized: Bool { \(conjunction(relations.map { "\($0).isNone" })) }",
            "\(access)static let patches: [Trove.MergeStrategy<Self>] = [\(patches)]",
        ]
        guard !entity.options.isEmpty else { return members }
        let options = entity.options.joined(separator: ", ")
        return members + [
            SourceText.block(
                "\(access)static var entityOptions: Trove.EntityOptions", ["Trove.EntityOptions(\(options))"])
        ]
    }

    private static func conjunction(_ conditions: [String]) -> String {
        conditions.isEmpty ? "true" : conditions.joined(separator: " && ")
    }
}
