// The rule of a full-text index: analyzer, order, weights.

import TroveText

/// The rule of a full-text index: the analysis of texts, and the rows that are kept of them.
@usableFromInline
final class TextRule: Hashable, IndexRule {
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

    var definedAnalyzer: IndexDefinition.Analyzer {
        IndexDefinition.Analyzer(text: analyzerText, keepsOrder: keepsOrder)
    }

    var needsKeysOnly: Bool { gathering != nil }

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

extension IndexDescriptor {
    /// The rule of a full-text index; nil for other kinds.
    var rule: TextRule? { kindRule as? TextRule }

    /// Whether the index has the words of all records' own texts.
    var hasAllWords: Bool { !isPartial && !needsKeysOnly && rule?.analyzer.makesWords == true }
}

extension RecordSchema {
    /// Whether the type has full-text indexes.
    var hasTexts: Bool { indexes.contains { $0.kind == .fullText } }

    /// The indexes of gathered text, by their positions among the indexes of the type.
    var gatherings: [(place: Int, index: IndexDescriptor, gathering: TextGathering)] {
        indexes.enumerated().compactMap { place, index in
            index.rule?.gathering.map { (place, index, $0) }
        }
    }
}
