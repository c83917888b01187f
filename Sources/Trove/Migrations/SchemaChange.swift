// What is different between the layouts of a lock and those of the program.

import TroveCoding

/// A difference between a ``SchemaLock`` and what the program declares.
public struct SchemaChange: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The type is new.
        case added
        /// The type, which had that prefix, is declared no more.
        case removed(keyPrefix: UInt32)
        /// The type had another name. Where its prefix follows from its name, without the module, stores refuse that.
        case renamed(from: String, isRefused: Bool)
        /// The type has another identity.
        case prefixChanged(from: UInt32, to: UInt32)
        /// The key has other components.
        case keyChanged(from: String, to: String)
        /// The automatic rules do this to the records that are stored.
        case field(FieldChange)
        /// A property is new; the automatic rules do not apply.
        case propertyAdded(name: String, type: String)
        /// A property is gone; the automatic rules do not apply.
        case propertyRemoved(name: String)
        /// A property has another type; the automatic rules do not apply.
        case propertyChanged(name: String, from: String, to: String)
        /// Why the automatic rules do not convert the records that are stored.
        case notConverted(ConversionError)
        /// The fields have another order.
        case reordered(names: [String])
        /// The layout has another version.
        case versionChanged(from: UInt32, to: UInt32)
        /// The layout is another one, and its version, which is kept by hand, is not.
        case versionKept(UInt32)
    }

    /// The type's name behind that of its module.
    public var type: String
    /// What happened to it.
    public var kind: Kind

    /// Whether stores that hold records of the type would refuse it as it is.
    public var isMistake: Bool {
        switch kind {
        case .versionKept, .renamed(_, isRefused: true): true
        default: false
        }
    }
}

extension SchemaChange: CustomStringConvertible {
    /// One line, as a person would read it.
    public var description: String { "\(type): \(kind)" }
}

extension SchemaChange.Kind: CustomStringConvertible {
    /// One line, without the name of the type.
    public var description: String {
        switch self {
        case .added: "is new"
        case .removed(let prefix):
            "is gone; its records stay where they are. A type of another name finds them with keyPrefix: \(prefix)"
        case .renamed(let old, isRefused: false): "was named \(old)"
        case .renamed(let old, isRefused: true):
            "MISTAKE: was named \(old), and has the same automatic keyPrefix. Set keyPrefix by hand to keep the records"
        case .prefixChanged(let old, let new):
            "its keyPrefix was \(old), is \(new): the records under the old one are not found any more"
        case .keyChanged(let old, let new): "its key was \(old), is \(new)"
        case .field(let change): "\(change)"
        case .propertyAdded(let name, let type): "\(name) is new: \(type)"
        case .propertyRemoved(let name): "\(name) is removed"
        case .propertyChanged(let name, let old, let new): "\(name) was \(old), is \(new)"
        case .notConverted(let error): "old records do not become new ones by rules: \(error)"
        case .reordered(let names): "its fields have another order: \(names.joined(separator: ", "))"
        case .versionChanged(let old, let new): "its fieldsVersion was \(old), is \(new)"
        case .versionKept(let version):
            "MISTAKE: its layout is another one, and its fieldsVersion is still \(version). Raise it"
        }
    }
}
