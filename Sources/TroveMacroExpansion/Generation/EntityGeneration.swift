// The members of an entity besides those of every record and those for its relations.

/// Generates `patches` and `entityOptions`.
enum EntityGeneration {
    /// Returns no member for a record that is not an entity.
    static func members(of record: RecordDescription) -> [String] {
        guard let entity = record.entity else { return [] }
        let access = record.context.access.memberPrefix
        let patches = entity.patched.map { ".patch(\\.\($0.code))" }.joined(separator: ", ")
        let members = ["\(access)static let patches: [Trove.MergeStrategy<Self>] = [\(patches)]"]
        guard !entity.options.isEmpty else { return members }
        let options = entity.options.joined(separator: ", ")
        return members + [
            SourceText.block(
                "\(access)static var entityOptions: Trove.EntityOptions", ["Trove.EntityOptions(\(options))"])
        ]
    }
}
