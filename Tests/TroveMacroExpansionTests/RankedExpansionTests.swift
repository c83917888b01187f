// The expansion of `#Index` with `ranked:`, and its diagnostics.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of ranked indexes")
struct RankedExpansionTests {
    /// Returns a record with indexes.
    private func player(_ indexes: String) -> String {
        """
        @IndexKeyRecord("id")
        struct Player {
            \(indexes)
            let id: Int
            var score: Int
            var tags: [String]
        }
        """
    }

    private let score = "Trove.IndexedProperty(\"score\", \\.score, Trove.fieldCoding(of: Int.self)) { $0.score }"
    private let id = "Trove.IndexedProperty(\"id\", \\.id, Trove.fieldCoding(of: Int.self)) { $0.id }"

    @Test func ranked_isWrittenOut() {
        expectIndexes(of: player("#Index<Player>(\\.score, ranked: true)"), ".index([ \(score) ], ranked: true)")
        expectIndexes(of: player("#Index<Player>(\\.score, ranked: false)"), ".index([ \(score) ])")
        let condition =
            "where: Trove.IndexCondition(\"{ $0.id > 3 }\", filter: \\.id > 3, isExact: true) { $0.id > 3 }"
        expectIndexes(
            of: player("#Index<Player>(\\.score, ranked: true) { $0.id > 3 }"),
            ".index([ \(score) ], ranked: true, \(condition))")
    }

    /// The key has the order of the index, and no counts.
    @Test func ranksByTheKey_areNotRedundant() {
        expectIndexes(of: player("#Index<Player>(\\.id, ranked: true)"), ".index([ \(id) ], ranked: true)")
    }

    @Test func elements_haveNoRanks() {
        expectDiagnostic(
            .rankedElements, in: player("#Index<Player>(\\.tags.each, ranked: true)"), line: 3, column: 20,
            fixIts: [.change("\\.tags.each", to: "\\.tags")])
    }

    /// A ranked index does all that an index does.
    @Test func anIndexBesideARankedOne_isDeclaredTwice() {
        let second = "#Index<Player>(\\.score, ranked: true)"
        expectDiagnostic(
            .duplicateIndex("#Index"), in: player("#Index<Player>(\\.score)\n    \(second)"), line: 4, column: 5,
            fixIts: [.remove(second)])
    }
}
