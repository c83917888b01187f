// A property of an index, for the generators.

/// A property by which an index is sorted.
struct IndexedPropertyDescription: Equatable {
    var property: PropertyDescription
    var isDescending: Bool
}
