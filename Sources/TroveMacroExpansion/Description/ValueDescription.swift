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
