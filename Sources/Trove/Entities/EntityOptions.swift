// What a store keeps of an entity besides its record and its links.

/// The additional records that a store keeps of an entity type. Each costs another record a save or a delete.
///
/// Stores do not keep these records yet: the options are stored nowhere, and have no effect.
public struct EntityOptions: Sendable, Hashable {
    /// Whether the store keeps the time of an entity's last save.
    public var keepsMetadata: Bool
    /// Whether the store keeps deleted entities.
    public var keepsDeleted: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - keepsMetadata: Whether the store keeps the time of an entity's last save.
    ///   - keepsDeleted: Whether the store keeps deleted entities.
    public init(keepsMetadata: Bool = false, keepsDeleted: Bool = false) {
        self.keepsMetadata = keepsMetadata
        self.keepsDeleted = keepsDeleted
    }
}
