// Filters on strings in any of several properties.

import TroveCoding

extension Filter {
    /// Creates a filter for the records of which any of several properties contains a string. Nil contains none.
    ///
    /// ```swift
    /// let query = Article.filter(.string(\.title, \.body, contains: "ordered"))
    /// ```
    ///
    /// A full-text index of all of the properties by ``/TroveText/TextAnalyzer/trigrams`` is used, as for
    /// ``string(_:contains:caseSensitive:)``.
    ///
    /// - Parameters:
    ///   - first: A stored string or optional string.
    ///   - second: Another one.
    ///   - others: Further ones.
    ///   - part: The string to find.
    ///   - caseSensitive: Whether upper and lower case differ. If false, strings are compared in lower case.
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>,
        contains part: String, caseSensitive: Bool = false
    ) -> Filter {
        any(StringPattern(.contains, part, caseSensitive), of: first, second, repeat each others)
    }

    /// Creates a filter for the records of which any of several properties begins with a string. Nil does not.
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>,
        hasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        any(StringPattern(.hasPrefix, part, caseSensitive), of: first, second, repeat each others)
    }

    /// Creates a filter for the records of which any of several properties ends with a string. Nil does not.
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>,
        hasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        any(StringPattern(.hasSuffix, part, caseSensitive), of: first, second, repeat each others)
    }

    // MARK: Negated

    /// Creates a filter for the records of which none of several properties contains a string.
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>,
        notContains part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(first, second, repeat each others, contains: part, caseSensitive: caseSensitive))
    }

    /// Creates a filter for the records of which none of several properties begins with a string.
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>,
        notHasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(first, second, repeat each others, hasPrefix: part, caseSensitive: caseSensitive))
    }

    /// Creates a filter for the records of which none of several properties ends with a string.
    public static func string<First: StringProperty, Second: StringProperty, each Other: StringProperty>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>,
        notHasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(first, second, repeat each others, hasSuffix: part, caseSensitive: caseSensitive))
    }

    private static func any<First: StringProperty, Second: StringProperty, each Other: StringProperty>(
        _ pattern: StringPattern, of first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ others: repeat KeyPath<Record, each Other>
    ) -> Filter {
        var filter = matching(first, pattern).or(matching(second, pattern))
        for other in repeat each others { filter = filter.or(matching(other, pattern)) }
        return filter
    }
}
