// Whether a store keeps a history.

extension ReadContext {
    /// Whether the store keeps a history.
    package final var keepsHistory: Bool { catalogSnapshot.history != nil }

    /// Returns whether the store keeps a history with the changes of a type.
    package final func keepsHistory(of type: StoredType) -> Bool {
        catalogSnapshot.history.map { !$0.excluded.contains(type.keyPrefix) } ?? false
    }
}

extension Store {
    /// Whether the store keeps a history.
    package var keepsHistory: Bool {
        get throws { try readToEnd { $0.keepsHistory } }
    }
}
