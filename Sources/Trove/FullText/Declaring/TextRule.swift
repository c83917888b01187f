// The rule of a full-text index: analyzer, order, weights.

import TroveText

/// The rule of a full-text index: the analysis of texts, and the rows that are kept of them.
@usableFromInline
final class TextRule: Hashable, Sendable {
    let analyzer: TextAnalyzer
    /// The analyzer in the index's definition.
    let analyzerText: String
    /// Whether documents keep the order of their words.
    let keepsOrder: Bool
    /// The weights of the properties in scores; at least 0.
    let weights: [Double]
    /// The source of the texts; nil if they are properties of the records.
    let gathering: TextGathering?

    @usableFromInline
    init(
        _ analyzer: TextAnalyzer, keepsOrder: Bool, weights: [Double], fields: Int, gathering: TextGathering? = nil
    ) {
        self.analyzer = analyzer
        self.gathering = gathering
        analyzerText = analyzer.definition
        self.keepsOrder = keepsOrder && (gathering != nil || !analyzer.makesAllTrigrams)
        let known = weights.prefix(fields).map(Self.weight)
        self.weights = known + Array(repeating: 1, count: fields - known.count)
    }

    /// Whether phrases are searched in the texts of the records: the order of all trigrams is the order of a text.
    var searchesTexts: Bool { gathering == nil && analyzer.makesAllTrigrams }

    /// Whether phrases can be searched.
    var findsPhrases: Bool { keepsOrder || searchesTexts }

    /// Returns a weight between its bounds.
    static func weight(_ weight: Double) -> Double { weight.isNaN ? 1 : min(max(weight, 0), 1_000) }

    /// Compares the parts of an index's definition. Weights are a matter of queries.
    @usableFromInline
    static func == (left: TextRule, right: TextRule) -> Bool {
        left.analyzerText == right.analyzerText && left.keepsOrder == right.keepsOrder
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(analyzerText)
        hasher.combine(keepsOrder)
    }
}
