// A case of an enum with `@RecordValue`, for the generators.

/// A case of an enum.
struct CaseDescription: Equatable {
    /// An associated value of a case.
    struct Payload: Equatable {
        /// The label without backticks; nil without a label.
        var label: String?
        /// The label as an argument label.
        var argumentLabel: String?
        var type: String
        /// The directive with the line of the type, as of a property.
        var location: String?
    }

    var name: String
    var code: String
    var payload: [Payload]
}
