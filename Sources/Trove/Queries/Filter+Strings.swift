// Filters on strings: contains, prefix, suffix and regular expressions.

import TroveCoding

extension Filter {
    /// Returns a filter for the records whose property contains a string.
    ///
    /// - Parameters:
    ///   - property: A stored string.
    ///   - part: The string to find.
    ///   - caseSensitive: Whether upper and lower case differ. If false, both strings are compared in lower case.
    public static func string(
        _ property: KeyPath<Record, String>, contains part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.contains, part, caseSensitive))
    }

    /// Returns a filter for the records whose property contains a string. Nil contains none.
    public static func string(
        _ property: KeyPath<Record, String?>, contains part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.contains, part, caseSensitive))
    }

    /// Returns a filter for the records whose property begins with a string.
    ///
    /// With `caseSensitive: true`, a range of the key or of an index can answer it, if the property is part of it.
    public static func string(
        _ property: KeyPath<Record, String>, hasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasPrefix, part, caseSensitive), ByteRanges(.hasPrefix(part)))
    }

    /// Returns a filter for the records whose property begins with a string. Nil does not.
    public static func string(
        _ property: KeyPath<Record, String?>, hasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasPrefix, part, caseSensitive), ByteRanges(.hasPrefix(Optional(part))))
    }

    /// Returns a filter for the records whose property ends with a string.
    public static func string(
        _ property: KeyPath<Record, String>, hasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasSuffix, part, caseSensitive))
    }

    /// Returns a filter for the records whose property ends with a string. Nil does not.
    public static func string(
        _ property: KeyPath<Record, String?>, hasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasSuffix, part, caseSensitive))
    }

    // MARK: Negated

    /// Returns a filter for the records whose property does not contain a string.
    public static func string(
        _ property: KeyPath<Record, String>, notContains part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, contains: part, caseSensitive: caseSensitive))
    }

    /// Returns a filter for the records whose property does not contain a string, including records where it is nil.
    public static func string(
        _ property: KeyPath<Record, String?>, notContains part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, contains: part, caseSensitive: caseSensitive))
    }

    /// Returns a filter for the records whose property does not begin with a string.
    public static func string(
        _ property: KeyPath<Record, String>, notHasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasPrefix: part, caseSensitive: caseSensitive))
    }

    /// Returns a filter for the records whose property does not begin with a string, including records where it is nil.
    public static func string(
        _ property: KeyPath<Record, String?>, notHasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasPrefix: part, caseSensitive: caseSensitive))
    }

    /// Returns a filter for the records whose property does not end with a string.
    public static func string(
        _ property: KeyPath<Record, String>, notHasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasSuffix: part, caseSensitive: caseSensitive))
    }

    /// Returns a filter for the records whose property does not end with a string, including records where it is nil.
    public static func string(
        _ property: KeyPath<Record, String?>, notHasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasSuffix: part, caseSensitive: caseSensitive))
    }

    // MARK: Regular expressions

    /// Returns a filter for the records whose property contains a match of a regular expression.
    ///
    /// ```swift
    /// let query = User.filter(.regex(\.name) { /^al.*[0-9]$/ })
    /// ```
    ///
    /// A `Regex` must not be shared between threads, but a query may be. So the closure creates a new expression for
    /// each run.
    ///
    /// - Parameters:
    ///   - property: A stored string.
    ///   - pattern: Creates the expression.
    public static func regex<Pattern: RegexComponent & SendableMetatype>(
        _ property: KeyPath<Record, String>, _ pattern: @escaping @Sendable () -> Pattern
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(
                nil, { "matches a regex" },
                matching: {
                    let regex = pattern().regex
                    return { $0.contains(regex) }
                })
        }
    }

    /// Returns a filter for the records whose property contains a match of a regular expression. Nil contains none.
    public static func regex<Pattern: RegexComponent & SendableMetatype>(
        _ property: KeyPath<Record, String?>, _ pattern: @escaping @Sendable () -> Pattern
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(
                nil, { "matches a regex" },
                matching: {
                    let regex = pattern().regex
                    return { $0?.contains(regex) ?? false }
                })
        }
    }

    // MARK: The conditions

    private static func matching(
        _ property: KeyPath<Record, String>, _ pattern: StringPattern, _ bounds: ByteRanges? = nil
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(
                pattern.isCaseSensitive ? bounds : nil, { pattern.description },
                matching: { { pattern.matches($0) } })
        }
    }

    private static func matching(
        _ property: KeyPath<Record, String?>, _ pattern: StringPattern, _ bounds: ByteRanges? = nil
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(
                pattern.isCaseSensitive ? bounds : nil, { pattern.description },
                matching: { { $0.map(pattern.matches) ?? false } })
        }
    }
}

/// A string to find, and its place in the property.
private struct StringPattern: Sendable, CustomStringConvertible {
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
        var text = isCaseSensitive ? string : string.lowercased()
        return text.withUTF8 { text in
            switch place {
            case .hasPrefix: unsafe text.starts(with: bytes)
            case .hasSuffix: unsafe text.suffix(bytes.count).elementsEqual(bytes)
            case .contains: unsafe contains(text)
            }
        }
    }

    private func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        var start = 0
        while text.count - start >= bytes.count {
            if unsafe text[start] == first, unsafe text[start...].starts(with: bytes) { return true }
            start += 1
        }
        return false
    }

    var description: String {
        "\(place.rawValue) \(part.debugDescription)" + (isCaseSensitive ? ", case-sensitive" : "")
    }
}
