// Diagnostics about `@CloudKitRecord`.

extension MacroDiagnostic {
    static let assetNotLiteral = error(
        "assetNotLiteral", "an asset must be the name of a property, as a plain string literal")

    static func duplicateAsset(_ name: String) -> Self {
        .error("duplicateAsset", "'\(name)' is already an asset")
    }
}
