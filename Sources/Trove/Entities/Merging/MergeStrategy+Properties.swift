// Strategies for single properties.

extension MergeStrategy {
    /// Keeps the existing value of a property if its new value is nil.
    ///
    /// - Parameter property: A variable of an optional type.
    public static func patch<Property>(_ property: WritableKeyPath<Value, Property?> & Sendable) -> Self {
        Self { existing, new in
            guard new[keyPath: property] == nil else { return new }
            var result = new
            result[keyPath: property] = existing[keyPath: property]
            return result
        }
    }

    /// Keeps the existing value if the new value is nil.
    public static func patch<Wrapped>() -> Self where Value == Wrapped? { Self { existing, new in new ?? existing } }

    /// Adds the new elements of an array after its existing elements.
    ///
    /// - Parameter array: A variable of an array type.
    public static func append<Element>(_ array: WritableKeyPath<Value, [Element]> & Sendable) -> Self {
        Self { existing, new in
            var result = new
            result[keyPath: array] = existing[keyPath: array] + new[keyPath: array]
            return result
        }
    }

    /// Adds the new elements of an array after its existing elements. The result is nil only if both arrays are nil.
    ///
    /// - Parameter array: A variable of an optional array type.
    public static func append<Element>(_ array: WritableKeyPath<Value, [Element]?> & Sendable) -> Self {
        Self { existing, new in
            guard let first = existing[keyPath: array] else { return new }
            var result = new
            result[keyPath: array] = first + (new[keyPath: array] ?? [])
            return result
        }
    }
}
