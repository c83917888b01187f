// A property of an index, for the generators.

/// A property in the sort order of an index.
struct IndexedPropertyDescription: Equatable {
    var property: PropertyDescription
    var isDescending: Bool
    /// Whether the index has an entry for each element of the property.
    var isOfElements = false
}
