// `projection(of:)`: maps a key path to the position of a property among the key components or the fields.

/// Generates the projections of a record.
enum ProjectionGeneration {
    static func members(of record: RecordDescription) -> [String] {
        let key = record.key.enumerated().map { index, property in
            "case \\Self.\(property.code): Trove.Projection.key(at: \(index), \(property.type).self)"
        }
        let fields = record.fields.enumerated().map { index, property in
            "case \\Self.\(property.code): Trove.Projection.field(at: \(index), \(SourceText.coding(property.type)))"
        }
        let access = record.context.access.memberPrefix
        return [
            SourceText.block(
                "\(access)static func projection("
                    + "of property: PartialKeyPath<Self>) -> (any Trove.PropertyProjection)?",
                ["switch property {"] + key + fields + ["default: nil", "}"])
        ]
    }
}
