// The key order of a query's results: ascending or descending.

/// The order of a query's records by key.
public enum KeyOrder: Hashable, Sendable {
    /// From the least key to the greatest.
    case ascending
    /// From the greatest key to the least.
    case descending
}
