// The error of a type or a record that does not fit into a CSV.

/// An error of a type or a record that has no row in a CSV. Later versions can add cases.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CSVError: Error, Hashable, Sendable {
    /// The property has parts, or its layout is known only to its own code.
    case nested(type: String, property: String, layout: String)
    /// A record has an older layout, and so other columns.
    case olderLayout(type: String, version: UInt32)
}

extension CSVError: CustomStringConvertible {
    /// The error in words: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .nested(let type, let property, let layout):
            "\(property) of \(type) has the layout \(layout), which has no place in a field of a CSV. Use JSON."
        case .olderLayout(let type, let version):
            "\(type) has records of the older version \(version), which have other columns. Open the store with its program to migrate them, or use JSON."
        }
    }
}
