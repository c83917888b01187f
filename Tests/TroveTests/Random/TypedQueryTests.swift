import Testing
import TroveTestSupport

@testable import Trove

/// Typed queries: every row of the language, and every text.
@Suite struct TypedQueryTests {
    private func clause(_ text: String, _ joining: WordJoining = .all, lastIsPrefix: Bool = false) -> TextClause {
        TypedQuery(text, fields: ["title", "body"], joining: joining, lastIsPrefix: lastIsPrefix).clause
    }

    private let a = TextClause.phrase("a")
    private let b = TextClause.phrase("b")
    private let c = TextClause.phrase("c")

    @Test func words_areAllRequired() {
        #expect(clause("swift") == .phrase("swift"))
        #expect(clause("a b") == .all([a, b]))
        #expect(clause("a b", .any) == .any([a, b]))
        #expect(clause("can't 3.14") == .all([.phrase("can't"), .phrase("3.14")]))
        #expect(clause("\u{3000}a\u{A0}b\n\tc ") == .all([a, b, c]))
    }

    @Test func quotes_makePhrases() {
        #expect(clause("\"once upon\"") == .phrase("once upon"))
        #expect(clause("\"once upon\"~2") == .phrase("once upon", slop: 2))
        #expect(clause("“once upon” a") == .all([.phrase("once upon"), a]))
        #expect(clause("\"once upon") == .phrase("once upon"))
        #expect(clause("a\"b\"c") == .all([a, b, c]))
        #expect(clause("\"a OR b\"") == .phrase("a OR b"))
        #expect(clause("\"a\"~99999999999999999999") == .phrase("a", slop: 1_000_000))
        #expect(clause("\"\" \"") == .nothing)
    }

    @Test func alternatives_bindLooserThanWordsBesideEachOther() {
        #expect(clause("a OR b") == .any([a, b]))
        #expect(clause("a | b") == .any([a, b]))
        #expect(clause("a||b") == .any([a, b]))
        #expect(clause("a b OR c") == .any([.all([a, b]), c]))
        #expect(clause("a AND b OR c") == .any([.all([a, b]), c]))
        #expect(clause("a b AND c", .any) == .any([a, .all([b, c])]))
        #expect(clause("| a |") == a)
    }

    @Test func operators_areWordsWhereTheyHaveNoOperands() {
        #expect(clause("OR a") == .all([.phrase("OR"), a]))
        #expect(clause("a OR") == .all([a, .phrase("OR")]))
        #expect(clause("a OR OR b") == .any([a, .all([.phrase("OR"), b])]))
        #expect(clause("NOT") == .phrase("NOT"))
        #expect(clause("a or b") == .all([a, .phrase("or"), b]))
        #expect(clause("a AND") == .all([a, .phrase("AND")]))
        #expect(clause("\"OR\"") == .phrase("OR"))
    }

    @Test func excludedWords() {
        #expect(clause("a -b") == .excluding(a, b))
        #expect(clause("a NOT b") == .excluding(a, b))
        #expect(clause("-b a -c") == .excluding(a, .any([b, c])))
        #expect(clause("-a") == .excluding(.everything, a))
        #expect(clause("a OR -b") == .any([a, .excluding(.everything, b)]))
        #expect(clause("a OR NOT b") == .any([a, .excluding(.everything, b)]))
        #expect(clause("well-known a - b") == .all([.phrase("well-known"), a, .phrase("-"), b]))
        #expect(clause("-(a b)") == .excluding(.everything, .all([a, b])))
        #expect(clause("a AND -b", .any) == .excluding(a, b))
    }

    @Test func requiredWords_matterWithAny() {
        #expect(clause("+a b", .any) == .preferring(a, b))
        #expect(clause("+a b", .all) == .all([a, b]))
        #expect(clause("+a +b c -d", .any) == .excluding(.preferring(.all([a, b]), c), .phrase("d")))
    }

    @Test func groups() {
        #expect(clause("(a OR b) c") == .all([.any([a, b]), c]))
        #expect(clause("a(b OR c)") == .all([a, .any([b, c])]))
        #expect(clause("(a b)^2") == .boosted(.all([a, b]), 2))
        #expect(clause("()") == .nothing)
        #expect(clause("a ) b") == .all([a, b]))
        #expect(clause("a (b OR c") == .any([.all([a, b]), c]))
        let deep = String(repeating: "(", count: 40) + "a" + String(repeating: ")", count: 40)
        #expect(clause(deep) == a)
    }

    @Test func properties() {
        #expect(clause("title:a") == .within(["title"], a))
        #expect(clause("title:(a b) c") == .all([.within(["title"], .all([a, b])), c]))
        #expect(clause("title:\"a b\"") == .within(["title"], .phrase("a b")))
        #expect(clause("-title:a") == .excluding(.everything, .within(["title"], a)))
        #expect(clause("10:30 http://x title:") == .all([.phrase("10:30"), .phrase("http://x"), .phrase("title:")]))
        #expect(clause("title:body:a") == .within(["body"], a))
    }

