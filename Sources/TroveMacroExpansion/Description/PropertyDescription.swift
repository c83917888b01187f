// The description of a stored property for the generators.

/// A stored property with generated coding.
struct PropertyDescription: Equatable {
    /// The name without backticks, as in a key argument.
    var name: String
    /// The name in Swift code, with backticks if necessary.
    var code: String
    /// The name as an argument label: fewer names need backticks there.
    var label: String
    /// The stored name, as in a layout.
    var storedName: String
    /// The former stored names in `@Renamed`, the oldest first.
    var oldNames: [String] = []
    /// The type in the declaration's spelling, without spaces around its tokens: the text covered by `validated:`.
    var declaredType: String
    /// The type in generated code; different if the declared spelling is not visible in an extension.
    var type: String
    /// Whether the type is a standard type, spelled so that the macro knows its coding and its order.
    var hasStandardType = true
    /// The directive with the line of its type, for code with the compiler's errors about the type; nil for standard
    /// types.
    var location: String?
    /// The default value in generated code.
    var defaultValue: String?
    /// The access level of the property.
    var access: AccessLevel

    /// Whether the type may have no order. Standard types, with or without an order, are known.
    var mayLackOrder: Bool { !hasStandardType }
}
