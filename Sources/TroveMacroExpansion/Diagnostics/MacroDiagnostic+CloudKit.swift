// Diagnostics about `@CloudKitRecord`.

extension MacroDiagnostic {
    static let assetNotLiteral = error(
        "assetNotLiteral", "an asset must be the name of a property, as a plain string literal")

    static func duplicateAsset(_ name: String) -> Self {
        .error("duplicateAsset", "'\(name)' is already an asset")
    }

    // MARK: Names. A conversion of a type with such a name throws.

    static func recordTypeName(_ name: String) -> Self {
        .warning(
            "recordTypeName",
            "CloudKit accepts no record type of the name '\(name)'; declare 'static let ckRecordType' in the struct")
    }

    static func genericRecordType(_ name: String) -> Self {
        .warning(
            "genericRecordType",
            "the name of '\(name)' contains its arguments, so CloudKit accepts no record type of the name; "
                + "declare 'static var ckRecordType: String' in the struct")
    }

    static func fieldName(_ name: String) -> Self {
        .warning(
            "fieldName",
            "CloudKit accepts no field of the name '\(name)'; implement 'static func ckFieldName(for:)' in the struct")
    }
}
