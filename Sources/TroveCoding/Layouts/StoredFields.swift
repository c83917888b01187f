// The values of a record, by name.

/// Named values, in the order in which they are stored.
public struct StoredFields: Hashable, Sendable {
    /// A name and its value.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: FieldValue {
            didSet { type = nil }
        }
        /// The layout with which the value was read; nil where it was given by hand. Fields of the same value are equal
        /// with any.
        private(set) package var type: LayoutType?

        /// Names a value.
        public init(_ name: String, _ value: FieldValue) {
            self.name = name
            self.value = value
        }

        init(_ name: String, _ value: FieldValue, _ type: LayoutType) {
            self.init(name, value)
            self.type = type
        }

        /// Whether two fields have the same name and value.
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

    /// Makes a list.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The value of a name; nil where there is no such field.
    ///
    /// A new name comes last; nil removes the field. Nil as a value is ``FieldValue/null``.
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

    /// Gives a field another name, under which it replaces what was there. Without such a field, nothing happens.
    ///
    /// The value stays what it was read as. One that is set under another name by hand is a new value.
    ///
    /// - Complexity: O(*n*) in the number of fields.
    public mutating func rename(_ name: String, to newName: String) {
        guard name != newName, self[name] != nil else { return }
        self[newName] = nil
        for index in fields.indices where fields[index].name == name { fields[index].name = newName }
    }
}
