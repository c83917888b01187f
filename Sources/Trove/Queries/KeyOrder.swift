// The order of keys in which a query returns its records.

/// The order in which a query returns its records.
public enum KeyOrder: Hashable, Sendable {
    /// From the least key to the greatest.
    case ascending
    /// From the greatest key to the least.
    case descending
}
