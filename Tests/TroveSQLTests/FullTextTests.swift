// Searches for words: the rows, the order and the ranks are those of the typed search.

import Foundation
import Synchronization
import Testing
import Trove
import TroveSQL
import TroveTestSupport

@IndexKeyRecord("id")
struct Article: Hashable, Sendable {
    #FullTextIndex<Article>(\.title, \.body, weights: [3, 1])
    #FullTextIndex<Article>(\.comment)

    let id: Int
    var title: String
    var body: String?
    var comment: String
    var year: Int
}

/// A type whose properties have the names of hidden columns.
@IndexKeyRecord("id")
struct Note: Sendable {
    #FullTextIndex<Note>(\.note)

    let id: Int
    var note: String
    var rank: Int
    var _match: Int
}

/// The number of analyzed texts that begin with a mark.
private let riddleTexts = Atomic<Int>(0)

private let riddleWords = TextAnalyzer("riddles", version: 1) { text, tokens in
    if text.hasPrefix("§") { riddleTexts.add(1, ordering: .relaxed) }
    for word in text.split(separator: " ") { tokens.append(String(word), at: word.startIndex..<word.endIndex) }
}

@IndexKeyRecord("id")
private struct Riddle: Sendable {
    #FullTextIndex<Riddle>(\.text, analyzer: riddleWords)

    let id: Int
    var text: String
}

