// The descriptions of errors about the prefixes of types.

extension StoreError.SchemaError {
    /// Describes a type whose prefix is taken.
    ///
    /// - Parameters:
    ///   - kept: The declaration with the prefix.
    ///   - new: The declaration with a free prefix.
    static func prefixTakenText(
        _ prefix: UInt32, of type: String, by other: String, isDeclared: Bool, kept: String, new: String
    ) -> String {
        if type == other { return "two types are named \(type). Give one of them its own prefix: \(new)." }
        return isDeclared
            ? "\(type) and \(other) have the same keyPrefix \(prefix). Give \(type) its own prefix: \(new)."
            : "\(type) has the keyPrefix \(prefix), under which the store has the records of \(other). If \(type) is the same type, renamed or moved, keep its records: \(kept). If it is another type, give it its own prefix: \(new)."
    }

    /// Describes several types whose prefixes are taken: the way out first, then a line for each.
    static func prefixesTakenText(_ path: String, _ conflicts: [Self]) -> String {
        let lines = conflicts.map { conflict in
            guard case .prefixTaken(_, let prefix, let type, let other, _, _, let isEntity) = conflict else {
                return "\n  \(conflict)"
            }
            return "\n  \(type): \(declaration(prefix, isEntity: isEntity)) keeps the records of \(other)"
        }
        return
            "\(path): the store has the records of other types under the prefixes of \(conflicts.count) types. If they are the same types, renamed or in another module, keep their records by these declarations; if not, give each its own keyPrefix."
            + lines.joined()
    }

    /// Returns the macro with a prefix.
    static func declaration(_ prefix: UInt32, isEntity: Bool) -> String {
        isEntity ? "@EntityModel(keyPrefix: \(prefix))" : "@IndexKeyRecord(keyPrefix: \(prefix), …)"
    }
}
