// Why a record of one layout does not become one of another: the field, and what stands in the way.

/// Why records do not convert, or why one of them does not.
public struct ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What stands in the way.
    public enum Reason: Hashable, Sendable {
        /// The field is new, cannot be nil and has no default.
        case noDefault
        /// Values of the one type do not become values of the other.
        case differentTypes(from: LayoutType, to: LayoutType)
        /// The field's type describes its own layout, so that only the type itself can read it.
        case unknownLayout(String)
        /// There is no field of that name.
        case missing
        /// The type's own migration has made a record with another key than the one it is stored under.
        case otherKey
        /// This record's value does not become one of the field's type.
        case value(CodingError)
    }

    /// The name of the field; of one inside other fields, the path to it, such as `address.city`.
    public var field: String
    /// What stands in the way.
    public var reason: Reason

    /// Makes an error.
    public init(field: String, reason: Reason) {
        self.field = field
        self.reason = reason
    }

    /// What stands in the way, and what to do.
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
    /// The same, as the reason why the record that contains the field cannot be converted.
    var asCodingError: CodingError {
        if case .value(let error) = reason, case .unencodable(let text) = error.reason {
            CodingError(.unencodable("\(field): \(text)"))
        } else {
            CodingError(.unencodable("\(self)"))
        }
    }
}
