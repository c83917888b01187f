// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:931
@IndexKeyRecord("id")
private struct Recipe {
    #FullTextIndex<Recipe>(\.title, \.steps, weights: [3, 1])

    let id: Int
    var title: String
    var steps: String
}

// Docs/Cookbook.md:958
private func attributed(_ snippet: Snippet) -> AttributedString {
    var result = AttributedString(snippet.text)
    #if canImport(Darwin)
    for range in snippet.ranges {
        guard let range = Range(range, in: result) else { continue }
        result[range].inlinePresentationIntent = .stronglyEmphasized
    }
    #endif
    if snippet.isCutAtEnd { result += "…" }
    return snippet.isCutAtStart ? "…" + result : result
}

enum Cookbook_APageOfResults {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:931

        let recipes = try Store.temporary(records: [Recipe.self])
        try recipes.insert(
            Recipe(
                id: 1, title: "Bread & <butter>",
                steps: "Mix flour, water and salt. Wait for a night. Bake the bread in a very hot oven, and eat it with butter."))

        let typed = "bread oven"
        for hit in try Recipe.matching(typed).limit(10).hits(in: recipes) {
            print("<h2>\(hit.snippet(of: \.title, words: .max).marked("<mark>", "</mark>"))</h2>")
            print("<p>\(hit.snippet(of: \.steps, words: 9).marked("<mark>", "</mark>"))</p>")
        }
        // <h2><mark>Bread</mark> &amp; &lt;butter&gt;</h2>
        // <p>…Bake the <mark>bread</mark> in a very hot <mark>oven</mark>, and…</p>
        // Docs/Cookbook.md:974
        for hit in try Recipe.matching(typed).hits(in: recipes) {
            print(hit.snippet(of: \.title).marked("\u{1B}[1m", "\u{1B}[0m", escapesHTML: false))
        }
        _ = recipes
        _ = typed
    }
}
