// A number and its noun, in the singular or the plural.

/// Returns a number and its noun, such as `1 difference` or `1,000 differences`.
///
/// - Parameter plural: The plural, if it is not the singular with an `s`.
package func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count.grouped) \(count == 1 ? singular : plural ?? singular + "s")"
}
