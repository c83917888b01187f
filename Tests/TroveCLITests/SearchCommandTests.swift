// Searches by the command, and what it prints of full-text indexes.

#if CommandLine
import Foundation
import LMDB
import Testing
import Trove
import TroveStemming
import TroveTestSupport

extension TextAnalyzer {
    fileprivate static let codes = TextAnalyzer("codes", version: 1) { text, tokens in
        tokens.append(text, at: text.startIndex..<text.endIndex)
    }
}

@IndexKeyRecord("id")
private struct Essay {
    #FullTextIndex<Essay>(\.title, \.tags)
    #FullTextIndex<Essay>(\.body, analyzer: .standard.without(.english), keepsOrder: false)
    #Index<Essay>(\.year)

    let id: Int
    var title: String
    var tags: [String] = []
    var body: String? = nil
    var year: Int = 2020
}

@IndexKeyRecord("code")
private struct Codebook {
    #FullTextIndex<Codebook>(\.text, analyzer: .codes)

    let code: String
    var text: String
}

@IndexKeyRecord("id")
private struct Fable {
    #FullTextIndex<Fable>(\.text, analyzer: .english.without(.english))
    #FullTextIndex<Fable>(\.moral, analyzer: .german.replacing(["auto": ["wagen"]]))

    let id: Int
    var text: String
    var moral: String
}

@IndexKeyRecord("id")
private struct Blank {
    let id: Int
}

