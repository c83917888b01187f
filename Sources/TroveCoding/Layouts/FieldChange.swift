// The changes of a migration, field by field, for people to read.

/// The change of a property between two layouts.
public struct FieldChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: Hashable, Sendable {
        /// The field is new: old records get nil.
        case addedAsNil
        /// The field is new: old records get its default value.
        case addedWithDefault
        /// The field is removed with its stored values.
        case removed
        /// The field has another name.
        case renamed(from: String)
        /// The field has another type. `canFail`: whether some values cannot be converted.
        case converted(from: LayoutType, to: LayoutType, canFail: Bool)
        /// The field becomes a component of the key.
        case movedIntoKey
        /// The component of the key becomes a field.
        case movedOutOfKey
        /// The component has another place in the key.
        case movedInKey
    }

    /// The name of the field: the new name if it was renamed.
    public var name: String
    /// Whether the field is a component of the key; if it is removed, of the old key.
    public var isKey: Bool
    /// The kind of the change.
    public var kind: Kind
}

extension FieldChange: CustomStringConvertible {
    /// The field, at the beginning of a line.
    package var subject: String { isKey ? "\(name), in the key," : name }

    /// A single line for people to read.
    public var description: String {
        let name = subject
        return switch kind {
        case .addedAsNil: "\(name) is new: nil in old records"
        case .addedWithDefault: "\(name) is new: its default in old records"
        case .removed: "\(name) is removed, with what is stored in it"
        case .renamed(let old): "\(name) was named \(old)"
        case .converted(let old, let new, let canFail):
            "\(name) was \(old), is \(new)" + (canFail ? ", where each value can be converted" : "")
        case .movedIntoKey: "\(name) was a field"
        case .movedOutOfKey: "\(name) was in the key"
        case .movedInKey: "\(name) has another place"
        }
    }
}

extension FieldChange {
    /// Returns all changes between two layouts.
    ///
    /// - Parameters:
    ///   - old: The old key's components and the old fields.
    ///   - keyCount: The number of components of the old key.
    ///   - key: The sources of the new key's components.
    ///   - fields: The sources of the new fields.
    static func all(
        from old: [LayoutField], keyCount: Int, key: [FieldMatch], fields: [FieldMatch]
    ) -> [FieldChange] {
        var changes: [FieldChange] = []
        var lastComponent = -1
        for match in key {
            var kinds = kinds(match, old)
            if let source = match.source {
                if source >= keyCount {
                    kinds.append(.movedIntoKey)
                } else if source < lastComponent {
                    kinds.append(.movedInKey)
                } else {
                    lastComponent = source
                }
            }
            changes += kinds.map { FieldChange(name: match.field.name, isKey: true, kind: $0) }
        }
        for match in fields {
            var kinds = kinds(match, old)
            if let source = match.source, source < keyCount { kinds.append(.movedOutOfKey) }
            changes += kinds.map { FieldChange(name: match.field.name, isKey: false, kind: $0) }
        }
        let used = Set((key + fields).compactMap(\.source))
        for (index, field) in old.enumerated() where !used.contains(index) {
            changes.append(FieldChange(name: field.name, isKey: index < keyCount, kind: .removed))
        }
        return changes
    }

    private static func kinds(_ match: FieldMatch, _ old: [LayoutField]) -> [Kind] {
        guard let source = match.source else { return [match.defaultValue == nil ? .addedAsNil : .addedWithDefault] }
        let old = old[source]
        var kinds: [Kind] = []
        if old.name != match.field.name { kinds.append(.renamed(from: old.name)) }
        if old.type != match.field.type {
            kinds.append(.converted(from: old.type, to: match.field.type, canFail: match.conversion.canFail))
        }
        return kinds
    }
}
