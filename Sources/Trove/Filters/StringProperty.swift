// The types of properties for string filters.

import TroveCoding

/// A string or an optional string, as a property for the string filters of ``Filter``.
///
/// `String` and `String?` conform. Do not add conformances of your own. The requirement has an underscore, so that
/// completion and diagnostics do not propose it as a member of `String` and `Optional`.
public protocol StringProperty: PrefixKeyComponent {
    /// Creates the value of a string.
    init(_ string: String)

    /// Tests the strings of several values. Nil fails every test.
    ///
    /// - Returns: A bit for each value whose string passes the test, the lowest bit for the first value.
    static func _matches(in values: [Self], _ test: (String) -> Bool) -> UInt64
}

extension String: StringProperty {
    /// Tests several strings.
    public static func _matches(in values: [String], _ test: (String) -> Bool) -> UInt64 {
        var found: UInt64 = 0
        for (index, value) in values.enumerated() where test(value) { found |= 1 &<< UInt64(index) }
        return found
    }
}

extension Optional: StringProperty where Wrapped == String {
    /// Tests the strings of several optionals.
    public static func _matches(in values: [String?], _ test: (String) -> Bool) -> UInt64 {
        var found: UInt64 = 0
        for (index, value) in values.enumerated() {
            if let value, test(value) { found |= 1 &<< UInt64(index) }
        }
        return found
    }
}