@Suite struct SearchCommandTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("essays.trove")
        let store = try Store(
            path: path, records: [Essay.self, Codebook.self, Blank.self], options: StoreOptions(durability: .noSync))
        try store.insert(
            contentsOf: [
                Essay(id: 1, title: "An ordered store", tags: ["swift"], body: "the records in the order of keys"),
                Essay(id: 2, title: "Swift", tags: ["swift", "a store"], body: "ordered records, and others"),
                Essay(id: 3, title: "Wolves", tags: ["once upon", "a time"]),
                Essay(id: 4, title: "Swift stores for \"swift\" programs", tags: ["line\nend"]),
            ])
        try store.insert(Codebook(code: "a", text: "b"))
        try store.insert(Blank(id: 1))
    }

    /// Returns the objects of a search with `--json`.
    private func hits(_ arguments: String...) throws -> [[String: Any]] {
        let (code, lines) = try trove(["search", path, "Essay"] + arguments + ["--json"])
        #expect(code == 0)
        return try lines.map { try jsonObject([$0]) }
    }

    private func keys(_ arguments: String...) throws -> [String] {
        let (code, lines) = try trove(["search", path, "Essay"] + arguments)
        #expect(code == 0)
        return lines.compactMap { $0.wholeMatch(of: #/\d+\.\d{4}  (id: \d+)  \{.*\}/#).map { String($0.1) } }
    }

    // MARK: Languages

    /// The command has the analyzers of languages, with and without their stop words, and no replacements.
    @Test func languages_areKnown() throws {
        let path = directory.path("fables.trove")
        let store = try Store(path: path, records: [Fable.self], options: StoreOptions(durability: .noSync))
        try store.insert(Fable(id: 1, text: "The foxes were storing grapes", moral: "Autos"))
        let english = try trove(["search", path, "Fable", "text:stored", "\"fox the store\""])
        #expect(english.code == 0 && english.lines.count == 1)
        #expect(try trove(["search", path, "Fable", "text:the"]).lines.isEmpty)
        let replaced = "standard/1+snowball-german+replacing(1)"
        let index = "fullText(moral by \(replaced))"
        let (code, lines) = try trove(["search", path, "Fable", "wagen", "--index", index, "--json"])
        #expect(code == 2 && lines.joined().contains("Only the program of") && lines.joined().contains(replaced))
        #expect(try trove(["check", path]).code == 0)
    }

    // MARK: Hits

    /// BM25 by hand: 4 records of 4, 4, 5 and 7 words; "ordered" is in one of them, once.
    @Test func aHit_isItsScore_itsKey_andItsRecord() throws {
        let idf = log(1 + (4 - 1 + 0.5) / (1 + 0.5))
        let score = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / 5))
        let record =
            #"{"id":1,"title":"An ordered store","tags":["swift"],"body":"the records in the order of keys","year":2020}"#
        let (code, lines) = try trove("search", path, "Essay", "ordered")
        #expect(code == 0)
        #expect(lines == ["\(String(format: "%.4f", score))  id: 1  \(record)"])
        let hit = try #require(try hits("ordered").first)
        #expect(abs(try #require(hit["score"] as? Double) - score) < 1e-12)
        #expect(hit["key"] as? String == "id: 1")
        #expect((hit["record"] as? [String: Any])?["tags"] as? [String] == ["swift"])
        #expect(
            try trove("search", path, "Essay", "ordered", "--json").lines.first?.hasSuffix(
                #","key":"id: 1","record":"# + record + "}") == true)
    }

    @Test func hits_comeByRelevance_upToALimit() throws {
        #expect(try keys("swift") == ["id: 2", "id: 4", "id: 1"])
        #expect(try keys("swift", "--limit", "2") == ["id: 2", "id: 4"])
        #expect(try keys("swift", "--limit", "0") == [])
        let scores = try hits("swift").compactMap { $0["score"] as? Double }
        #expect(scores.count == 3 && scores == scores.sorted(by: >) && scores.allSatisfy { $0 > 0 })
    }

    @Test func words_areTypedText() throws {
        #expect(try keys("swift", "store") == ["id: 2", "id: 1"])
        #expect(try keys(#""ordered store""#) == ["id: 1"])
        #expect(try keys("wolves OR ordered").sorted() == ["id: 1", "id: 3"])
        #expect(try keys("title:swift") == ["id: 4", "id: 2"])
        #expect(try keys("swift -ordered", "--limit", "9") == ["id: 2", "id: 4"])
        #expect(try keys("--", "-swift") == ["id: 3"])
        #expect(try keys("stor* program*") == ["id: 4"])
        // The names of properties that no index has together are text.
        #expect(try keys("year:2020") == [] && keys("title:swift body:records") == [])
        #expect(try keys("wolvse~") == ["id: 3"])
        for nothing in ["unheard", "", "!?"] { #expect(try keys(nothing) == [], "\(nothing)") }
    }

    @Test func ifNothingIsFound_similarWordsAreSuggested() throws {
        let (code, lines) = try trove("search", path, "Essay", "swfit", "stoer", "--json")
        #expect(code == 0)
        #expect(lines == [#"{"didYouMean":"swift store","records":2}"#])
        // Words for people go to standard error.
        #expect(try trove("search", path, "Essay", "swfit", "stoer").lines == [])
        #expect(try trove("search", path, "Essay", "swfit", "--limit", "0", "--json").lines == [])
        #expect(try trove("search", path, "Essay", "swfit", "--quiet", "--json").lines == [])
    }

    @Test func anIndex_isChosenByItsProperties_orByItsName() throws {
        #expect(try keys("body:records").sorted() == ["id: 1", "id: 2"])
        let name = "fullText(body by standard/1+without-english)"
        #expect(try keys("ordered", "--index", name) == ["id: 2"])
        #expect(try keys("ordered", "--index", "fullText(title,tags)") == ["id: 1"])
        // Stop words are left out of the query too.
        #expect(try keys("the records and others", "--index", name) == ["id: 2"])
    }

    @Test func aTable_hasAColumnForTheScore() throws {
        let (code, lines) = try trove("search", path, "Essay", "stores", "--table")
        #expect(code == 0 && lines.count == 3)
        #expect(lines[0].hasPrefix(" score  id  title  "))
        #expect(lines[2].contains("4  Swift stores for \"swift\" programs"))
        #expect(try trove("search", path, "Essay", "unheard", "--table").lines == [])
    }

    @Test func snippets_haveALineEach() throws {
        let (code, lines) = try trove("search", path, "Essay", "swift", "stor*", "--snippets")
        #expect(code == 0 && lines.count == 8)
        #expect(lines[0].contains("  id: 2  {") && lines[3].contains("  id: 1  {") && lines[6].contains("  id: 4  {"))
        #expect(lines[1] == "    title: [Swift]" && lines[2] == "    tags: [swift]")
        #expect(lines[7] == "    title: [Swift] [stores] for \"[swift]\" programs")
        #expect(
            try trove("search", path, "Essay", "end", "--snippet-words", "1").lines.dropFirst() == ["    tags: …[end]"])
        #expect(try trove("search", path, "Essay", "line end", "--snippets").lines.last == "    tags: [line] [end]")
        let hit = try #require(try hits("programs", "--snippet-words", "2").first)
        let snippet = try #require((hit["snippets"] as? [[String: Any]])?.first)
        #expect(snippet["property"] as? String == "title" && snippet["text"] as? String == "swift\" programs")
        #expect(snippet["ranges"] as? [[Int]] == [[7, 15]])
        #expect(snippet["isCutAtStart"] as? Bool == true && snippet["isCutAtEnd"] as? Bool == false)
        #expect(try hits("programs").first?["snippets"] == nil)
    }

    // MARK: Errors

    private func error(_ arguments: String..., code expected: Int = 2) throws -> String {
        let (code, lines) = try trove(["search", path] + arguments + ["--json"])
        #expect(code == expected, "\(arguments)")
        #expect(lines.count == 1 || expected == 64, "\(arguments): \(lines)")
        return try jsonObject(lines)["error"] as? String ?? ""
    }

    @Test func whatCannotBeSearched_isAnError() throws {
        #expect(try error("Esay", "swift").hasSuffix("Did you mean “Essay”?"))
        #expect(
            try error("Blank", "swift")
                == "TroveCLITests.Blank has no full-text index. trove info lists the indexes of all types.")
        #expect(try error("Blank", "swift", "--index", "x").hasPrefix("TroveCLITests.Blank has no full-text index."))
        #expect(
            try error("Essay", "swift", "--index", "fullText(titel,tags)").hasSuffix(
                "Did you mean “fullText(title,tags)”?"))
        #expect(try error("Essay", "swift", "--index", "index(year)").contains("fullText(title,tags)"))
        #expect(
            try error("Codebook", "b")
                == "Only the program of TroveCLITests.Codebook has the analyzer “codes/1” of fullText(text by codes/1). Search in that program."
        )
        #expect(
            try error("Essay", "\"ordered records\"", "--index", "fullText(body by standard/1+without-english)") != "")
        for arguments in [
            ["Essay"], ["Essay", "swift", "--limit=-1"], ["Essay", "swift", "--table"],
            ["Essay", "swift", "--snippet-words", "0"],
        ] {
            let (code, lines) = try trove(["search", path] + arguments + ["--json"])
            #expect(code == 64, "\(arguments)")
            #expect(try jsonObject(lines)["verdict"] as? String == "failed", "\(arguments)")
        }
    }

    @Test func anIndexThatIsNotReady_isAnError() throws {
        #expect(try trove("rebuild", path, "Essay", "fullText(title,tags)").code == 0)
        #expect(
            try error("Essay", "swift").hasPrefix(
                "fullText(title,tags) of TroveCLITests.Essay is not ready: 0 of 4"))
        #expect(try trove("search", path, "Essay", "body:records").lines.count == 2)
    }

    // MARK: Damage

    /// Changes tables as another LMDB program would.
    private func change(
        _ body: (borrowing WriteTransaction, _ tables: [(name: String, table: Database)]) throws -> Void
    ) throws {
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let tables = try environment.databaseNames().sorted().map { ($0, try environment.openDatabase($0)) }
        try environment.write { transaction in try body(transaction, tables) }
    }

    /// Returns the prefix of the names of a type's tables.
    private func prefix(_ type: String) throws -> String {
        let types = try #require(try jsonObject(trove("info", path, "--json").lines)["types"] as? [[String: Any]])
        let stored = types.first { $0["name"] as? String == "TroveCLITests." + type }
        let number = String(try #require(stored?["keyPrefix"] as? Int), radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - number.count) + number + "."
    }

    private func entries(
        _ transaction: borrowing WriteTransaction, _ table: Database
    ) throws -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try transaction.scan(table) { key, value in
            entries.append((copiedBytes(key), copiedBytes(value)))
            return .continue
        }
        return entries
    }

    @Test func damage_ends1_andIsNamed() throws {
        let prefix = try prefix("Essay")
        let sound = try Data(contentsOf: URL(filePath: path))
        // Words, tails, lengths, record keys, and the record of the only hit.
        for part in [".1.0.1", ".1.0", ".1.0.4", "records", "keys"] {
            try sound.write(to: URL(filePath: path))
            try change { transaction, tables in
                for (name, table) in tables where name.hasPrefix(prefix) {
                    let isRecords = name == prefix + "0.0"
                    let isKeys = !isRecords && !name.hasPrefix(prefix + "1.") && name.hasSuffix(".0.1")
                    guard part == "records" ? isRecords : part == "keys" ? isKeys : name == prefix.dropLast() + part
                    else { continue }
                    for var entry in try entries(transaction, table) {
                        entry.value[entry.value.count - 1] ^= 1
                        try transaction.put(entry.value, for: entry.key, in: table)
                    }
                }
            }
            let message = try error("Essay", "ordered", code: 1)
            #expect(message.contains("TroveCLITests.Essay") && message.contains("damaged"), "\(part): \(message)")
        }
    }

    @Test func aHitWithoutRecord_isDamage() throws {
        let records = try prefix("Essay") + "0.0"
        try change { transaction, tables in
            let table = try #require(tables.first { $0.name == records }?.table)
            for entry in try entries(transaction, table) { try transaction.delete(entry.key, from: table) }
        }
        #expect(
            try error("Essay", "ordered", code: 1).hasPrefix("An entry of fullText(title,tags) of TroveCLITests.Essay"))
    }

    /// A row of a full-text index or of the record numbers is changed, cut, or removed.
    @Test func randomDamage_endsNoSearchWithASignal() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let prefix = try prefix("Essay")
        let sound = try Data(contentsOf: URL(filePath: path))
        for round in 0..<Torture.amount(12, full: 300) {
            try sound.write(to: URL(filePath: path))
            var comment: Comment = "TROVE_TEST_SEED=\(seed), round \(round)"
            try change { transaction, tables in
                let choices = tables.filter { $0.name.hasPrefix(prefix) && $0.name != prefix + "0.0" }
                let (name, table) = try #require(choices.randomElement(using: &random))
                guard var entry = try entries(transaction, table).randomElement(using: &random) else { return }
                try transaction.delete(entry.key, from: table)
                func flip(_ bytes: inout [UInt8]) {
                    guard let place = bytes.indices.randomElement(using: &random) else { return }
                    bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: flip(&entry.key)
                case 1: flip(&entry.value)
                case 2: entry.value = Array(entry.value.prefix(Int.random(in: 0...entry.value.count, using: &random)))
                default: entry.key = []
                }
                if !entry.key.isEmpty { try transaction.put(entry.value, for: entry.key, in: table) }
                comment = "\(comment), \(name) \(entry)"
            }
            for words in ["swift", #""ordered store" OR wolv*"#, "body:records -title:swift"] {
                let code = try ChildProcess(
                    ["search", path, "Essay", words, "--quiet"], executable: "trove",
                    environment: ["SWIFT_BACKTRACE": "enable=no"]
                ).wait()
                #expect((0...2).contains(code), "\(words) ended with \(code), \(comment)")
            }
            #expect((0...1).contains(try trove("info", path, "--quiet").code), comment)
        }
    }

    // MARK: Info and verify

    @Test func verify_namesTheTables() throws {
        let (code, lines) = try trove("verify", path)
        #expect(code == 0)
        for (name, rows) in [
            ("fullText(title,tags), tails", 15), ("fullText(title,tags), words", 14),
            ("fullText(title,tags), blocks", 0), ("fullText(title,tags), documents", 4),
            ("fullText(title,tags), lengths", 1), ("record numbers, numbers", 4), ("record numbers, keys", 5),
        ] {
            let line = "TroveCLITests.Essay, \(name): \(rows) \(rows == 1 ? "row" : "rows"), "
            #expect(lines.contains { $0.hasPrefix(line) }, "\(line)")
        }
        #expect(!lines.contains { $0.contains("unknown") })
    }

    @Test func info_showsAnalyzers_words_andTables() throws {
        let (code, lines) = try trove("info", path)
        #expect(code == 0)
        let start = try #require(lines.firstIndex { $0.hasPrefix("TroveCLITests.Essay, fullText(title,tags): ") })
        #expect(lines[start].hasPrefix("TroveCLITests.Essay, fullText(title,tags): 4 records, 14 words, "))
        #expect(lines[start + 1] == "  analyzer: standard/1")
        #expect(
            lines[start + 2].wholeMatch(
                of: #/  bytes: tails [\d,]+, words [\d,]+, blocks 0, documents [\d,]+, lengths [\d,]+/#) != nil)
        #expect(
            lines[start + 3].hasPrefix("TroveCLITests.Essay, fullText(body by standard/1+without-english): 4 records, ")
        )
        #expect(lines[start + 4] == "  analyzer: standard/1+without-english, without phrases")
        #expect(lines.contains("  analyzer: codes/1"))
        #expect(lines.contains("TroveCLITests.Essay, record numbers: 8,192 bytes"))

        let types = try #require(try jsonObject(trove("info", path, "--json").lines)["types"] as? [[String: Any]])
        let indexes = types.compactMap { $0["indexes"] as? [[String: Any]] }.flatMap(\.self)
        let texts = indexes.compactMap { $0["fullText"] as? [String: Any] }
        #expect(texts.count == 3 && indexes.count == 4)
        let first = try #require(indexes.first { $0["name"] as? String == "fullText(title,tags)" })
        let text = try #require(first["fullText"] as? [String: Any])
        #expect(first["entries"] as? Int == 4 && text["words"] as? Int == 14)
        #expect(text["analyzer"] as? String == "standard/1" && text["keepsOrder"] as? Bool == true)
        let tables = try #require(text["tables"] as? [[String: Any]])
        #expect(tables.compactMap { $0["name"] as? String } == ["tails", "words", "blocks", "documents", "lengths"])
        #expect(tables.compactMap { $0["size"] as? Int }.reduce(0, +) == first["size"] as? Int)
        #expect(tables[1]["rows"] as? Int == 14)
    }
}
#endif
