// Diagnostics about the declaration with an attached macro.

extension MacroDiagnostic {
    static func onlyStructs(macro: String, kind: String) -> Self {
        .error("onlyStructs", "'@\(macro)' can be attached to a struct, not to \(article(kind)) \(kind)")
    }

    static func onlyStructsAndEnums(kind: String) -> Self {
        .error(
            "onlyStructsAndEnums",
            "'@RecordValue' can be attached to a struct or an enum, not to \(article(kind)) \(kind)")
    }

    static func genericRecord(_ name: String) -> Self {
        .error("genericRecord", "'\(name)' cannot be generic: a record type has one schema and one key prefix")
    }

    static func genericEnclosing(_ name: String, _ outer: String) -> Self {
        .error(
            "genericEnclosing",
            "'\(name)' cannot be nested in the generic '\(outer)': a record type has one schema and one key prefix")
    }

    static func privateNested(_ name: String) -> Self {
        .error(
            "privateNested",
            "'\(name)' is private inside another type, where its extension cannot reach it: make it fileprivate")
    }

    static func rawValueEnum(_ name: String) -> Self {
        .error(
            "rawValueEnum",
            "'\(name)' has raw values and needs no macro: declare the conformance ': RecordValue'")
    }

    static func noCases(_ name: String) -> Self {
        .error("noCases", "'\(name)' has no cases, and so no value to store")
    }

    static func noStoredProperties(_ name: String) -> Self {
        .error("noStoredProperties", "'\(name)' has no stored properties, but a value needs at least one byte")
    }

    static func conditionalMember(_ what: String) -> Self {
        .error(
            "conditionalMember", "\(what) cannot be inside '#if': the layout would depend on the build configuration")
    }

    private static func article(_ noun: String) -> String {
        noun.first.map("aeiou".contains) == true ? "an" : "a"
    }
}
