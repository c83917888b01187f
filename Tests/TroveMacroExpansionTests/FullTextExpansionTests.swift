// The expansion of `#FullTextIndex` to elements of `indexes`.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of full-text indexes")
struct FullTextExpansionTests {
    /// Returns a record with indexes.
    private func article(_ indexes: String) -> String {
        """
        @IndexKeyRecord("id")
        struct Article {
            \(indexes)
            let id: String
            var title: String
            var `class`: String?
            var tags: [String]
            var year: Int
            enum CodingKeys: String, CodingKey { case id, title = "headline", `class`, tags, year }
        }
        """
    }

    private let title = "Trove.TextProperty(\"headline\", \\.title) { $0.title }"

    @Test func properties_haveTheirStoredNames_inOrder() {
        expectIndexes(
            of: article("#FullTextIndex<Article>(\\.title, \\.`class`, \\.tags, \\.id)"),
            """
            .fullText([
                \(title),
                Trove.TextProperty("class", \\.`class`) { $0.`class` },
                Trove.TextProperty("tags", \\.tags) { $0.tags },
                Trove.TextProperty("id", \\.id) { $0.id }
            ])
            """)
    }

    @Test(
        arguments: [
            "#FullTextIndex<Article>(\\.title)", "#FullTextIndex(\\Article.title)", "#FullTextIndex<Self>(\\.title)",
            "#FullTextIndex<Module.Article>(\\Module.Article.title)", "#FullTextIndex<Article>(\\.title, where: nil)",
        ])
    func properties_areFoundInEverySpelling(index: String) {
        expectIndexes(of: article(index), ".fullText([ \(title) ])")
    }

    @Test func options_areAsTheyAreWritten() {
        expectIndexes(
            of: article(
                """
                #FullTextIndex<Article>(\\.title, \\.tags, analyzer: .standard.without(.english), weights: [3, 0.5],
                        keepsOrder: false, where: { $0.year > 3 })
                """),
            """
            .fullText([ \(title), Trove.TextProperty("tags", \\.tags) { $0.tags } ],
                analyzer: .standard.without(.english), weights: [3, 0.5], keepsOrder: false,
                where: Trove.IndexCondition("{ $0.year > 3 }", filter: \\.year > 3, isExact: true) { $0.year > 3 })
            """)
    }

    @Test func aCondition_mayTrail() {
        expectIndexes(
            of: article("#FullTextIndex<Article>(\\.title) { !$0.tags.isEmpty }"),
            """
            .fullText([ \(title) ], where: Trove.IndexCondition("{ !$0.tags.isEmpty }") { !$0.tags.isEmpty })
            """)
    }

    @Test func indexesOfAllKinds_standInTheirOrder() {
        expectIndexes(
            of: article(
                "#FullTextIndex<Article>(\\.title)\n#Index<Article>(\\.year)\n#FullTextIndex<Article>(\\.tags)"),
            """
            .fullText([ \(title) ]),
            .index([ Trove.IndexedProperty("year", \\.year, Trove.fieldCoding(of: Int.self)) { $0.year } ]),
            .fullText([ Trove.TextProperty("tags", \\.tags) { $0.tags } ])
            """)
    }

    @Test func aWrongIndex_isLeftOut() {
        expectIndexes(
            of: article("#FullTextIndex<Article>(\\.year)\n#FullTextIndex<Article>(\\.title)"),
            ".fullText([ \(title) ])")
    }

    @Test func entities_haveFullTextIndexes() {
        let text = expansion(
            of: "@EntityModel struct Post { #FullTextIndex<Post>(\\.body); let id: Int; var body: String }")
        #expect(text.contains("Trove.TextProperty(\"body\", \\.body) {"), "\(text)")
    }
}
