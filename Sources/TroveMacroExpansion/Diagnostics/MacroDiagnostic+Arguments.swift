// Diagnostics about the arguments of `@IndexKeyRecord`.

extension MacroDiagnostic {
    static let noKeys = error("noKeys", "'@IndexKeyRecord' needs the name of at least one property as the key")

    static let keyNotLiteral = error("keyNotLiteral", "a key must be a plain string literal")

    static func keyIsPath(_ name: String) -> Self {
        .error("keyIsPath", "a key component is named by a string, not by a key path: write \"\(name)\"")
    }

    static func unknownProperty(_ name: String, in type: String) -> Self {
        .error("unknownProperty", "'\(type)' has no stored property '\(name)'")
    }

    static func duplicateKey(_ key: String) -> Self {
        .error("duplicateKey", "'\(key)' is already a component of the key")
    }

    static func computedKey(_ key: String) -> Self {
        .error("computedKey", "'\(key)' is computed; a key component must be a stored property")
    }

    static func staticKey(_ key: String) -> Self {
        .error("staticKey", "'\(key)' is static; a key component must be a stored property of each record")
    }

    static func constantKey(_ key: String) -> Self {
        .error(
            "constantKey",
            "'\(key)' is a constant with an initial value, which cannot be decoded: it cannot be a key component")
    }

    static func unorderedKey(_ key: String, type: String) -> Self {
        .error("unorderedKey", "'\(key)' cannot be a key component: the bytes of '\(type)' have no order")
    }

    static func versionNotLiteral(_ label: String) -> Self {
        .error("versionNotLiteral", "'\(label)' must be an integer literal: it is stored with every record")
    }

    static func versionOutOfRange(_ label: String) -> Self {
        .error("versionOutOfRange", "'\(label)' must be between 0 and \(UInt32.max)")
    }

    static let validatedNotLiteral = error("validatedNotLiteral", "'validated' must be an integer literal")

    static func layoutChanged(_ name: String, hash: Int64) -> Self {
        .error(
            "layoutChanged",
            "the properties or the key of '\(name)' have changed since they were validated; if this is intended, write validated: \(hash)"
        )
    }
}
