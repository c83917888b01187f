// Filters on the elements of arrays and sets.

import TroveCoding

extension Filter {
    /// Creates a filter for the records whose property contains an element. Nil contains none.
    ///
    /// ```swift
    /// let query = Item.filter(.contains(\.tags, "urgent") && \.age > 3)
    /// ```
    ///
    /// An index of the elements, `#Index<Item>(\.tags.each)`, finds the records by an equality. Without an index, each
    /// record is tested. Elements are equal if their key bytes are: strings compare by their UTF-8.
    ///
    /// - Parameters:
    ///   - property: A stored array or set, or an optional of either.
    ///   - element: The element to find.
    @inlinable
    public static func contains<Elements: ElementsProperty & Sendable>(
        _ property: KeyPath<Record, Elements>, _ element: Elements.StoredElement
    ) -> Filter where Elements.StoredElement: KeyComponent {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(anyElement: ByteRanges(.equals(element))) {
                ConditionText(
                    "contains \(literal(element))", function: ".contains",
                    arguments: [literal(element, isSwift: true)])
            }
        }
    }

    /// Creates a filter for the records whose property contains any of some elements. Nil contains none.
    ///
    /// - Parameters:
    ///   - property: A stored array or set, or an optional of either.
    ///   - elements: The elements to find. If there are none, no record matches.
    @inlinable
    public static func contains<Elements: ElementsProperty & Sendable>(
        _ property: KeyPath<Record, Elements>, anyOf elements: some Sequence<Elements.StoredElement>
    ) -> Filter where Elements.StoredElement: KeyComponent {
        let elements = Array(elements)
        return Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(anyElement: ByteRanges(.within(elements))) {
                ConditionText(
                    "contains any of \(literal(elements))", function: ".contains",
                    arguments: ["anyOf: \(literal(elements, isSwift: true))"])
            }
        }
    }

    /// Creates a filter for the records whose property contains an element without an order, such as a nested value:
    /// the stored bytes are equal. Nil contains none. No index is used: each record is tested.
    @_disfavoredOverload
    public static func contains<Elements: ElementsProperty & Sendable>(
        _ property: KeyPath<Record, Elements>, _ element: Elements.StoredElement
    ) -> Filter where Elements.StoredElement: Sendable {
        Filter { () throws(StoreError) in
            let reader = try Record.reader(of: property)
            do throws(CodingError) {
                return try reader.condition(anyElement: element) {
                    ConditionText(
                        "contains \(literal(element))", function: ".contains",
                        arguments: [literal(element, isSwift: true)])
                }
            } catch {
                throw StoreError(writing: Record.schema.name, error)
            }
        }
    }
}

extension PropertyReader where Value: ElementsProperty {
    /// Returns the condition that an element of the property lies in bounds.
    @inlinable
    func condition(
        anyElement bounds: ByteRanges, _ text: @escaping @Sendable () -> ConditionText
    ) -> Condition where Value.StoredElement: KeyComponent {
        let test = BoundsTest(bounds)
        return condition(bounds, isOfElements: true, text) {
            { value in Value._elements(of: value)?.contains { test.contains($0) } ?? false }
        }
    }

    /// Returns the condition that an element of the property equals a value, byte for byte.
    func condition(
        anyElement element: Value.StoredElement, _ text: @escaping @Sendable () -> ConditionText
    ) throws(CodingError) -> Condition {
        // A field with a single element has the bytes of the element, and others that are the same for all elements.
        let expected = try encode(Value._value(of: element))
        return condition(nil, text) {
            { run throws(CodingError) in
                var found: UInt64 = 0
                for (index, value) in try self.column(&run).enumerated() {
                    guard let elements = Value._elements(of: value) else { continue }
                    for element in elements where try self.encode(Value._value(of: element)) == expected {
                        found |= 1 &<< UInt64(index)
                        break
                    }
                }
                return found
            }
        }
    }
}
