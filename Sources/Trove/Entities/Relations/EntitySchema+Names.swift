// The names of relations in errors about key paths.

extension EntitySchema: _SchemaPart {
    /// Returns the error for a key path that names a relation, or a part of its targets, as a stored property; nil for
    /// any other key path.
    ///
    /// Code cannot read the parts of a key path. But the text of a key path begins with the texts of its parts, and the
    /// text of a computed property has its address.
    func _notStored(_ path: AnyKeyPath) -> StoreError? {
        let text = "\(path)"
        for relation in type.relationDescriptions {
            let starts = [relation.value?.path, relation.path.path].compactMap { $0.map { "\($0)" } }
            for start in starts where text.hasPrefix(start) {
                let rest = text.dropFirst(start.count)
                guard rest.first.map({ ".?!".contains($0) }) ?? true else { continue }
                return .query(
                    .relationNotStored(
                        type: type.schema.name, relation: relation.property,
                        path: "\\.\(relation.property)\(rest.withoutAddresses)"))
            }
        }
        return nil
    }
}
