// The product in a build without the trait `Encryption` and without CryptoKit: each use is an error of the compiler
// that says how to enable the trait.

#if !canImport(CryptoKit) && !Encryption
import Trove

/// Fails to compile without the trait `Encryption`.
@available(
    *, unavailable,
    message: "needs swift-crypto: add 'traits: [\"Encryption\"]' to the dependency on Trove in Package.swift"
)
public struct Sealed<Value: Codable & Sendable>: OpaqueValue, Hashable {
    /// Nothing.
    public var opaqueBytes: [UInt8] { [] }

    /// Creates nothing.
    public init(opaqueBytes: [UInt8]) {}
}

/// Fails to compile without the trait `Encryption`.
@available(
    *, unavailable,
    message: "needs swift-crypto: add 'traits: [\"Encryption\"]' to the dependency on Trove in Package.swift"
)
public struct SealingKeys: Sendable {}

/// Fails to compile without the trait `Encryption`.
@available(
    *, unavailable,
    message: "needs swift-crypto: add 'traits: [\"Encryption\"]' to the dependency on Trove in Package.swift"
)
public struct Fingerprint: Sendable {}
#endif
