// Diagnostics of the macros about `#FullTextIndex`.

import Testing

@testable import TroveMacroExpansion

@Suite("Diagnostics about full-text indexes")
struct FullTextDiagnosticsTests {
    /// Returns a record with more members, from line 3, column 5 on.
    private func record(_ members: String) -> String {
        """
        @IndexKeyRecord("id")
        struct Article {
            \(members)
            let id: String
            var title: String
            var body: String?
            var tags: [String]
            var year: Int
            var author: Author
            var shout: String { title.uppercased() }
        }
        """
    }

    // MARK: Allowed positions

    @Test func fullTextIndexes_belongToRecords() {
        expectDiagnostic(
            .indexOutside("#FullTextIndex"), in: "struct Article { #FullTextIndex<Article>(\\.title) }", line: 1,
            column: 18)
        expectDiagnostic(
            .indexOfValue("#FullTextIndex"),
            in: "@RecordValue struct Author { #FullTextIndex<Author>(\\.name); var name: String }", line: 1, column: 30)
        expectDiagnostic(
            .conditionalMember("'#FullTextIndex'"),
            in: record("#if DEBUG\n    #FullTextIndex<Article>(\\.title)\n    #endif"), line: 4, column: 5)
    }

    @Test func fullTextIndexes_areOfTheirOwnRecord() {
        expectDiagnostic(
            .indexOfAnotherType("#FullTextIndex", "Author", in: "Article"),
            in: record("#FullTextIndex<Author>(\\.title)"), line: 3, column: 20,
            fixIts: [.change("Author", to: "Article")], fixed: record("#FullTextIndex<Article>(\\.title)"))
    }

    /// The record has a diagnostic. Its index has none of its own.
    @Test func genericRecords_areRefusedOnce() {
        let source =
            "@IndexKeyRecord(\"id\") struct Box<T> { #FullTextIndex<Box>(\\.title); let id: Int; var title: String }"
        expectDiagnostic(.genericRecord("Box"), in: source, line: 1, column: 33)
    }

    // MARK: Properties

    @Test func fullTextIndexes_haveProperties() {
        expectDiagnostic(
            .noIndexedProperties("#FullTextIndex"), in: record("#FullTextIndex<Article>()"), line: 3, column: 5)
        expectDiagnostic(
            .noIndexedProperties("#FullTextIndex"), in: record("#FullTextIndex<Article>(weights: [1])"), line: 3,
            column: 5)
    }

    @Test(arguments: ["path", "\\.[0]"])
    func properties_areLiteralKeyPaths(expression: String) {
        expectDiagnostic(
            .indexedNotLiteral("#FullTextIndex"), in: record("#FullTextIndex<Article>(\(expression))"), line: 3,
            column: 29)
    }

    @Test func unknownProperty_suggestsTheNearestName() {
        expectDiagnostic(
            .unknownProperty("titel", in: "Article"), in: record("#FullTextIndex<Article>(\\.titel)"), line: 3,
            column: 31, fixIts: [.change("titel", to: "title")], fixed: record("#FullTextIndex<Article>(\\.title)"))
    }

    @Test func computedProperty_isRefused() {
        expectDiagnostic(
            .computedIndexed("shout"), in: record("#FullTextIndex<Article>(\\.title, \\.shout)"), line: 3, column: 40)
    }

    @Test(
        arguments: [
            "Int", "Date?", "[UUID]", "Set<String>", "[String: String]", "[String]?", "String??", "[String?]",
            "[[String]]", "Optional<Data>", "Array<Int>", "Bool", "(Double)", "Optional<[String]>",
        ])
    func otherTypes_haveNoWords(type: String) {
        let source =
            "@IndexKeyRecord(\"id\") struct Note { #FullTextIndex<Note>(\\.text); let id: Int; var text: \(type) }"
        expectDiagnostic(.notAText("text", type: type), in: source, line: 1, column: 58)
    }

    @Test(
        arguments: [
            "String", "String?", "[String]", "Optional<String>", "Array<String>", "(String)", "Swift.String", "Title",
            "[Title]", "Module.Title?", "Self.Title",
        ])
    func textsAndUnknownTypes_areTaken(type: String) {
        let source =
            "@IndexKeyRecord(\"id\") struct Note { #FullTextIndex<Note>(\\.text); let id: Int; var text: \(type) }"
        #expect(diagnostics(in: source).map(\.message) == [])
    }

