// The values of a record, by name.

/// Named values, in the order in which they are stored.
public struct StoredFields: Hashable, Sendable {
    /// A name and its value.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: FieldValue

        /// Names a value.
        public init(_ name: String, _ value: FieldValue) {
            self.name = name
            self.value = value
        }
    }

    /// The fields.
    public var fields: [Field]

    /// Makes a list.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The value of a name; nil where there is no such field.
    ///
    /// - Complexity: O(*n*) in the number of fields.
    public subscript(name: String) -> FieldValue? { fields.first { $0.name == name }?.value }
}
