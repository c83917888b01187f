// A default value that an extension cannot spell. Generated code reaches it through a function inside the type.

/// A default value with a name outside an extension's scope.
struct OutsideDefault: Equatable {
    /// The name of its function in `PropertyDefaults`, and the function's result type.
    var function: OutsideType
    /// Its spelling inside that enum.
    var value: String
}
