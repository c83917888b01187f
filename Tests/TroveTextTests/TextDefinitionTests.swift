// Analyzers from their definitions: for programs without the types of a store.

import Testing

@testable import TroveText

@Suite struct TextDefinitionTests {
    private static let builtIn: [TextAnalyzer] =
        [
            .standard, .trigrams, .whole, .standard.keepingMarks(), .standard.keepingMarks(on: "åäö").keepingCase(),
            .whole.keepingCase(), .standard.without(.english).without(.german),
        ] + StopWords.builtIn.map { TextAnalyzer.standard.keepingMarks().without($0) }

    @Test(arguments: builtIn)
    func builtInAnalyzers_areMadeFromTheirDefinitions(_ analyzer: TextAnalyzer) throws {
        let found = try #require(TextAnalyzer(definition: analyzer.definition))
        #expect(found.definition == analyzer.definition)
        #expect(found.terms(TextAnalyzer.probe) == analyzer.terms(TextAnalyzer.probe))
    }

    @Test(arguments: [
        "", "standard", "standard/1", "standard/1#", "standard/1#0000000000000000", "standard/2", "codes/1#0",
        "standard/1+", "standard/1+marks(", "standard/1+without-klingon", "#", "+", "standard/1+case+case",
        TextAnalyzer.standard.without(["a"]).definition,
    ])
    func otherDefinitions_areNotBuiltIn(_ definition: String) {
        #expect(TextAnalyzer(definition: definition) == nil)
    }
}