    @Test func suffixes() {
        #expect(clause("dat*") == .prefix("dat"))
        #expect(clause("\"ordered sto*\"") == .prefix("ordered sto"))
        #expect(clause("* a") == a)
        #expect(clause("databse~") == .fuzzy("databse", edits: nil))
        #expect(clause("databse~1^2") == .boosted(.fuzzy("databse", edits: 1), 2))
        #expect(clause("ab~ abc~3") == .all([.fuzzy("ab", edits: nil), .phrase("abc")]))
        // No edits: the word as it is written.
        #expect(clause("swift~0") == .phrase("swift"))
        #expect(clause("swift~0^2") == .boosted(.phrase("swift"), 2))
        #expect(clause("\"a b\"~") == .phrase("a b"))
        #expect(clause("\"a b\"~0") == .phrase("a b"))
        #expect(clause("a^2.5") == .boosted(a, 2.5))
        #expect(clause("a^1001 b^ c^x") == .all([a, b, .phrase("c^x")]))
        #expect(clause("a^1e3") == .phrase("a^1e3"))
    }

    @Test func namesAndNumbers_haveTheirPlaces() {
        let text = "title:a^2 \"b c\"~3^4 (d)~5^6 e* body: f~x 7 title:body:g~ \"title:h~1\""
        let typed = TypedText(text, fields: ["title", "body"], lastIsPrefix: false)
        let places = typed.signRanges.map { text[$0] }
        #expect(places == ["title:", "^2", "~3", "^4", "~5", "^6", "body:", "title:", "body:", "~"])
    }

    @Test func lastWord_isABeginningUnlessASpaceFollows() {
        #expect(clause("a b", lastIsPrefix: true) == .all([a, .prefix("b")]))
        #expect(clause("a b ", lastIsPrefix: true) == .all([a, b]))
        #expect(clause("a \"b c", lastIsPrefix: true) == .all([a, .prefix("b c")]))
        #expect(clause("a \"b c\"", lastIsPrefix: true) == .all([a, .phrase("b c")]))
    }

    @Test func nothing() {
        for text in ["", " \n", "()", "*", "\"", "||", "( | )"] { #expect(clause(text) == .nothing) }
    }

    @Test func wordsBeyondTheLimit_areLeftOutAndCounted() {
        let words = (0..<200).map { "w\($0)" }
        let query = TypedQuery(words.joined(separator: " "))
        #expect(query.clause == .all(words.prefix(128).map { .phrase($0) }))
        #expect(query.omittedWordCount == 72)
        let phrase = TypedQuery("\"\(words.joined(separator: " "))\" more")
        #expect(phrase.clause == .phrase(words.prefix(128).joined(separator: " ")))
        #expect(phrase.omittedWordCount == 73)
    }

    /// Reads long texts that a quadratic reader, or a recursion without a limit, would not survive.
    @Test(arguments: ["(", ")", "(a", "title:", "-", "+", "NOT ", "a OR ", "|", "\"", "a", "~", "^2", "* "])
    func longTexts(_ part: String) {
        let count = 200_000
        let query = TypedQuery(String(repeating: part, count: count), fields: ["title"])
        #expect(query.omittedWordCount <= count)
        #expect(query.clause.description.utf8.count <= 3 * count + 1_000)
    }

    /// A number after a word without quotes would be a number of edits.
    @Test func aWordWithSlop_isPrintedInQuotes() {
        #expect(TextClause.phrase("word", slop: 10).description == "\"word\"~10")
        #expect(clause("\"word\"~10").description == "\"word\"~10")
    }

    /// Writes a query's clause as text, and reads it: the language says what the clause means.
    @Test func description_readsAsTheSameQuery() {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let parts = [
            "a", "bc", "\"a b\"", "\"a b\"~3", "OR", "|", "AND", "NOT", "-", "+", "(", ")", "title:", "dat*",
            "\"x y*\"",
            "word~", "word~1", "^2", "*", "10:30", "é", "“", "~", " ", " ", " ",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random))
                .map { _ in parts.randomElement(using: &random)! }.joined()
            let clause = clause(text)
            guard clause != .nothing, !clause.description.contains("everything") else { continue }
            // A quoted word cannot be fuzzy, so the language cannot write a fuzzy word with signs, such as `++word~`.
            guard clause.fuzzyWords.allSatisfy({ $0.allSatisfy(\.isLetter) }) else { continue }
            let again = self.clause(clause.description)
            #expect(again.description == clause.description, "\(text) seed \(seed)")
        }
    }

    /// Reads random characters: any text is a query.
    @Test func anyText_isAQuery() {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for _ in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                let value =
                    Bool.random(using: &random)
                    ? UInt32.random(in: 0x20...0x7E, using: &random)
                    : UInt32.random(in: 0...0x10_FFFF, using: &random)
                if let scalar = Unicode.Scalar(value) { text.append(scalar) }
            }
            for joining in [WordJoining.all, .any] {
                let query = TypedQuery(String(text), fields: ["title"], joining: joining, lastIsPrefix: true)
                #expect(query.omittedWordCount == 0, "seed \(seed)")
            }
        }
    }
}

extension TextClause {
    /// The words of the clause that are searched with edits.
    fileprivate var fuzzyWords: [String] {
        switch self {
        case .fuzzy(let word, _, _): [word]
        case .all(let clauses), .any(let clauses): clauses.flatMap(\.fuzzyWords)
        case .excluding(let clause, let other), .preferring(let clause, let other):
            clause.fuzzyWords + other.fuzzyWords
        case .within(_, let clause), .boosted(let clause, _): clause.fuzzyWords
        case .nothing, .everything, .phrase, .near, .prefix: []
        }
    }
}
