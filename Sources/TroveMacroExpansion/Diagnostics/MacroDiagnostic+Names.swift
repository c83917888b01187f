// Diagnostics about stored names, current and former.

extension MacroDiagnostic {
    static func sameStoredName(_ storedName: String, _ first: String, _ second: String) -> Self {
        .error("sameStoredName", "'\(first)' and '\(second)' are both stored under the name '\(storedName)'")
    }

    static let renamedOutside = error(
        "renamedOutside",
        "'@Renamed' belongs to a property of a struct with '@IndexKeyRecord', '@EntityModel' or '@RecordValue'")

    static let renamedNotStored = error(
        "renamedNotStored", "'@Renamed' belongs to a stored property: other members have no name in a store")

    static let renamedSeveral = error(
        "renamedSeveral", "'@Renamed' belongs to a single property: give each its own declaration")

    static func renamedTwice(_ name: String) -> Self {
        .error("renamedTwice", "'\(name)' already has '@Renamed': list all its old names in one, the oldest first")
    }

    static let oldNameNotLiteral = error("oldNameNotLiteral", "an old name must be a plain string literal")

    static let oldNameEmpty = error("oldNameEmpty", "an old name cannot be empty")

    static func oldNameIsPresent(_ oldName: String, of property: String) -> Self {
        .error("oldNameIsPresent", "'\(property)' is still stored under the name '\(oldName)'")
    }

    static func oldNameIsTaken(_ oldName: String, by property: String) -> Self {
        .error(
            "oldNameIsTaken",
            "'\(oldName)' is the name under which '\(property)' is stored now: keep the stored names by CodingKeys, or move the values in 'migrate(_:from:)'"
        )
    }

    static func oldNameListedTwice(_ oldName: String) -> Self {
        .error("oldNameListedTwice", "the old name '\(oldName)' is listed twice")
    }

    static func oldNameRepeated(_ oldName: String) -> Self {
        .error("oldNameRepeated", "another property was already renamed from '\(oldName)'")
    }
}
