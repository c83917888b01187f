// The error of a conversion between layouts: the field, and the reason.

/// An error of converting records, or a single record, to another layout.
public struct ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason of an error.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: Hashable, Sendable {
        /// The field is new, cannot be nil and has no default.
        case noDefault
        /// There is no conversion between the two types.
        case differentTypes(from: LayoutType, to: LayoutType)
        /// The layout of the field's type is its own: only the type itself can read it.
        case unknownLayout(String)
        /// There is no field of the name.
        case missing
        /// The type's own migration changed the key of the record.
        case otherKey
        /// The value of this record does not convert to the field's type.
        case value(CodingError)
    }

    /// The name of the field, or the path to a nested field, such as `address.city`.
    public var field: String
    /// The reason.
    public var reason: Reason

    /// Creates an error.
    public init(field: String, reason: Reason) {
        self.field = field
        self.reason = reason
    }

    /// The reason, and what to do.
    public var description: String {
        switch reason {
        case .noDefault:
            "\(field) is new, cannot be nil and has no default. Give it a default, make it optional, mark it as @Renamed, or implement migrate(_:from:)."
        case .differentTypes(let old, let new):
            "\(field) was \(old) and is \(new): there is no conversion. Implement migrate(_:from:)."
        case .unknownLayout(let name):
            "\(field) has the layout \(name), which only its own type can read. Implement init(decoding:version:)."
        case .missing: "There is no field \(field)."
        case .otherKey:
            "migrate(_:from:) changed the key (\(field)) of the record. A migrated record must keep its stored key."
        case .value(let error):
            if case .unencodable(let text) = error.reason { "\(field): \(text)." } else { "\(field): \(error)" }
        }
    }
}

extension ConversionError {
    /// The error of the record that contains the field.
    var asCodingError: CodingError {
        if case .value(let error) = reason, case .unencodable(let text) = error.reason {
            CodingError(.unencodable("\(field): \(text)"))
        } else {
            CodingError(.unencodable("\(self)"))
        }
    }
}
