// The ways to decode relations, set in a decoder.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The forms of relations that a decoder accepts, as ``RelationEncodingStrategy`` writes them.
///
/// In every form, `null` and a missing key are ``Relation/none``, so incomplete JSON never removes a link.
public struct RelationDecodingStrategy: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates a set of options.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Objects and arrays. An object whose only key is `id` is an id, unless the type has no other properties.
    public static let plain = RelationDecodingStrategy(rawValue: 1 << 0)
    /// An object with the key `id`, `object`, `ids` or `objects`.
    public static let keyedContainer = RelationDecodingStrategy(rawValue: 1 << 1)
    /// An object with one of these keys, or with `slice` or `slice_ids`.
    public static let explicitKeyedContainer = RelationDecodingStrategy(rawValue: 1 << 2)

    /// Whether objects with a key for the form are accepted.
    var hasKeys: Bool { !isDisjoint(with: [.keyedContainer, .explicitKeyedContainer]) }
}

extension CodingUserInfoKey {
    /// The key of the ``RelationDecodingStrategy`` in the `userInfo` of a decoder.
    public static let relationDecodingStrategy = CodingUserInfoKey(named: "Trove.relationDecodingStrategy")

    /// Creates a key. Every name is valid.
    init(named name: String) { self = CodingUserInfoKey(rawValue: name)! }
}

extension JSONDecoder {
    /// The accepted forms of relations. By default ``RelationDecodingStrategy/plain``.
    public var relationDecodingStrategy: RelationDecodingStrategy {
        get { RelationDecodingStrategy(userInfo) }
        set { userInfo[.relationDecodingStrategy] = newValue }
    }
}

extension RelationDecodingStrategy {
    /// Reads the strategy of a decoder.
    init(_ userInfo: [CodingUserInfoKey: Any]) {
        self = userInfo[.relationDecodingStrategy] as? RelationDecodingStrategy ?? .plain
    }
}
