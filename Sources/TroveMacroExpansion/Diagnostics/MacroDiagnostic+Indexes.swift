// Diagnostics about `#Index` and `#Unique`. Of these, `macro` is the one that is concerned.

extension MacroDiagnostic {
    // MARK: Where they stand

    static func tableOutside(_ macro: String) -> Self {
        .error("tableOutside", "'\(macro)' belongs directly in the body of a struct with '@IndexKeyRecord'")
    }

    static func tableOfValue(_ macro: String) -> Self {
        .error(
            "tableOfValue",
            "'\(macro)' cannot stand in a struct with '@RecordValue': index the property of the record that holds the value"
        )
    }

    static func tableOfAnotherType(_ macro: String, _ other: String, in type: String) -> Self {
        .error(
            "tableOfAnotherType", "'\(macro)' in '\(type)' is about the properties of '\(type)', not of '\(other)'")
    }

    // MARK: Their properties

    static func noIndexedProperties(_ macro: String) -> Self {
        .error("noIndexedProperties", "'\(macro)' needs the key path of at least one property, such as '\\.name'")
    }

    static func indexedNotLiteral(_ macro: String) -> Self {
        .error(
            "indexedNotLiteral",
            "'\(macro)' needs a literal key path, such as '\\.name': a macro sees only what is written")
    }

    static func computedIndexed(_ name: String) -> Self {
        .error("computedIndexed", "'\(name)' is computed; an index is made of stored properties")
    }

    static func constantIndexed(_ name: String) -> Self {
        .error("constantIndexed", "'\(name)' is a constant with an initial value, which is the same for all records")
    }

    static func partIndexed(_ path: String, of name: String) -> Self {
        .error(
            "partIndexed",
            "'\(path)' is a part of a property: store it as a property of its own, or index all of '\\.\(name)'")
    }

    static func unorderedDescending(_ name: String, type: String) -> Self {
        .error(
            "unorderedDescending",
            "'\(name)' cannot be sorted: the bytes of '\(type)' have no order; without '.desc' it is indexed for equality"
        )
    }

    static func repeatedIndexed(_ macro: String, _ name: String) -> Self {
        .error("repeatedIndexed", "'\(name)' is already a property of this '\(macro)'")
    }

    // MARK: Their other arguments

    static let noCollisions = error(
        "noCollisions", "'#Unique' needs 'collisions:': what happens when a second record has the same values")

    static func conditionNotClosure(_ macro: String) -> Self {
        .error(
            "conditionNotClosure",
            "the condition of '\(macro)' must be a closure that is written here: when its text changes, the table is built anew"
        )
    }

    // MARK: What is of no use

    static func duplicateTable(_ macro: String) -> Self {
        .error("duplicateTable", "the same '\(macro)' is already declared: same properties, order and condition")
    }

    static func indexInKeyOrder(_ type: String) -> Self {
        .warning("indexInKeyOrder", "the index is of no use: by their key, all records of '\(type)' are in this order")
    }

    static func uniqueKey(_ type: String) -> Self {
        .warning("uniqueKey", "the constraint is of no use: no two records of '\(type)' have the same key")
    }
}
