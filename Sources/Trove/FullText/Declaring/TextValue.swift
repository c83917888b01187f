// The types of properties whose words are indexed.

import TroveCoding

/// A text, or several texts: a property of a full-text index.
///
/// `String`, `String?` and `[String]` conform. Do not add conformances of your own.
public protocol TextValue: RecordValue {
    /// Calls a closure with each of the texts, in order. Phrases do not cross from one to the next.
    func forEachText(_ body: (String) -> Void)
}

extension String: TextValue {
    /// Calls a closure with the string.
    public func forEachText(_ body: (String) -> Void) { body(self) }
}

extension Optional: TextValue where Wrapped == String {
    /// Calls a closure with the string; nil is no text.
    public func forEachText(_ body: (String) -> Void) { if let self { body(self) } }
}

extension Array: TextValue where Element == String {
    /// Calls a closure with each of the strings.
    public func forEachText(_ body: (String) -> Void) { forEach(body) }
}
