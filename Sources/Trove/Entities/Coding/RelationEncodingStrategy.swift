// The ways to encode relations, set in an encoder.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How the relations of an entity are encoded.
///
/// | relation | ``plain`` | ``keyedContainer`` | ``explicitKeyedContainer`` |
/// |---|---|---|---|
/// | none | `null` | `null` | `null` |
/// | null | `null` | `{"id": null}` | `{"id": null}` |
/// | id | `{"id": "1"}` | `{"id": "1"}` | `{"id": "1"}` |
/// | entity | the entity | `{"object": …}` | `{"object": …}` |
/// | ids | `[{"id": "1"}]` | `{"ids": ["1"]}` | `{"ids": ["1"]}` |
/// | entities | `[…]` | `{"objects": […]}` | `{"objects": […]}` |
/// | appended ids | `[{"id": "1"}]` | `{"ids": ["1"]}` | `{"slice_ids": ["1"]}` |
/// | appended entities | `[…]` | `{"objects": […]}` | `{"slice": […]}` |
///
/// Fragments are encoded as other entities.
public enum RelationEncodingStrategy: Sendable, Hashable {
    /// Objects and arrays, as in most JSON. None and null are the same, and so are appended lists and whole lists.
    ///
    /// A part of a list that a query has read is decoded as a whole list, and its save removes the other links. Use
    /// ``explicitKeyedContainer`` for such entities.
    case plain
    /// An object with a key that distinguishes ids from entities, and null from none. Appended lists and whole lists
    /// are the same, as with ``plain``.
    case keyedContainer
    /// An object with a key that also distinguishes appended lists from whole lists.
    case explicitKeyedContainer
}

extension CodingUserInfoKey {
    /// The key of the ``RelationEncodingStrategy`` in the `userInfo` of an encoder.
    public static let relationEncodingStrategy = CodingUserInfoKey(named: "Trove.relationEncodingStrategy")
}

extension JSONEncoder {
    /// How relations are encoded. By default ``RelationEncodingStrategy/plain``.
    public var relationEncodingStrategy: RelationEncodingStrategy {
        get { RelationEncodingStrategy(userInfo) }
        set { userInfo[.relationEncodingStrategy] = newValue }
    }
}

extension RelationEncodingStrategy {
    /// Reads the strategy of an encoder.
    init(_ userInfo: [CodingUserInfoKey: Any]) {
        self = userInfo[.relationEncodingStrategy] as? RelationEncodingStrategy ?? .plain
    }
}
