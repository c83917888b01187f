// The error of the inspector's server.

#if Inspector
/// An error of ``InspectorServer``. Later versions can add cases.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum InspectorError: Error, Hashable, Sendable {
    /// The port cannot be bound: another program may use it.
    case cannotListen(port: Int, reason: String)
}

extension InspectorError: CustomStringConvertible {
    /// The error in words, and what to do.
    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "The inspector cannot listen at port \(port) of this machine: \(reason). Give another port, or none."
        }
    }
}
#endif
