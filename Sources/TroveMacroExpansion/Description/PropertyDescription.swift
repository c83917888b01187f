// A stored property, as the generators see it.

/// A stored property that the macro writes and reads.
struct PropertyDescription: Equatable {
    /// The name without backticks: what a key argument says.
    var name: String
    /// The name as Swift code spells it, with backticks where it needs them.
    var code: String
    /// The name as the label of an argument, where Swift asks for fewer backticks.
    var label: String
    /// The name under which it is stored: what a layout says.
    var storedName: String
    /// The name under which it was stored once, where `@Renamed` gives one.
    var oldName: String?
    /// The type as the declaration spells it, without spaces around its tokens: what `validated:` covers.
    var declaredType: String
    /// The type as generated code spells it; it differs where the declared spelling is not visible from an extension.
    var type: String
    /// The default value, as generated code spells it.
    var defaultValue: String?
    /// Who may see the property.
    var access: AccessLevel
}
