// The answer of a scan's closure.

/// The next action of a scan after a key.
public enum ScanControl: Hashable, Sendable {
    /// Continues with the next key.
    case `continue`
    /// Ends the scan here.
    case stop
}