    @Test(arguments: ["\\.title.count", "\\.tags[0]", "\\.author.name", "\\.body?.count"])
    func partsOfProperties_areRefused(path: String) throws {
        let property = String(try #require(path.firstMatch(of: #/\w+/#)).0)
        expectDiagnostic(
            .partIndexed(path, of: property), in: record("#FullTextIndex<Article>(\(path))"), line: 3, column: 29,
            fixIts: [.change(path, to: "\\.\(property)")],
            // The author has no words, which the compiler finds out.
            fixed: record("#FullTextIndex<Article>(\\.\(property))"))
    }

    @Test(arguments: ["\\.tags.each", "\\.title.desc", "\\.tags.desc", "\\.tags.each.desc", "\\.year.desc"])
    func words_haveNoDirection_andAreThoseOfAllElements(path: String) throws {
        let property = String(try #require(path.firstMatch(of: #/\w+/#)).0)
        expectDiagnostic(
            .orderOfWords(property), in: record("#FullTextIndex<Article>(\(path))"), line: 3, column: 29,
            fixIts: [.change(path, to: "\\.\(property)")], fixed: record("#FullTextIndex<Article>(\\.\(property))"))
    }

    @Test func oneProperty_isIndexedOnce() {
        expectDiagnostic(
            .repeatedIndexed("#FullTextIndex", "title"), in: record("#FullTextIndex<Article>(\\.title, \\.title)"),
            line: 3, column: 38, fixIts: [.remove("\\.title")], fixed: record("#FullTextIndex<Article>(\\.title)"))
    }

    @Test func anIndex_hasAtMost15Properties() {
        func source(_ count: Int) -> String {
            let paths = (0..<count).map { "\\.p\($0 + 10)" }.joined(separator: ", ")
            let properties = (0..<count).map { "var p\($0 + 10): String" }.joined(separator: "; ")
            return "@IndexKeyRecord(\"id\") struct Form { #FullTextIndex<Form>(\(paths)); let id: Int; \(properties) }"
        }
        expectDiagnostics([], in: source(15))
        expectDiagnostic(.tooManyTexts, in: source(16), line: 1, column: 58 + 15 * 7)
        expectDiagnostic(.tooManyTexts, in: source(18), line: 1, column: 58 + 15 * 7)
    }

    // MARK: Other arguments

    @Test(arguments: [("[1]", 2), ("[1, 2, 3]", 2), ("[1, 2]", 1)])
    func eachProperty_hasAWeight(weights: String, count: Int) {
        let paths = ["\\.title", "\\.body"].prefix(count).joined(separator: ", ")
        let start = "#FullTextIndex<Article>(\(paths), weights: "
        expectDiagnostic(
            .otherNumberOfWeights(count), in: record("\(start)\(weights))"), line: 3, column: 5 + start.count)
    }

    @Test(arguments: [("[1, -1]", "-1"), ("[1_001, 1]", "1_001"), ("[1, 1e9]", "1e9"), ("[-0.5, 1]", "-0.5")])
    func weights_haveARange(weights: String, wrong: String) throws {
        let start = "#FullTextIndex<Article>(\\.title, \\.body, weights: "
        let offset = try #require(weights.firstRange(of: wrong)).lowerBound
        expectDiagnostic(
            .weightOutOfRange(wrong), in: record("\(start)\(weights))"), line: 3,
            column: 5 + start.count + weights.distance(from: weights.startIndex, to: offset))
    }

    @Test(arguments: ["[]", "[0, 1000]", "[1_000.0, 0.5]", "Self.weights", "[base, 2 * base]"])
    func otherWeights_areTaken(weights: String) {
        expectDiagnostics([], in: record("#FullTextIndex<Article>(\\.title, \\.body, weights: \(weights))"))
    }

    @Test(arguments: ["isRecent", "\\.isRecent"])
    func conditions_areClosures(expression: String) {
        expectDiagnostic(
            .conditionNotClosure("#FullTextIndex"),
            in: record("#FullTextIndex<Article>(\\.title, where: \(expression))"),
            line: 3, column: 45)
    }

    // MARK: Duplicates

    @Test(
        arguments: [
            ("", ", where: nil"), ("", ", weights: [2]"), ("", ", keepsOrder: false"), ("", ", analyzer: .standard"),
            (", analyzer: TextAnalyzer.trigrams", ", analyzer: .trigrams, weights: [3]"),
            (", where: { $0.year > 1 }", ", where: { $0.year>1 }"),
        ])
    func indexes_areDeclaredOnce(first: String, second: String) {
        let (first, second) = (
            "#FullTextIndex<Article>(\\.title\(first))", "#FullTextIndex<Article>(\\.title\(second))"
        )
        expectDiagnostic(
            .duplicateTextIndex, in: record("\(first)\n    \(second)"), line: 4, column: 5, fixIts: [.remove(second)],
            fixed: record(first))
    }

    @Test(
        arguments: [
            "\\.title, analyzer: .trigrams", "\\.title, \\.body", "\\.body", "\\.title, where: { $0.year > 1 }",
            "\\.id",
        ])
    func anyOtherWords_makeAnotherIndex(arguments: String) {
        expectDiagnostics(
            [], in: record("#FullTextIndex<Article>(\\.title)\n    #FullTextIndex<Article>(\(arguments))"))
        expectDiagnostics([], in: record("#Index<Article>(\\.title)\n    #FullTextIndex<Article>(\\.title)"))
    }
}
