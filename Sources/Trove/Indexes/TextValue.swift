// The types of properties whose words are indexed.

import TroveCoding

/// A text, or several texts: a property of a full-text index.
///
/// `String`, `String?` and `[String]` conform. Do not add conformances of your own. The requirement has an underscore,
/// so that completion and diagnostics do not propose it as a member of `String`, `Optional` and `Array`.
public protocol TextValue: RecordValue {
    /// Calls a closure with each of the texts, in order. Phrases do not cross from one to the next.
    func _forEachText(_ body: (String) -> Void)
}

extension String: TextValue {
    /// Calls a closure with the string.
    public func _forEachText(_ body: (String) -> Void) { body(self) }
}

extension Optional: TextValue where Wrapped == String {
    /// Calls a closure with the string; nil is no text.
    public func _forEachText(_ body: (String) -> Void) { if let self { body(self) } }
}

extension Array: TextValue where Element == String {
    /// Calls a closure with each of the strings.
    public func _forEachText(_ body: (String) -> Void) { forEach(body) }
}
