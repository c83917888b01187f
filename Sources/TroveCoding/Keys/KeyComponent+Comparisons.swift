// Comparisons in the place of values. They do not compile, and the compiler's error says why.
//
//     Person.query(lastName: .lessThan("Zorg"), firstName: "Ruby")      lastName is before the last component

extension KeyComponent {
    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func greaterThan(_ value: Self) -> Self { value }

    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func greaterThanOrEqual(_ value: Self) -> Self { value }

    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func lessThan(_ value: Self) -> Self { value }

    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func lessThanOrEqual(_ value: Self) -> Self { value }

    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func equals(_ value: Self) -> Self { value }

    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func range(from lower: Self, upTo upper: Self) -> Self { lower }

    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func closedRange(from lower: Self, through upper: Self) -> Self { lower }
}

extension KeyComponent where Self: Comparable {
    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func range(_ range: Range<Self>) -> Self { range.lowerBound }

    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func closedRange(_ range: ClosedRange<Self>) -> Self { range.lowerBound }
}

extension PrefixKeyComponent {
    /// Fails to compile: only the last component of a query is compared.
    @available(
        *, unavailable, message: "a comparison must come last in a query: compare this property in a filter"
    )
    public static func hasPrefix(_ prefix: Self) -> Self { prefix }
}
