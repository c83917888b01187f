// The values of a record by name.

/// Named values in their stored order.
public struct StoredFields: Hashable, Sendable {
    /// A name and its value.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: FieldValue {
            didSet { type = nil }
        }
        /// The layout of a value that was read; nil for a value set by hand. `==` ignores it.
        private(set) package var type: LayoutType?

        /// Creates a field.
        public init(_ name: String, _ value: FieldValue) {
            self.name = name
            self.value = value
        }

        init(_ name: String, _ value: FieldValue, _ type: LayoutType) {
            self.init(name, value)
            self.type = type
        }

        /// Returns whether two fields have the same name and value.
        public static func == (left: Field, right: Field) -> Bool {
            left.name == right.name && left.value == right.value
        }

        /// Hashes the name and the value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(value)
        }
    }

    /// The fields.
    public var fields: [Field]

    /// Creates a list of fields.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The value of a field; nil if there is no such field.
    ///
    /// A new field is added last. Setting nil removes the field. A stored nil is ``FieldValue/null``.
    ///
    /// - Complexity: O(*n*) in the number of fields.
    public subscript(name: String) -> FieldValue? {
        get { fields.first { $0.name == name }?.value }
        set {
            let index = fields.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append(Field(name, value))
            case (nil, nil): break
            }
        }
    }

    /// Renames a field, and replaces any field of the new name. Does nothing if there is no field of the old name.
    ///
    /// The value keeps the layout with which it was read. A value set by hand under another name loses it.
    ///
    /// - Complexity: O(*n*) in the number of fields.
    public mutating func rename(_ name: String, to newName: String) {
        guard name != newName, self[name] != nil else { return }
        self[newName] = nil
        for index in fields.indices where fields[index].name == name { fields[index].name = newName }
    }
}
