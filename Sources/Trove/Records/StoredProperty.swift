// The identity of a property in stored records.

/// The identity of a stored property, shared by conditions, sort orders and indexes.
@usableFromInline
struct StoredProperty: Hashable, Sendable {
    /// The stored name of the property.
    let name: String
    let place: PropertyLocation

    /// Compares the places alone: a type has one property in each place.
    @usableFromInline
    static func == (left: StoredProperty, right: StoredProperty) -> Bool { left.place == right.place }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(place) }

    /// A bit for the property. Several properties of a type may share a bit.
    var bit: UInt64 { Self.bit(at: place) }

    static func bit(at place: PropertyLocation) -> UInt64 {
        switch place {
        case .key(let index): 1 &<< UInt64(index % 16)
        case .field(let index): 1 &<< UInt64(16 + index % 48)
        }
    }
}
