// The part of a schema that a higher folder of this target knows: for an entity type, its relations and hooks.

/// A part of the schema of a record type.
///
/// Higher folders refine this protocol by the members that they need: `TablePart`, then `WritePart`.
public protocol _SchemaPart: AnyObject, Sendable {
    /// Returns the error for a key path that the part knows as no stored property; nil for other key paths.
    func _notStored(_ path: AnyKeyPath) -> StoreError?
}
