// The error of a condition on stored records.

/// An error of the text of a ``StoredCondition``. Later versions can add cases.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum StoredConditionError: Error, Hashable, Sendable {
    /// The text is not a property, an operator and a value.
    case malformed(String)
    /// No layout of the type has the property.
    case noSuchProperty(type: String, property: String, properties: [String])
    /// The text is not a value of the property's type, or the operator does not fit the type.
    case notComparable(type: String, property: String, layout: String, operation: String, value: String)
}

extension StoredConditionError: CustomStringConvertible {
    /// The error in words: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .malformed(let text):
            "“\(text)” is not a condition. Write a property, an operator and a value with spaces between them, such as “age >= 18”; the operators are ==, !=, <, <=, >, >= and contains."
        case .noSuchProperty(let type, let property, let properties):
            "\(type) has no property \(property). Its properties are: \(properties.joined(separator: ", "))."
        case .notComparable(let type, let property, let layout, let operation, let value):
            "\(property) of \(type) has the type \(layout), for which “\(operation) \(value)” is not a condition. Give a value of the type; values with parts have only contains, or a condition on a part: property.part."
        }
    }
}
