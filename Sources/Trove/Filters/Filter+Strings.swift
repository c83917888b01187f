// Filters on strings: contains, prefix, suffix and regular expressions.

import TroveCoding

extension Filter {
    /// Creates a filter for the records whose property contains a string, upper and lower case being different: the
    /// `note.contains("x")` of Swift. Nil contains none.
    ///
    /// ```swift
    /// let query = Item.filter(.contains(\.note, "x") && \.age > 3)
    /// ```
    ///
    /// ``string(_:contains:caseSensitive:)`` ignores case.
    ///
    /// - Parameters:
    ///   - property: A stored string or optional string.
    ///   - part: The string to find.
    public static func contains<Text: StringProperty>(_ property: KeyPath<Record, Text>, _ part: String) -> Filter {
        .string(property, contains: part, caseSensitive: true)
    }

    /// Creates a filter for the records whose property begins with a string, upper and lower case being different: the
    /// `note.hasPrefix("x")` of Swift. Nil does not. A range of the key or of an index can replace the filter.
    ///
    /// ``string(_:hasPrefix:caseSensitive:)`` ignores case.
    ///
    /// - Parameters:
    ///   - property: A stored string or optional string.
    ///   - part: The string to find.
    public static func hasPrefix<Text: StringProperty>(_ property: KeyPath<Record, Text>, _ part: String) -> Filter {
        .string(property, hasPrefix: part, caseSensitive: true)
    }

    /// Creates a filter for the records whose property ends with a string, upper and lower case being different: the
    /// `note.hasSuffix("x")` of Swift. Nil does not.
    ///
    /// ``string(_:hasSuffix:caseSensitive:)`` ignores case.
    ///
    /// - Parameters:
    ///   - property: A stored string or optional string.
    ///   - part: The string to find.
    public static func hasSuffix<Text: StringProperty>(_ property: KeyPath<Record, Text>, _ part: String) -> Filter {
        .string(property, hasSuffix: part, caseSensitive: true)
    }

    /// Creates a filter for the records whose property contains a string. Nil contains none.
    ///
    /// ```swift
    /// let query = Item.filter(.string(\.note, contains: "oslo"))
    /// ```
    ///
    /// Strings are equal if their Unicode scalars are: `é` as a single scalar differs from `e` with an accent.
    ///
    /// A full-text index of the property by ``/TroveText/TextAnalyzer/trigrams`` leads to the records that may match;
    /// each of them is tested. The result is the same as without the index. A string of fewer than three scalars, and
    /// one that most records may contain, is searched in all records.
    ///
    /// - Parameters:
    ///   - property: A stored string or optional string.
    ///   - part: The string to find.
    ///   - caseSensitive: Whether upper and lower case differ. If false, both strings are compared in lower case.
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, contains part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.contains, part, caseSensitive))
    }

    /// Creates a filter for the records whose property begins with a string. Nil does not.
    ///
    /// With `caseSensitive: true`, a range of the key or of an index can replace the filter, if it covers the property.
    /// An index by trigrams is used as for ``string(_:contains:caseSensitive:)``.
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, hasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasPrefix, part, caseSensitive))
    }

    /// Creates a filter for the records whose property ends with a string. Nil does not.
    ///
    /// An index by trigrams is used as for ``string(_:contains:caseSensitive:)``.
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, hasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasSuffix, part, caseSensitive))
    }

    // MARK: Negated

    /// Creates a filter for the records whose property does not contain a string, including records where it is nil.
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, notContains part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, contains: part, caseSensitive: caseSensitive))
    }

    /// Creates a filter for the records whose property does not begin with a string, including records where it is nil.
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, notHasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasPrefix: part, caseSensitive: caseSensitive))
    }

    /// Creates a filter for the records whose property does not end with a string, including records where it is nil.
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, notHasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasSuffix: part, caseSensitive: caseSensitive))
    }

    // MARK: Regular expressions

    /// Creates a filter for the records whose property contains a match of a regular expression. Nil contains none.
    ///
    /// ```swift
    /// let query = User.filter(.regex(\.name) { /^al.*[0-9]$/ })
    /// ```
    ///
    /// A `Regex` must not be shared between threads, but a query may be. So the closure creates a new expression for
    /// each run.
    ///
    /// - Parameters:
    ///   - property: A stored string or optional string.
    ///   - pattern: Creates the expression.
    public static func regex<Text: StringProperty, Pattern: RegexComponent & SendableMetatype>(
        _ property: KeyPath<Record, Text>, _ pattern: @escaping @Sendable () -> Pattern
    ) -> Filter {
        matching(
            property, bounds: nil, pattern: nil,
            text: { ConditionText("matches a regex", function: ".regex", closure: "{ … }") }
        ) {
            let regex = pattern().regex
            return { $0.contains(regex) }
        }
    }

    // MARK: The conditions

    /// Creates a filter for the records with a string in a property.
    static func matching<Text: StringProperty>(_ property: KeyPath<Record, Text>, _ pattern: StringPattern) -> Filter {
        let bounds = pattern.prefix.map { ByteRanges(.hasPrefix(Text($0))) }
        return matching(property, bounds: bounds, pattern: pattern, text: { pattern.text }) { pattern.matches }
    }

    /// Creates a filter for the records whose property passes a test. Nil does not.
    static func matching<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, bounds: ByteRanges?, pattern: StringPattern?,
        text: @escaping @Sendable () -> ConditionText, test makeTest: @escaping @Sendable () -> (String) -> Bool
    ) -> Filter {
        Filter { () throws(StoreError) in
            let reader = try Record.reader(of: property)
            return Condition(
                reader.property, bounds, field: nil, pattern: pattern, text,
                test: {
                    let test = makeTest()
                    var values: [Text] = []
                    return { run throws(CodingError) in
                        values.removeAll(keepingCapacity: true)
                        try reader.read(&run, into: &values)
                        return Text._matches(in: values, test)
                    }
                })
        }
    }
}
