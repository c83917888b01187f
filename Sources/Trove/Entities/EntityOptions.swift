// The records that a store keeps of an entity in addition to its own record and its links.

/// The additional records that a store keeps of an entity type. Each costs another record a save or a delete.
///
/// The options are stored nowhere. If a program no longer sets an option, the records kept so far stay as they are.
public struct EntityOptions: Sendable, Hashable {
    /// Whether the store keeps the time of an entity's last save, which
    /// ``EntityModelProtocol/updatedAt(in:withNested:)-(RecordReadable,_)`` returns.
    public var keepsMetadata: Bool
    /// Whether the store keeps deleted entities: ``Deleted``.
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
