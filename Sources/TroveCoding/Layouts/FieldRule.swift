// The migration rules of a field: its old names and its default. They are not part of the layout's text, since stored
// bytes do not depend on them.

/// The migration rules of a field.
package struct FieldRule: Sendable {
    /// The old names of the field, the oldest first.
    package var oldNames: [String]
    /// The value for records without the field.
    package var defaultValue: DefaultValue?
    /// The rule of the field's keys, if the field has keys of other records.
    package var references: ReferenceRule?

    /// Creates a rule.
    package init(oldNames: [String] = [], defaultValue: DefaultValue? = nil) {
        self.oldNames = oldNames
        self.defaultValue = defaultValue
    }
}
