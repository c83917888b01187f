// What filters ask of strings.

import TroveCoding

extension Filter {
    /// The records whose property has a string in it.
    ///
    /// - Parameters:
    ///   - property: A stored string.
    ///   - part: What to look for.
    ///   - caseSensitive: Whether upper and lower case differ. Unless they do, both strings are compared in lower case.
    public static func string(
        _ property: KeyPath<Record, String>, contains part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.contains, part, caseSensitive))
    }

    /// The records whose property has a string in it; nil has none.
    public static func string(
        _ property: KeyPath<Record, String?>, contains part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.contains, part, caseSensitive))
    }

    /// The records whose property begins with a string.
    ///
    /// With `caseSensitive: true` that is a range of keys, where the property is in the key.
    public static func string(
        _ property: KeyPath<Record, String>, hasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasPrefix, part, caseSensitive), ByteRanges(.hasPrefix(part)))
    }

    /// The records whose property begins with a string; nil does not.
    public static func string(
        _ property: KeyPath<Record, String?>, hasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasPrefix, part, caseSensitive), ByteRanges(.hasPrefix(Optional(part))))
    }

    /// The records whose property ends with a string.
    public static func string(
        _ property: KeyPath<Record, String>, hasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasSuffix, part, caseSensitive))
    }

    /// The records whose property ends with a string; nil does not.
    public static func string(
        _ property: KeyPath<Record, String?>, hasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        matching(property, StringPattern(.hasSuffix, part, caseSensitive))
    }

    // MARK: Negated

    /// The records whose property has no such string in it.
    public static func string(
        _ property: KeyPath<Record, String>, notContains part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, contains: part, caseSensitive: caseSensitive))
    }

    /// The records whose property has no such string in it, those where it is nil among them.
    public static func string(
        _ property: KeyPath<Record, String?>, notContains part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, contains: part, caseSensitive: caseSensitive))
    }

    /// The records whose property begins otherwise.
    public static func string(
        _ property: KeyPath<Record, String>, notHasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasPrefix: part, caseSensitive: caseSensitive))
    }

    /// The records whose property begins otherwise, those where it is nil among them.
    public static func string(
        _ property: KeyPath<Record, String?>, notHasPrefix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasPrefix: part, caseSensitive: caseSensitive))
    }

    /// The records whose property ends otherwise.
    public static func string(
        _ property: KeyPath<Record, String>, notHasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasSuffix: part, caseSensitive: caseSensitive))
    }

    /// The records whose property ends otherwise, those where it is nil among them.
    public static func string(
        _ property: KeyPath<Record, String?>, notHasSuffix part: String, caseSensitive: Bool = false
    ) -> Filter {
        .not(.string(property, hasSuffix: part, caseSensitive: caseSensitive))
    }

    // MARK: Regular expressions

    /// The records in whose property a regular expression finds something.
    ///
    /// ```swift
    /// let query = User.filter(.regex(\.name) { /^al.*[0-9]$/ })
    /// ```
    ///
    /// A `Regex` must not be shared between threads, and a query may be: so the closure makes one for each run.
    ///
    /// - Parameters:
    ///   - property: A stored string.
    ///   - pattern: Makes the expression.
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

    /// The records in whose property a regular expression finds something; in nil it does not.
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

/// What a string is to have in it, and where.
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
