// Diagnostics about properties and associated values.

extension MacroDiagnostic {
    static func missingType(_ name: String) -> Self {
        .error("missingType", "'\(name)' needs a type annotation: a macro sees only the source text")
    }

    static func unsupportedType(_ name: String, _ type: UnsupportedType) -> Self {
        .error("unsupportedType", "'\(name)' cannot be stored: \(type.reason)")
    }

    static let tuplePattern = error(
        "tuplePattern", "a tuple pattern cannot be stored: give each property its own declaration")

    static func lazyProperty(_ name: String) -> Self {
        .error("lazyProperty", "'\(name)' is lazy and has no value to store until it is first read")
    }

    static func reservedName(_ name: String, macro: String) -> Self {
        .error("reservedName", "'\(name)' is the name of a member that '@\(macro)' generates")
    }

    static func constantWithInitialValue(_ name: String) -> Self {
        .warning(
            "constantWithInitialValue",
            "'\(name)' is not stored: a constant with an initial value cannot be decoded")
    }
}
