// The expansion of `#FullTextIndex` of gathered text, and its diagnostics.

import Foundation
import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of gathered text")
struct GatheredTextExpansionTests {
    private func post(_ indexes: String) -> String {
        """
        @IndexKeyRecord("id")
        struct Post {
            \(indexes)
            let id: Int
            var title: String
            var body: String
        }
        """
    }

    private let closure = "{ keys, context in try texts(of: keys, in: context) }"

    @Test(
        arguments: [
            "#FullTextIndex<Post>(\"Index\", gathering: { keys, context in try texts(of: keys, in: context) })",
            "#FullTextIndex<Post>(\"Index\") { keys, context in try texts(of: keys, in: context) }",
            "#FullTextIndex<Self>(\"Index\", gathering: { keys, context in try texts(of: keys, in: context) })",
        ])
    func gatheredText_hasItsNameAndItsClosure(_ index: String) {
        expectIndexes(of: post(index), ".fullText(\"Index\", gathering: \(closure))")
    }

    @Test func options_areAsTheyAreWritten() {
        expectIndexes(
            of: post(
                """
                #FullTextIndex<Post>("a b", analyzer: .trigrams, version: 3, gathering: { _, store in
                        try await load(store)
                    })
                """),
            """
            .fullText("a b", analyzer: .trigrams, version: 3, gathering: { _, store in
                    try await load(store)
                })
            """)
    }

    @Test func gatheredText_standsBesideOthers() {
        expectIndexes(
            of: post("#FullTextIndex<Post>(\\.title)\n#FullTextIndex<Post>(\"Index\", gathering: texts)"),
            """
            .fullText([ Trove.TextProperty("title", \\.title) { $0.title } ]),
            .fullText("Index", gathering: texts)
            """)
    }

    // MARK: Diagnostics

    private func expect(_ index: String, _ message: MacroDiagnostic, at text: String) throws {
        let place = try #require(index.range(of: text, options: .backwards)).lowerBound
        let column = 5 + index.distance(from: index.startIndex, to: place)
        expectDiagnostic(message, in: post(index), line: 3, column: column)
    }

    @Test(arguments: ["\"\"", "name", "\"a\\(1)\"", "\\.title"])
    func name_isALiteral(_ name: String) throws {
        try expect("#FullTextIndex<Post>(\(name), gathering: { _, _ in [:] })", .textNameNotLiteral, at: name)
    }

    @Test func gatheredText_hasAClosure() throws {
        try expect("#FullTextIndex<Post>(\"Index\")", .noGathering, at: "#FullTextIndex<Post>(\"Index\")")
    }

    @Test(arguments: ["Post(id: 1)", "Post.select(in: context)"])
    func closure_usesNoGeneratedMember(_ use: String) throws {
        let called = String(use.prefix { $0 != "(" })
        try expect(
            "#FullTextIndex<Post>(\"Index\", gathering: { _, context in texts(\(use)) })",
            .gatheringBeforeMembers(called, in: "Post"), at: called)
    }

    @Test(
        arguments: [
            ("#FullTextIndex<Post>(\"Index\", gathering: a)", "#FullTextIndex<Post>(\"Index\", gathering: b)"),
            ("#FullTextIndex<Post>(\\.title)", "#FullTextIndex<Post>(\"title\", gathering: b)"),
            ("#FullTextIndex<Post>(\"title\", gathering: b)", "#FullTextIndex<Post>(\\.title)"),
            ("#FullTextIndex<Post>(\\.title, \\.body)", "#FullTextIndex<Post>(\"title,body\", gathering: b)"),
        ])
    func names_areDistinct(_ first: String, _ second: String) {
        let name = (first + second).split(separator: "\"")[1]
        expectDiagnostic(
            .textNameTaken(String(name)), in: post("\(first)\n    \(second)"), line: 4, column: 5)
    }
}
