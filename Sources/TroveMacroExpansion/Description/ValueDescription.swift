// A nested value, as the generators see it: everything is checked.

/// A struct or an enum with `@RecordValue`.
struct ValueDescription: Equatable {
    /// What the value is made of.
    enum Shape: Equatable {
        /// A struct: its stored properties in order.
        case record([PropertyDescription])
        /// An enum: its cases in order.
        case enumeration([CaseDescription])
    }

    var context: TypeContext
    var shape: Shape
    /// The properties and associated values whose types the extension reaches through `PropertyTypes`.
    var outsideTypes: [OutsideType]
    /// The default values that the extension reaches through `PropertyDefaults`.
    var outsideDefaults: [OutsideDefault]
    /// Whether the extension declares `RecordValue`, which the declaration may do itself.
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
    /// The label without backticks, nil when there is none.
    var label: String?
    /// The label as an argument has it.
    var argumentLabel: String?
    var type: String
}