struct FullTextTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Article.self, Note.self, User.self, Purchase.self])
        try store.write { context in
            for (id, title) in ["An ordered store", "Swift stores", "Wolves", "The store of stores"].enumerated() {
                try context.insert(
                    Article(
                        id: id, title: title, body: id == 1 ? nil : "An ordered text \(id)",
                        comment: id == 0 ? "seen" : "unseen", year: 2020 + id))
            }
            try context.insert(Note(id: 1, note: "An ordered note", rank: 7, _match: 8))
            try context.insert(User(id: 1, name: "ordered", email: "a", age: 3, city: "wolves"))
            for id in 0..<4 { try context.insert(Purchase(id: id, person: id, amount: Double(id))) }
        }
    }

    private func ids(_ sql: SQL) throws -> [Int] { try store.sql(sql, as: Int.self) }

    @Test(arguments: [
        "UPDATE Article SET rank = 5", "UPDATE Article SET _match = 'x'", "UPDATE Article SET Article = 'x'",
        "INSERT INTO Article(id, title, comment, year, rank) VALUES (9, '', '', 1, 5)",
    ])
    func columnsOfSearches_areNotWritten(sql: String) throws {
        #expect(throws: SQLError.self) { try store.write(sql: SQL(raw: sql)) }
        #expect(try store.write(sql: "UPDATE Article SET year = 1 WHERE Article MATCH 'wolves'").changes == 1)
        #expect(try store.write(sql: "INSERT INTO Article VALUES (9, 'a', NULL, '', 1)").changes == 1)
    }

    @Test func theBestRecords_comeFirst() throws {
        let hits = try Article.matching("ordered").limit(10).hits(in: store)
        let rows = try store.sql(
            "SELECT id, rank FROM Article WHERE Article MATCH \("ordered") ORDER BY rank LIMIT 10",
            as: (Int, Double).self)
        #expect(rows.map(\.0) == hits.map(\.record.id))
        #expect(rows.map(\.1) == hits.map { -$0.score })
        #expect(rows.count == 3)
        #expect(
            try ids("SELECT id FROM Article WHERE Article MATCH 'ordered' ORDER BY rank LIMIT 1 OFFSET 1")
                == [hits[1].record.id])
        #expect(
            try ids("SELECT id FROM Article WHERE Article MATCH 'ordered' ORDER BY rank DESC")
                == hits.reversed().map(\.record.id))
        #expect(
            try Article.fetch(sql: "WHERE Article MATCH 'ordered' ORDER BY rank", in: store) == hits.map(\.record))
    }

    @Test func aProperty_isSearchedAlone() throws {
        #expect(try ids("SELECT id FROM Article WHERE title MATCH 'ordered'") == [0])
        #expect(try ids("SELECT id FROM Article WHERE Article MATCH 'title:ordered'") == [0])
        #expect(try ids("SELECT id FROM Article WHERE comment MATCH 'seen'") == [0])
        #expect(try ids("SELECT id FROM Article WHERE Article MATCH 'comment:seen'") == [0])
        #expect(try ids("SELECT id FROM Article WHERE body MATCH 'ordered' AND comment MATCH 'unseen'") == [2, 3])
        #expect(try ids("SELECT id FROM Article WHERE body MATCH 'ordered' AND title MATCH 'store'") == [0, 3])
    }

    @Test func otherConditions_areTested() throws {
        #expect(try ids("SELECT id FROM Article WHERE Article MATCH 'ordered' AND year > 2020 ORDER BY id") == [2, 3])
        #expect(try ids("SELECT id FROM Article WHERE Article MATCH 'ordered' AND id = 2") == [2])
        #expect(try ids("SELECT id FROM Article WHERE Article MATCH 'ordered' AND id = 1") == [])
        #expect(try ids("SELECT count(*) FROM Article WHERE Article MATCH 'stores OR wolves'") == [3])
        #expect(try ids("SELECT count(*) FROM Article WHERE Article MATCH ''") == [0])
        #expect(try ids("SELECT count(*) FROM Article WHERE Article MATCH NULL") == [0])
        #expect(try ids("SELECT count(*) FROM Article WHERE Article MATCH 2") == [1])
    }

    @Test func theRank_isThatOfALookup() throws {
        let hits = try Article.matching("ordered").hits(in: store)
        for hit in hits {
            let ranks = try store.sql(
                "SELECT rank FROM Article WHERE Article MATCH 'ordered' AND id = \(hit.record.id)", as: Double.self)
            #expect(ranks == [-hit.score])
        }
        #expect(try store.sql("SELECT rank FROM Article", as: Double?.self) == [nil, nil, nil, nil])
    }

    @Test func hiddenColumns_giveWayToProperties() throws {
        #expect(try ids("SELECT rank FROM Note WHERE Note MATCH 'ordered'") == [7])
        #expect(try ids("SELECT _match FROM Note WHERE __match MATCH 'ordered'") == [8])
        let rank = try #require(
            try store.sql("SELECT _rank FROM Note WHERE note MATCH 'ordered'", as: Double.self).first)
        #expect(rank < 0)
        #expect(try store.sql("SELECT * FROM Note")[0].columns == ["id", "note", "rank", "_match"])
        #expect(try ids("SELECT id FROM Article WHERE _match MATCH 'wolves'") == [2])
        #expect(try ids("SELECT id FROM Article WHERE Article = 'wolves'") == [2])
        for name in [#""TroveSQLTests.Article""#, "Article", "_match"] {
            #expect(
                try ids(#"SELECT id FROM "TroveSQLTests.Article" WHERE \#(raw: name) MATCH 'wolves'"#) == [2], "\(name)"
            )
        }
    }

    @Test func joins_searchByABoundText() throws {
        #expect(
            try store.sql(
                """
                SELECT a.id, p.amount FROM Article a JOIN Purchase p ON p.person = a.id WHERE a.Article MATCH \("ordered")
                ORDER BY a.rank
                """, as: (Int, Double).self
            ).map(\.0) == Article.matching("ordered").resolve(in: store).map(\.id))
        #expect(
            try ids("SELECT a.id FROM User u JOIN Article a ON a.Article MATCH u.name ORDER BY a.id") == [0, 2, 3])
        #expect(
            try ids("SELECT a.id FROM User u, Article a WHERE a.title MATCH u.city OR a.title MATCH u.name ORDER BY 1")
                == [0, 2])
        let pairs = try store.sql(
            """
            SELECT p.id, a.id FROM Purchase p LEFT JOIN Article a ON a.id = p.person AND a._match MATCH 'ordered'
            ORDER BY p.id
            """, as: (Int, Int?).self)
        #expect(pairs.map(\.1) == [0, nil, 2, 3])
    }

    @Test func alternatives_areUnited() throws {
        #expect(try ids("SELECT id FROM Article WHERE title MATCH 'wolves' OR id = 1 ORDER BY id") == [1, 2])
        #expect(
            try ids(
                "SELECT id FROM Article WHERE id IN (SELECT id FROM Article WHERE Article MATCH 'wolves') OR year < 2021"
            )
                == [0, 2])
    }

    @Test func aMatchThatCannotBeUsed_isRefused() {
        #expect(throws: SQLError.self) {
            try ids("SELECT id FROM Article WHERE Article MATCH 'a' OR length(title) > 3")
        }
        #expect(throws: SQLError.self) { try ids("SELECT id FROM Article WHERE NOT Article MATCH 'a'") }
        #expect(throws: SQLError.self) { try ids("SELECT id FROM Article WHERE Article IN ('a', 'b')") }
    }

    @Test func aMissingIndex_isNamed() throws {
        let whole = try #require(throws: SQLError.self) { try ids("SELECT id FROM User WHERE User MATCH 'a'") }
        #expect(whole.message.contains("User has no full-text index. Declare #FullTextIndex<"))
        let property = try #require(throws: SQLError.self) { try ids("SELECT id FROM Article WHERE year MATCH 'a'") }
        #expect(property.message.contains("Article has no full-text index with year. Declare"))
        guard case .text(.noFullTextIndex(_, ["year"]))? = property.cause else {
            Issue.record("\(property)")
            return
        }
    }

    @Test func plans_nameTheSearch() throws {
        let plan = try store.explainSQL("SELECT id FROM Article WHERE Article MATCH 'a' AND year > 3 ORDER BY rank, id")
        #expect(plan == "SEARCH Article by full text (Article MATCH ?), best first, tested: year>?")
        let lookup = try store.explainSQL("SELECT id FROM Article WHERE title MATCH 'a' AND id = 3")
        #expect(lookup == "SEARCH Article by key (id=?), tested: title MATCH ?")
        let sorted = try store.explainSQL("SELECT id FROM Article WHERE Article MATCH 'a' ORDER BY rank, year")
        #expect(sorted.contains("TEMP B-TREE"))
    }

    @Test func aWrite_isSearched() throws {
        try store.write { context in
            try context.insert(Article(id: 9, title: "Foxes", body: nil, comment: "", year: 1))
            #expect(try context.sql("SELECT id FROM Article WHERE Article MATCH 'foxes'", as: Int.self) == [9])
            // The closure changes what the rest of the search would find.
            var found: [Int] = []
            try context.forEachRow(
                "SELECT id FROM Article WHERE Article MATCH 'ordered OR foxes' ORDER BY rank", as: Int.self
            ) { id in
                found.append(id)
                try context.insert(
                    Article(id: id + 100, title: "ordered foxes", body: nil, comment: "", year: 2), onConflict: .replace
                )
                return .continue
            }
            #expect(Set(found) == [0, 2, 3, 9] && found.count == 4)
        }
    }

    @Test func aStoreWithoutItsTypes_isSearched() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        do {
            let store = try Store(path: path, records: [Note.self])
            try store.insert(Note(id: 5, note: "Wolves and foxes", rank: 1, _match: 2))
            try store.close()
        }
        let store = try Store(path: path, options: StoreOptions(isReadOnly: true))
        #expect(try store.sql("SELECT id FROM Note WHERE note MATCH 'foxes' ORDER BY _rank", as: Int.self) == [5])
        #expect(throws: SQLError.self) { try store.sql("SELECT id FROM Note WHERE id MATCH 'foxes'", as: Int.self) }
    }

    // MARK: Found words

    @Test func foundWords_areMarked() throws {
        let store = try Store.temporary(records: [Article.self])
        try store.write { context in
            try context.insert(
                Article(id: 1, title: "The ordered store", body: "<b> A store of words", comment: "store", year: 1))
            try context.insert(Article(id: 2, title: "Wolves", body: nil, comment: "", year: 2))
        }
        func texts(_ expression: String, _ rest: String) throws -> [String?] {
            try store.sql("SELECT \(raw: expression) FROM Article \(raw: rest)", as: String?.self)
        }
        let search = "WHERE Article MATCH 'store'"
        #expect(try texts("highlight(Article, 'title', '[', ']')", search) == ["The ordered [store]"])
        #expect(try texts("highlight(Article, 1, '<b>', '</b>')", search) == ["The ordered <b>store</b>"])
        #expect(try texts("highlight(_match, 'BODY', '', '!')", search) == ["<b> A store! of words"])
        let hit = try #require(try Article.matching("store").hits(in: store).first)
        let snippet = hit.snippet(of: \.body, words: 2).marked("[", "]", escapesHTML: false)
        #expect(try texts("snippet(Article, 'body', '[', ']', '…', 2)", search) == [snippet])
        #expect(try texts("snippet(Article, -1, '[', ']', '...', 1)", search) == ["...[store]"])
        // The comment is in another index.
        #expect(try texts("highlight(Article, 'comment', '[', ']')", search) == ["store"])
        #expect(
            try texts("highlight(Article, 'comment', '[', ']')", search + " AND comment MATCH 'store'") == ["[store]"])
        #expect(try texts("highlight(Article, 'body', '[', ']')", "WHERE title MATCH 'wolves'") == [nil])
        #expect(
            try texts(
                "highlight(a.Article, 'title', '[', ']')",
                "a JOIN Article b ON b.id = a.id + 1 WHERE a.Article MATCH 'ordered' ORDER BY b.year + 0")
                == ["The [ordered] store"])
        #expect(
            try texts("highlight(Article, 'title', '[', ']')", "WHERE id = 1 AND title MATCH 'the'") == [
                "[The] ordered store"
            ])
        #expect(try texts("highlight(Article, 'title', '[', ']')", "ORDER BY id") == [nil, nil])
        #expect(try texts("typeof(Article)", search) == ["null"])
        for (expression, reason) in [
            ("highlight(Article, 'nothing', '', '')", "'nothing' is neither the name nor the number of a column"),
            ("highlight(Article, 99, '', '')", "99 is neither"), ("highlight(Article, -1, '', '')", "-1 is neither"),
            ("snippet(Article, 'body', '', '', '', 'x')", "The last argument of snippet"),
            ("highlight(title, 'body', '', '')", "The first argument is the column"),
            ("highlight(Article, 'title')", "function highlight"),
        ] {
            let error = #expect(throws: SQLError.self) { try texts(expression, search) }
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        }
    }

    @Test func severalFunctions_splitATextOnce() throws {
        let store = try Store.temporary(records: [Riddle.self])
        try store.insert(Riddle(id: 1, text: "§ a wolf and a fox"))
        func splits(_ columns: String) throws -> Int {
            let before = riddleTexts.load(ordering: .relaxed)
            let rows = try store.sql("SELECT \(raw: columns) FROM Riddle WHERE Riddle MATCH 'wolf'")
            #expect(rows.count == 1)
            return riddleTexts.load(ordering: .relaxed) - before
        }
        let marked = "highlight(Riddle, 'text', '[', ']')"
        let once = try splits(marked)
        #expect(once > 0)
        #expect(try splits("\(marked), snippet(Riddle, 'text', '<', '>', '', 2), \(marked)") == once)
    }

    @Test func aChangedRow_isShownAsItIs() throws {
        try store.write { context in
            var shown: [String] = []
            for title in ["a wolf", "the wolf of wolves"] {
                try context.sql("UPDATE Article SET title = \(title) WHERE id = 2")
                shown += try context.sql(
                    "SELECT highlight(Article, 'title', '[', ']') FROM Article WHERE id = 2 AND title MATCH 'wolf'",
                    as: String.self)
            }
            #expect(shown == ["a [wolf]", "the [wolf] of wolves"])
        }
    }

    /// The closure changes the entries of the words that are being read.
    @Test(arguments: ["", "ORDER BY rank", "ORDER BY id"])
    func rowsOfASearch_canBeWrittenWhileTheyAreRead(order: String) throws {
        let store = try Store.temporary(records: [Article.self])
        let ids = Set(0..<500)
        try store.write { context in
            for id in ids {
                try context.insert(
                    Article(id: id, title: "wolf \(id % 7)", body: nil, comment: "", year: id))
            }
            var seen: [Int] = []
            try context.forEachRow(
                "SELECT id, title FROM Article WHERE Article MATCH 'wolf' \(raw: order)", as: (Int, String).self
            ) { id, title in
                #expect(title == "wolf \(id % 7)")
                seen.append(id)
                if id % 3 == 0 {
                    try context.sql("DELETE FROM Article WHERE id = \(id)")
                } else {
                    try context.sql("UPDATE Article SET title = 'fox and hound', body = 'seen' WHERE id = \(id)")
                }
                return .continue
            }
            #expect(seen.count == ids.count)
            #expect(Set(seen) == ids)
            #expect(try context.sql("SELECT count(*) FROM Article WHERE Article MATCH 'wolf'", as: Int.self) == [0])
        }
        #expect(try store.check().isEmpty)
    }

    @Test(arguments: ["", "ORDER BY rank", "ORDER BY id"])
    func rowsOfASearch_canBeDeletedBeforeTheyAreRead(order: String) throws {
        let store = try Store.temporary(records: [Article.self])
        try store.write { context in
            for id in 0..<500 {
                try context.insert(Article(id: id, title: "wolf", body: nil, comment: "", year: id))
            }
            var seen: [Int] = []
            try context.forEachRow(
                "SELECT id FROM Article WHERE Article MATCH 'wolf' \(raw: order)", as: Int.self
            ) { id in
                seen.append(id)
                try context.sql("DELETE FROM Article WHERE id <> \(id)")
                return .continue
            }
            // Rows that were read before the first one was passed on are still passed on.
            #expect(!seen.isEmpty && Set(seen).count == seen.count)
            #expect(try context.sql("SELECT count(*) FROM Article", as: Int.self)[0] <= 1)
        }
        #expect(try store.check().isEmpty)
    }

    @Test func foundWords_areMarkedWithoutTheType() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        do {
            let store = try Store(path: path, records: [Article.self])
            try store.insert(Article(id: 1, title: "Foxes", body: "a red fox", comment: "", year: 1))
            try store.close()
        }
        let store = try Store(path: path, options: StoreOptions(isReadOnly: true))
        #expect(
            try store.sql(
                "SELECT highlight(Article, 'body', '<', '>') FROM Article WHERE Article MATCH 'red'", as: String.self)
                == ["a <red> fox"])
    }

    @Test func randomFoundWords_areThoseOfTheTypedSearch() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let store = try Store.temporary(records: [Article.self])
        try store.write { context in
            for id in 0..<60 {
                try context.insert(
                    Article(
                        id: id, title: Self.text(&random, 4),
                        body: Bool.random(using: &random) ? nil : Self.text(&random, 12), comment: "", year: 0))
            }
        }
        for _ in 0..<150 {
            let typed = Self.typed(&random)
            let words = Int.random(in: 1...6, using: &random)
            let expected = try Article.matching(TextQuery(typed)).hits(in: store).map { hit -> [SQLValue] in
                var title = ""
                var position = hit.record.title.startIndex
                for range in hit.ranges(in: \.title) {
                    title += hit.record.title[position..<range.lowerBound] + "<" + hit.record.title[range] + ">"
                    position = range.upperBound
                }
                title += hit.record.title[position...]
                let body = hit.record.body.map { _ in
                    hit.snippet(of: \.body, words: words).marked("<", ">", ellipsis: "~", escapesHTML: false)
                }
                return [hit.record.id.sqlValue, title.sqlValue, body.sqlValue]
            }
            let found = try store.sql(
                """
                SELECT id, highlight(Article, 'title', '<', '>'), snippet(Article, 'body', '<', '>', '~', \(words))
                FROM Article WHERE Article MATCH \(typed) ORDER BY rank
                """
            ).map(\.values)
            guard found == expected else {
                let rows = zip(found, expected).first { $0 != $1 }
                Issue.record("seed \(seed): \(typed) \(words)\n\(String(describing: rows))")
                return
            }
        }
    }

    // MARK: Random searches

    private static let words = ["a", "b", "store", "stores", "order", "key", "wolf", "fox", "tree", "page", "x1"]

    private static func text(_ random: inout SeededGenerator, _ limit: Int) -> String {
        let count = Int.random(in: 0...limit, using: &random)
        return (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }

    private static func typed(_ random: inout SeededGenerator) -> String {
        let (first, second) = (text(&random, 2), text(&random, 2))
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: "\(first) OR \(second)"
        case 1: "\(first) -\(second)"
        case 2: "\"\(first)\" \(second)"
        case 3: "title:\(first) \(second)"
        case 4: "\(first)* | (\(second))^3"
        case 5: "-\(first)"
        case 6: "stor~ \(second)"
        default: first
        }
    }

    private static func makeUnready(_ index: String, _ store: Store) throws {
        let type = try #require(try store.read { try $0.storedTypes() }.first)
        #expect(try store.markForRebuild(index, of: type) == [index])
    }

    @Test func searches_areThoseOfTheTypedSearch() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let store = try Store.temporary(records: [Article.self])
        try store.write { context in
            for id in 0..<400 {
                try context.insert(
                    Article(
                        id: id, title: Self.text(&random, 4),
                        body: Bool.random(using: &random) ? nil : Self.text(&random, 9),
                        comment: Self.text(&random, 3), year: id % 7))
            }
            for id in 0..<60 { try context.delete(Article.self, key: id * 6) }
        }
        for round in 0..<400 {
            // Until an index is built, the records are scanned.
            if round == 250 { try Self.makeUnready("fullText(title,body)", store) }
            if round == 325 { try Self.makeUnready("fullText(comment)", store) }
            let typed = Self.typed(&random)
            let (limit, offset) = (Int.random(in: 0..<40, using: &random), Int.random(in: 0..<5, using: &random))
            var query = Article.matching(TextQuery(typed))
            var end: SQL = "Article MATCH \(typed)"
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                query = query.filter { $0.year == 3 }
                end = "\(end) AND year = 3"
            case 1:
                query = Article.matching(TextQuery("\(typed.replacing(":", with: " "))").within(\.title))
                end = "title MATCH \(typed.replacing(":", with: " "))"
            case 2:
                let other = Self.text(&random, 2)
                query = query.matching(TextQuery(other).within(\.comment))
                end = "\(end) AND comment MATCH \(other)"
            case 3:
                query = query.filter { $0.id >= 100 }
                end = "id >= 100 AND \(end)"
            default: break
            }
            let hits = try query.offset(offset).limit(limit).hits(in: store)
            let rows = try store.sql(
                "SELECT id, rank FROM Article WHERE \(end) ORDER BY rank LIMIT \(limit) OFFSET \(offset)",
                as: (Int, Double).self)
            let all = Set(try query.resolve(in: store).map(\.id))
            let unordered = try store.sql("SELECT id FROM Article WHERE \(end)", as: Int.self)
            let streamed = try store.write { context in
                var ids: [Int] = []
                try context.forEachRow("SELECT id FROM Article WHERE \(end) ORDER BY rank, id", as: Int.self) {
                    ids.append($0)
                    return .continue
                }
                return ids
            }
            guard rows.map(\.0) == hits.map(\.record.id), rows.map(\.1) == hits.map({ -$0.score }),
                unordered.count == all.count, Set(unordered) == all,
                streamed == (try query.resolve(in: store).map(\.id))
            else {
                Issue.record(
                    "seed \(seed), round \(round): \(end.text) \(typed)\n\(rows)\n\(hits.map { ($0.record.id, $0.score) })"
                )
                return
            }
        }
    }
}
