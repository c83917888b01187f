// Filters on strings: contains, prefix, suffix and regular expressions.

import LMDB
import TroveCoding

extension Filter {
    /// Creates a filter for the records whose property contains a string, upper and lower case being different: the
    /// `note.contains("x")` of Swift. Nil contains none.
    ///
    /// ```swift
    /// let query = Item.filter(.contains(\.note, "x") && \.age > 3)
    /// ```
    ///
    /// ``string(_:contains:caseSensitive:)`` ignores case. No index is used: each record is tested.
    ///
    /// - Parameters:
    ///   - property: A stored string or optional string.
    ///   - part: The string to find.
    public static func contains<Text: StringProperty>(_ property: KeyPath<Record, Text>, _ part: String) -> Filter {
        .string(property, contains: part, caseSensitive: true)
    }

    /// Creates a filter for the records whose property contains a string. Nil contains none.
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
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, hasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        let bounds = caseSensitive ? ByteRanges(.hasPrefix(Text(part))) : nil
        return matching(property, StringPattern(.hasPrefix, part, caseSensitive), bounds)
    }

    /// Creates a filter for the records whose property ends with a string. Nil does not.
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
        matching(property, nil, { ConditionText("matches a regex", function: ".regex", closure: "{ … }") }) {
            let regex = pattern().regex
            return { $0.contains(regex) }
        }
    }

    // MARK: The conditions

    private static func matching<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, _ pattern: StringPattern, _ bounds: ByteRanges? = nil
    ) -> Filter {
        matching(property, bounds, { pattern.text }) { pattern.matches }
    }

    private static func matching<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, _ bounds: ByteRanges?, _ text: @escaping @Sendable () -> ConditionText,
        _ makeTest: @escaping @Sendable () -> (String) -> Bool
    ) -> Filter {
        Filter { () throws(StoreError) in
            let reader = try Record.reader(of: property)
            return reader.condition(
                bounds, text,
                test: {
                    let test = makeTest()
                    var values: [Text] = []
                    return { run throws(CodingError) in
                        values.removeAll(keepingCapacity: true)
                        try reader.read(&run, into: &values)
                        return Text.matches(in: values, test)
                    }
                })
        }
    }
}

/// A string to find, and its place in the property.
private struct StringPattern: Sendable {
    enum Place: String { case contains, hasPrefix, hasSuffix }

    let place: Place
    let isCaseSensitive: Bool
    private let part: String
    private let bytes: [UInt8]

    init(_ place: Place, _ part: String, _ isCaseSensitive: Bool) {
        self.place = place
        self.part = part
        self.isCaseSensitive = isCaseSensitive
        bytes = Array((isCaseSensitive ? part : part.lowercased()).utf8)
    }

    func matches(_ string: String) -> Bool {
        ByteView.with(isCaseSensitive ? string : string.lowercased()) { text in
            ByteView.with(bytes) { part in
                switch place {
                case .hasPrefix: text.has(part, at: 0)
                case .hasSuffix: text.has(part, at: text.count - part.count)
                case .contains: text.contains(part)
                }
            }
        }
    }

    var text: ConditionText {
        let part = part.debugDescription
        return ConditionText(
            "\(place.rawValue) \(part)" + (isCaseSensitive ? ", case-sensitive" : ""), function: ".string",
            arguments: ["\(place.rawValue): \(part)"] + (isCaseSensitive ? ["caseSensitive: true"] : []))
    }
}
