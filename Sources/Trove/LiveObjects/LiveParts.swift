// The parts of a live object that are observed separately.

/// Some of the parts of a live object.
///
/// Each stored property outside the key is a part. From the 52nd on, they share one.
struct LiveParts: OptionSet, Sendable {
    let rawValue: UInt64

    /// The number of different parts.
    static var count: Int { UInt64.bitWidth }

    private static var lastProperty: Int { 51 }

    /// All parts of a list.
    static let rows = LiveParts(rawValue: 1 << 52)
    static let query = LiveParts(rawValue: 1 << 53)
    static let hasMore = LiveParts(rawValue: 1 << 54)
    static let totalCount = LiveParts(rawValue: 1 << 55)
    static let error = LiveParts(rawValue: 1 << 56)

    /// The number of unsaved objects.
    static let unsavedCount = LiveParts(rawValue: 1 << 57)

    static let isDeleted = LiveParts(rawValue: 1 << 60)
    static let isDraft = LiveParts(rawValue: 1 << 61)
    static let hasChanges = LiveParts(rawValue: 1 << 62)
    /// The value as a whole, and properties that are computed from others.
    static let value = LiveParts(rawValue: 1 << 63)

    static let all = LiveParts(rawValue: .max)

    /// All stored properties.
    static let allFields = LiveParts(rawValue: 1 << 52 - 1)

    /// Returns the part of a stored property.
    ///
    /// - Parameter index: The place of the property among the fields of its schema.
    static func field(_ index: Int) -> LiveParts { LiveParts(rawValue: 1 << UInt64(min(index, lastProperty))) }

    /// The number of a single part.
    var number: Int { rawValue.trailingZeroBitCount }
}

extension IndexKeyRecord {
    /// Returns the part that a property belongs to: the whole value if it is not a stored property outside the key.
    static func livePart(of path: PartialKeyPath<Self>) -> LiveParts {
        do throws(StoreError) {
            return try schema.liveParts.value(of: path) { () throws(StoreError) in
                guard case .field(let index) = schema.property(at: path)?.place else { return LivePart(.value) }
                return LivePart(.field(index))
            }.part
        } catch {
            return .value
        }
    }
}

/// A part in the cache of a schema.
private final class LivePart: Sendable {
    let part: LiveParts

    init(_ part: LiveParts) { self.part = part }
}
