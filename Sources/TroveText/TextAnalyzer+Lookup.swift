// Built-in analyzers by their definitions.

extension TextAnalyzer {
    /// Finds the built-in analyzer of an index; nil for an analyzer that only its program knows.
    ///
    /// - Parameter definition: The name, the version and the fingerprint.
    package init?(builtIn definition: String) {
        let known = [TextAnalyzer.standard, .trigrams, .whole].first { $0.definition == definition }
        guard let known else { return nil }
        self = known
    }
}
