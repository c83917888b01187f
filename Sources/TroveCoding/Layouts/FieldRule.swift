// The migration rules of a field: its old name and its default. They are not part of the layout's text, since stored
// bytes do not depend on them.

/// The migration rules of a field.
package struct FieldRule: Sendable {
    /// The old name of the field.
    package var oldName: String?
    /// The value for records without the field.
    package var defaultValue: DefaultValue?

    /// Creates a rule.
    package init(oldName: String? = nil, defaultValue: DefaultValue? = nil) {
        self.oldName = oldName
        self.defaultValue = defaultValue
    }
}
