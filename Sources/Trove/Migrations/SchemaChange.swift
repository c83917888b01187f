// The differences between a schema lock and the program's record types.

import TroveCoding

/// A difference between a ``SchemaLock`` and the program's record types.
public struct SchemaChange: Hashable, Sendable {
    /// A kind of difference.
    public enum Kind: Hashable, Sendable {
        /// The type is new.
        case added
        /// The type with the locked prefix is no longer declared.
        case removed(keyPrefix: UInt32)
        /// The type had another name. Stores refuse the new name if the prefix is derived from the type's name without
        /// the module.
        case renamed(from: String, isRefused: Bool)
        /// The type has another prefix.
        case prefixChanged(from: UInt32, to: UInt32)
        /// The key has other components.
        case keyChanged(from: String, to: String)
        /// The automatic rules make this change in the stored records.
        case field(FieldChange)
        /// A property is new; the automatic rules do not apply.
        case propertyAdded(name: String, type: String)
        /// A property is removed; the automatic rules do not apply.
        case propertyRemoved(name: String)
        /// A property has another type; the automatic rules do not apply.
        case propertyChanged(name: String, from: String, to: String)
        /// The automatic rules do not convert the stored records, for this reason.
        case notConverted(ConversionError)
        /// The fields have another order.
        case reordered(names: [String])
        /// A relation is new. The description has its target and its inverse, such as `to one App.Chat, inverse
        /// messages`.
        case relationAdded(name: String, description: String)
        /// A relation is removed. Stores keep its links, and do not write the type, until they are dropped.
        case relationRemoved(name: String)
        /// A relation has a new name.
        case relationRenamed(from: String, to: String)
        /// A relation has another cardinality, target or inverse.
        case relationChanged(name: String, from: String, to: String)
        /// The layout has another version.
        case versionChanged(from: UInt32, to: UInt32)
        /// The layout has changed, but its version, which is set by hand, has not.
        case versionKept(UInt32)
    }

    /// The type's name, with its module.
    public var type: String
    /// The kind of the difference.
    public var kind: Kind

    /// Whether a store with records of the type would refuse the declared type.
    public var isMistake: Bool {
        switch kind {
        case .versionKept, .renamed(_, isRefused: true): true
        default: false
        }
    }
}

extension SchemaChange: CustomStringConvertible {
    /// The difference in a single line.
    public var description: String { "\(type): \(kind)" }
}

extension SchemaChange.Kind: CustomStringConvertible {
    /// The difference in a single line, without the type's name.
    public var description: String {
        switch self {
        case .added: "is new"
        case .removed(let prefix):
            "is removed; its records stay in the store. A type with another name finds them with keyPrefix: \(prefix)"
        case .renamed(let old, isRefused: false): "was named \(old)"
        case .renamed(let old, isRefused: true):
            "MISTAKE: was named \(old), and has the same automatic keyPrefix. Set keyPrefix by hand to keep the records"
        case .prefixChanged(let old, let new):
            "its keyPrefix was \(old), is \(new): records with the old prefix are no longer found"
        case .keyChanged(let old, let new): "its key was \(old), is \(new)"
        case .field(let change): "\(change)"
        case .propertyAdded(let name, let type): "\(name) is new: \(type)"
        case .propertyRemoved(let name): "\(name) is removed"
        case .propertyChanged(let name, let old, let new): "\(name) was \(old), is \(new)"
        case .notConverted(let error): "the automatic rules do not convert old records: \(error)"
        case .reordered(let names): "its fields have another order: \(names.joined(separator: ", "))"
        case .relationAdded(let name, let description): "relation(\(name)) is new: \(description)"
        case .relationRemoved(let name):
            "relation(\(name)) is removed; its links stay, and the type is not written, until dropUndeclaredRelations()"
        case .relationRenamed(let old, let new): "relation(\(new)) was named \(old)"
        case .relationChanged(let name, let old, let new): "relation(\(name)) was \(old), is \(new)"
        case .versionChanged(let old, let new): "its fieldsVersion was \(old), is \(new)"
        case .versionKept(let version):
            "MISTAKE: its layout has changed, but its fieldsVersion is still \(version). Raise it"
        }
    }
}
