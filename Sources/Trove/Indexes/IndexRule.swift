// The rule of an index whose kind needs more than columns and a condition.

/// The rule of an index for the code of its kind, such as the analyzer of a full-text index.
protocol IndexRule: AnyObject, Sendable {
    /// The analyzer in the definition of the index. All else of a rule is a matter of queries.
    var definedAnalyzer: IndexDefinition.Analyzer { get }

    /// Whether the index needs the keys of records alone, and none of their properties.
    var needsKeysOnly: Bool { get }
}
