// The types of properties whose elements queries find and indexes cover.

import TroveCoding

/// An array, a set, or an optional of either: a property for filters and indexes on its elements.
///
/// Do not add conformances of your own. The requirements have underscores: they are members of `Optional`, `Array` and
/// `Set`, where completion and diagnostics must not propose them.
public protocol ElementsProperty {
    /// The type of the elements.
    associatedtype StoredElement
    /// A sequence of the elements.
    associatedtype StoredElements: Sequence<StoredElement>

    /// Returns the elements of a value; nil for nil.
    static func _elements(of value: Self) -> StoredElements?

    /// Returns the value with a single element.
    static func _value(of element: StoredElement) -> Self
}

extension Array: ElementsProperty {
    /// Returns the array.
    @inlinable
    public static func _elements(of value: [Element]) -> [Element]? { value }

    /// Returns an array of one element.
    @inlinable
    public static func _value(of element: Element) -> [Element] { [element] }
}

extension Set: ElementsProperty {
    /// Returns the set.
    @inlinable
    public static func _elements(of value: Set<Element>) -> Set<Element>? { value }

    /// Returns a set of one element.
    @inlinable
    public static func _value(of element: Element) -> Set<Element> { [element] }
}

extension Optional: ElementsProperty where Wrapped: ElementsProperty {
    /// Returns the elements of the wrapped value; nil for nil.
    @inlinable
    public static func _elements(of value: Wrapped?) -> Wrapped.StoredElements? { value.flatMap(Wrapped._elements) }

    /// Returns a wrapped value with a single element.
    @inlinable
    public static func _value(of element: Wrapped.StoredElement) -> Wrapped? { Wrapped._value(of: element) }
}

// MARK: Key paths of elements

/// The elements of a property, each for itself: `\.tags.each` in the declaration of an index.
public struct EachElement<Property: ElementsProperty> {
    /// The property's value.
    public let value: Property

    @inlinable
    init(_ value: Property) { self.value = value }
}

extension ElementsProperty where StoredElement: KeyComponent {
    /// The elements, each for itself, for an index of them: `#Index<Item>(\.tags.each)`.
    @inlinable
    public var each: EachElement<Self> { EachElement(self) }
}

extension ElementsProperty {
    /// Refuses elements without an order.
    @available(*, unavailable, message: "needs elements that are a KeyComponent, such as numbers and strings")
    @_disfavoredOverload
    public var each: EachElement<Self> { EachElement(self) }
}

extension KeyComponent {
    /// Refuses properties without elements.
    @available(*, unavailable, message: "needs an array or a set of values")
    @_disfavoredOverload
    public var each: Self { self }
}
