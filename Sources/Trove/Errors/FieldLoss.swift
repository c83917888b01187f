// A field that a migration drops, and the number of its values; or a relation, and the number of its links.

/// A field that a migration drops together with its values, or a relation with its links.
public struct FieldLoss: Hashable, Sendable {
    /// The name of the record type, with its module.
    public var type: String
    /// The stored name of the field. A field inside a value has a path: `homes.city`.
    public var field: String
    /// The number of records with a value of the field. Nil is no value.
    public var records: Int
    /// Whether the field is a relation. Then ``records`` is the number of links.
    public var isRelation = false

    /// Creates a description of a loss.
    public init(type: String, field: String, records: Int) {
        self.type = type
        self.field = field
        self.records = records
    }

    init(type: String, field: String, links: Int) {
        self.init(type: type, field: field, records: links)
        isRelation = true
    }
}

extension FieldLoss: CustomStringConvertible {
    /// The field and the number of records, for people to read.
    public var description: String { "\(type).\(field): " + values }

    /// The number of values, in words.
    var values: String {
        if isRelation { return records == 1 ? "1 link" : "\(records) links" }
        return switch records {
        case 0: "no record has a value"
        case 1: "1 record has a value"
        default: "\(records) records have a value"
        }
    }
}
