// The two macros of record types.

import SwiftSyntax

/// The macro that declares a record type.
enum RecordKind: Equatable {
    /// `@IndexKeyRecord`: a record with a key of any properties.
    case record
    /// `@EntityModel`: a record with `id` as its key, and with relations.
    case entity

    init(_ attribute: AttributeSyntax) {
        self = attribute.attributeName.isNamed("EntityModel") ? .entity : .record
    }

    /// The macro's name.
    var macro: String {
        switch self {
        case .record: "IndexKeyRecord"
        case .entity: "EntityModel"
        }
    }

    /// The protocols of the type. The compiler searches each of them in the macro's declaration, so an inherited
    /// protocol is among them.
    var protocols: [String] {
        switch self {
        case .record: ["IndexKeyRecord"]
        case .entity: ["EntityModelProtocol", "IndexKeyRecord", "EntityHolding"]
        }
    }
}
