// The description of a stored property for the generators.

/// A stored property with generated coding.
struct PropertyDescription: Equatable {
    /// The name without backticks, as in a key argument.
    var name: String
    /// The name as Swift code spells it, with backticks where it needs them.
    var code: String
    /// The name as an argument label, which needs fewer backticks.
    var label: String
    /// The stored name, as in a layout.
    var storedName: String
    /// The former stored name, if `@Renamed` gives one.
    var oldName: String?
    /// The type as the declaration spells it, without spaces around its tokens: the text that `validated:` covers.
    var declaredType: String
    /// The type as generated code spells it; different if the declared spelling is not visible in an extension.
    var type: String
    /// The default value, as generated code spells it.
    var defaultValue: String?
    /// The access level of the property.
    var access: AccessLevel
}
