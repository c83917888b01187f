// Analyzers from the definitions of stored indexes.

extension TextAnalyzer {
    /// Creates the built-in analyzer of a definition, such as `standard/1+case#0123456789abcdef`.
    ///
    /// Returns nil for the analyzers of an application, also for its stop words and stemmers, and for a built-in
    /// analyzer of another version.
    package init?(definition: String) {
        let parts = definition.prefix { $0 != "#" }.split(separator: "+")
        let bases = [TextAnalyzer.standard, .trigrams, .whole]
        guard var analyzer = bases.first(where: { parts.first == $0.description[...] }) else { return nil }
        for part in parts.dropFirst() {
            guard let changed = analyzer.changed(by: String(part)) else { return nil }
            analyzer = changed
        }
        guard analyzer.definition == definition else { return nil }
        self = analyzer
    }

    /// Returns the analyzer of a definition: one of some analyzers, or a built-in one. Nil if there is none.
    package init?(definition: String, among analyzers: [TextAnalyzer]) {
        let rule = definition.prefix { $0 != "#" }
        // The fingerprint takes some hundreds of microseconds.
        if let own = analyzers.first(where: { $0.description == rule && $0.definition == definition }) {
            self = own
        } else {
            self.init(definition: definition)
        }
    }

    private func changed(by change: String) -> TextAnalyzer? {
        switch change {
        case "marks": keepingMarks()
        case "case": keepingCase()
        case _ where change.hasPrefix("marks("): keepingMarks(on: String(change.dropFirst(6).dropLast()))
        default: StopWords.builtIn.first { "without-\($0.names[0])" == change }.map { without($0) }
        }
    }
}
