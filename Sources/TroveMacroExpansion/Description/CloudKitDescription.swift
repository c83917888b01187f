// The validated description of a struct with `@CloudKitRecord` for the generators.

/// A struct with `@CloudKitRecord`.
struct CloudKitDescription: Equatable {
    /// The stored names of the properties whose values are in files.
    var assets: [String]
    /// Whether the type is generic, or inside a generic type.
    var isGeneric: Bool
    /// Whether the extension declares `CloudKitRecord`; false if the declaration does.
    var declaresConformance: Bool
}
