// A component of the entries of an access path.

import LMDB
import TroveCoding

/// A component of the entries of an access path.
struct PathComponent: Sendable {
    /// The encoding of a component.
    enum Form: Hashable, Sendable {
        /// The encoding of a key component.
        case key
        /// The escaped bytes of a field, or of the value inside an optional field: comparable for equality, but without
        /// an order.
        case field(isOptional: Bool)
        /// The encoding of a key component, for an element of the property.
        case element
    }

    /// The property of the component; nil if it is not a stored property: then no filter can name it.
    let property: StoredProperty?
    let form: Form
    /// Whether the bytes are complemented.
    let isDescending: Bool
    /// The byte of nil in the encoding of the bounds; nil for a property that is not optional.
    let nilByte: UInt8?
    let skip: KeySkip

    /// Returns the components of a type's key.
    static func components(of key: [KeyProperty]) -> [PathComponent] {
        key.enumerated().map { index, property in
            let type = property.type
            return PathComponent(
                property: StoredProperty(name: property.name, place: .key(index)), form: .key, isDescending: false,
                nilByte: nil, skip: { reader throws(CodingError) in try type.skipKey(in: &reader) })
        }
    }

    private init(
        property: StoredProperty?, form: Form, isDescending: Bool, nilByte: UInt8?,
        skip: @escaping KeySkip
    ) {
        self.property = property
        self.form = form
        self.isDescending = isDescending
        self.nilByte = nilByte
        self.skip = skip
    }

    /// Creates the component for a property of an index.
    ///
    /// - Parameter properties: The stored properties of the type.
    init<Record>(_ indexed: IndexedProperty<Record>, among properties: [(property: StoredProperty, type: String)]) {
        let column = indexed.column
        let property = properties.property(of: column)
        // Bounds are in ascending bytes.
        let nilByte = column.form == .descendingKey ? column.nilByte.map { ~$0 } : column.nilByte
        self.init(
            property: property,
            form: property == nil ? .key : Form(column.form, isOptional: nilByte != nil),
            isDescending: property != nil && column.form == .descendingKey, nilByte: nilByte,
            skip: indexed.skip)
    }
}

extension PathComponent.Form {
    fileprivate init(_ form: IndexColumn.Form, isOptional: Bool) {
        self =
            switch form {
            case .key, .descendingKey: .key
            case .equality: .field(isOptional: isOptional)
            case .element: .element
            // Texts and numbers to add up are no components of access paths.
            case .text, .sum, .gathered: .key
            }
    }
}
