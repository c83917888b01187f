// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:875
@IndexKeyRecord("id")
private struct Recipe {
    #FullTextIndex<Recipe>(\.title, \.steps, weights: [3, 1])

    let id: Int
    var title: String
    var steps: String
}

// Docs/Cookbook.md:892
private struct Answer {
    var completions: [String] = []
    var titles: [String] = []
    var didYouMean: String?
}

// Docs/Cookbook.md:898
private func answer(to typed: String, in store: Store) throws -> Answer {
    try store.read { context in
        var answer = Answer()
        if let last = typed.split(separator: " ", omittingEmptySubsequences: false).last, !last.isEmpty {
            answer.completions = try context.words(of: Recipe.self, beginning: String(last), limit: 5).map(\.word)
        }
        let query = Recipe.matching(TextQuery(typed, lastIsPrefix: true)).limit(10)
        answer.titles = try query.select(\.title).resolve(in: context)
        if answer.titles.isEmpty, let best = try context.suggestions(for: typed, of: Recipe.self, limit: 1).first {
            answer.didYouMean = best.text
            answer.titles = try Recipe.matching(best.text).limit(10).select(\.title).resolve(in: context)
        }
        return answer
    }
}

enum Cookbook_SearchAsYouType {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:875

        let kitchen = try Store.temporary(records: [Recipe.self])
        try kitchen.insert(contentsOf: [
            Recipe(id: 1, title: "Tomato soup", steps: "Chop tomatoes, simmer, and season with basil."),
            Recipe(id: 2, title: "Basil pesto", steps: "Grind basil, garlic and pine nuts."),
            Recipe(id: 3, title: "Garlic bread", steps: "Toast bread with garlic butter."),
        ])

        /// What a search box shows after a keystroke.


        for typed in ["ba", "garlic b", "galric braed"] {
            let answer = try answer(to: typed, in: kitchen)
            print(answer.completions, answer.titles, answer.didYouMean ?? "-")
        }
        // ["basil"] ["Basil pesto", "Tomato soup"] -
        // ["basil", "bread", "butter"] ["Garlic bread", "Basil pesto"] -
        // [] ["Garlic bread"] garlic bread
        _ = kitchen
    }
}
