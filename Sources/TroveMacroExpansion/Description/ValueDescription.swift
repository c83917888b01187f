// The validated description of a nested value for the generators.

/// A struct or an enum with `@RecordValue`.
struct ValueDescription: Equatable {
    /// The shape of a value.
    enum Shape: Equatable {
        /// A struct, with its stored properties in order.
        case record([PropertyDescription])
        /// An enum, with its cases in order.
        case enumeration([CaseDescription])
    }

    var context: TypeContext
    var shape: Shape
    /// The properties and associated values whose types the extension reaches through `PropertyTypes`.
    var outsideTypes: [OutsideType]
    /// The default values that the extension reaches through `PropertyDefaults`.
    var outsideDefaults: [OutsideDefault]
    /// Whether the extension declares `RecordValue`; false if the declaration does.
    var declaresConformance: Bool
}

/// A case of an enum.
struct CaseDescription: Equatable {
    var name: String
    var code: String
    var payload: [PayloadDescription]
}

/// An associated value of a case.
struct PayloadDescription: Equatable {
    /// The label without backticks; nil without a label.
    var label: String?
    /// The label as an argument label.
    var argumentLabel: String?
    var type: String
}
