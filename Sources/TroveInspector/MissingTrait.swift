// The product in a build without the trait `Inspector`: its use is an error of the compiler that says how to enable the
// trait.

#if !Inspector
import Trove

/// Fails to compile without the trait `Inspector`.
@available(
    *, unavailable,
    message: "needs Hummingbird: add 'traits: [\"Inspector\"]' to the dependency on Trove in Package.swift"
)
public struct InspectorServer: Sendable {
    /// Nothing.
    public init(_ store: Store) {}
}
#endif
