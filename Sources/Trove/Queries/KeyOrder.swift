// The key order of a query's results: ascending or descending.

/// The order of the records that a query returns.
public enum KeyOrder: Hashable, Sendable {
    /// From the least key to the greatest.
    case ascending
    /// From the greatest key to the least.
    case descending
}
