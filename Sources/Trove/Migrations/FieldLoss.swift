// A field that a migration drops, and the number of its values.

/// A field that a migration drops together with its values.
public struct FieldLoss: Hashable, Sendable {
    /// The name of the record type, with its module.
    public var type: String
    /// The stored name of the field. A field inside a value has a path: `homes.city`.
    public var field: String
    /// The number of records with a value of the field. Nil is no value.
    public var records: Int

    /// Creates a description of a loss.
    public init(type: String, field: String, records: Int) {
        self.type = type
        self.field = field
        self.records = records
    }
}

extension FieldLoss: CustomStringConvertible {
    /// The field and the number of records, for people to read.
    public var description: String { "\(type).\(field): " + values }

    /// The number of values, in words.
    var values: String {
        switch records {
        case 0: "no record has a value"
        case 1: "1 record has a value"
        default: "\(records) records have a value"
        }
    }
}
