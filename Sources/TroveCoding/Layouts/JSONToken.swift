// A scalar in JSON.

/// A value without parts as JSON has it.
enum JSONToken {
    /// A number, `true` or `false`, as it is.
    case plain(String)
    /// The content of a string, neither quoted nor escaped.
    case string(String)
}
