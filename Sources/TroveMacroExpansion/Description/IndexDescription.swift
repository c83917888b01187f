// An index or a unique constraint, for the generators.

/// An index declared by a macro such as `#Index`.
struct IndexDescription: Equatable {
    var kind: IndexMacroKind
    /// The properties in the sort order, the most important first.
    var properties: [IndexedPropertyDescription]
    /// The properties that totals add up.
    var numbers: [IndexedPropertyDescription] = []
    /// Whether the index counts its entries, in its source spelling; nil if it does not.
    var ranked: String?
    /// The rule for a second record with the same values, in its source spelling; nil for an index that is not unique.
    var collisions: String?
    /// The arguments of a full-text index in their source spelling, such as `analyzer: .standard`.
    var textOptions: [String] = []
    /// The gathered text of a full-text index; nil for the texts of its properties.
    var gathered: GatheredTextDescription?
    /// The condition for a record to be in the index; nil for all records.
    var condition: ConditionDescription?

    /// Returns whether two indexes have the same entries. Full-text indexes with the same words have the same name,
    /// also if their weights differ, or if only one of them keeps the order of words.
    /// Gathered texts have the name that is declared.
    func hasSameEntries(as other: Self) -> Bool {
        if gathered != nil || other.gathered != nil { return kind == other.kind && textName == other.textName }
        return hasSameProperties(as: other)
    }

    /// The name of a full-text index; nil if it has more than the names of properties.
    private var textName: String? {
        if let gathered { return gathered.name }
        guard condition == nil, analyzer == ".standard" else { return nil }
        return properties.map(\.property.storedName).joined(separator: ",")
    }

    private func hasSameProperties(as other: Self) -> Bool {
        kind == other.kind && properties == other.properties && numbers == other.numbers
            && condition?.text == other.condition?.text && analyzer == other.analyzer
    }

    /// The analyzer of a full-text index in its source spelling.
    private var analyzer: Substring {
        let label = "analyzer: "
        let analyzer = textOptions.first { $0.hasPrefix(label) }?.dropFirst(label.count) ?? ".standard"
        let type = "TextAnalyzer"
        return analyzer.hasPrefix(type + ".") ? analyzer.dropFirst(type.count) : analyzer
    }
}
