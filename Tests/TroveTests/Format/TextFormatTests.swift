// The rows of full text in a store, compared with Docs/Format.md.

import Foundation
import LMDB
import Testing
import TroveCoding

@testable import Trove

@IndexKeyRecord("id")
private struct Verse: Hashable {
    #FullTextIndex<Verse>(\.title, \.tags, keepsOrder: false, where: { $0.isPublic })
    #FullTextIndex<Verse>(\.tags)
    #FullTextIndex<Verse>(
        "Index",
        gathering: { keys, _ in
            [Int: String](uniqueKeysWithValues: keys.filter { $0 % 2 == 1 }.map { ($0, "odd") })
        })

    let id: Int
    var title: String
    var tags: [String]
    var isPublic: Bool = true
}

@IndexKeyRecord("id")
private struct Ditty: Hashable {
    #FullTextIndex<Ditty>(\.text, where: { $0.isPublic })

    let id: Int
    var text: String
    var isPublic: Bool
}

@Suite("The format of full text") struct TextFormatTests {
    /// The contents of the rows of a table, by the bytes of their keys.
    private func contents(
        _ store: Store, _ keyPrefix: UInt32, _ table: UInt32, part: UInt32 = 0
    ) throws -> [[UInt8]: [UInt8]] {
        let name = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: table), part: part)
        let database = try #require(try store.read { $0.catalogSnapshot.indexParts(keyPrefix)[name] }, "\(name.text)")
        var rows: [[UInt8]: [UInt8]] = [:]
        for row in try store.entries(in: database) { rows[row.key] = Array(row.value.dropFirst(4)) }
        return rows
    }

    private func number(_ number: UInt8) -> [UInt8] { [0, 0, 0, 0, number] }

    private func numbers(_ keyPrefix: UInt32, in store: Store) throws -> Set<[UInt8]> {
        Set(try contents(store, keyPrefix, .max, part: 1).keys)
    }

    @Test func definitionsAndNames_followTheGrammarOfThePage() throws {
        let definitions = Verse.schema.indexes.map(\.definition)
        let analyzer = TextAnalyzer.standard.definition
        #expect(
            definitions == [
                "title:text<String>,tags:text<[String]> by \(analyzer) unordered where { $0.isPublic }",
                "tags:text<[String]> by \(analyzer)",
                "\"Index\" gathered 1 by \(analyzer)",
            ])
        #expect(Verse.schema.indexes.map(\.name) == ["title,tags where { $0.isPublic }", "tags", "Index"])
        let page = try FormatPage().text
        for definition in [definitions[0], definitions[2]] { #expect(page.contains("\n\(definition)\n")) }
    }

    @Test func stringsOfAList_areAHundredPositionsApart() throws {
        let store = try Store.temporary(records: [Verse.self])
        try store.insert(contentsOf: [
            Verse(id: 1, title: "", tags: ["cat", "sat"]), Verse(id: 2, title: "", tags: ["", "cat", "", "sat", ""]),
        ])
        let documents = try contents(store, Verse.keyPrefix, 2, part: TextPart.documents.rawValue)
        // The number of words, the size of the stream, and the stream.
        #expect(documents[number(1)] == [2, 5, 1, 0, 100, 0, 2])
        #expect(documents[number(2)] == [2, 11, 0, 100, 0, 1, 0, 127, 0, 0, 73, 0, 2])
    }

    @Test func aRecordWithoutWords_hasADocument_andOneOutsideTheConditionHasNone() throws {
        let store = try Store.temporary(records: [Verse.self])
        try store.insert(contentsOf: [
            Verse(id: 1, title: "", tags: []), Verse(id: 2, title: "cat", tags: [], isPublic: false),
        ])
        let documents = try (1...3).map {
            try contents(store, Verse.keyPrefix, $0, part: TextPart.documents.rawValue)
        }
        #expect(documents[0] == [number(1): [0, 0, 0, 0]])
        #expect(documents[1] == [number(1): [0, 0], number(2): [0, 0]])
        #expect(Array(documents[2].keys) == [number(1)], "the second record has no gathered text")
        #expect(try numbers(Verse.keyPrefix, in: store) == [number(0), number(1), number(2)])
    }

    @Test func aRecord_getsItsNumberWithItsFirstDocument_andKeepsIt() throws {
        let store = try Store.temporary(records: [Ditty.self])
        try store.insert(Ditty(id: 1, text: "cat", isPublic: false))
        #expect(try numbers(Ditty.keyPrefix, in: store) == [])
        try store.insert(Ditty(id: 1, text: "cat", isPublic: true))
        #expect(try numbers(Ditty.keyPrefix, in: store) == [number(0), number(1)])
        try store.insert(Ditty(id: 1, text: "cat", isPublic: false))
        #expect(try numbers(Ditty.keyPrefix, in: store) == [number(0), number(1)])
        try store.delete(Ditty.self, key: 1)
        #expect(try numbers(Ditty.keyPrefix, in: store) == [number(0)])
    }

    @Test func aWordWithoutRecords_hasNoRows() throws {
        let store = try Store.temporary(records: [Ditty.self])
        try store.insert(Ditty(id: 1, text: "other", isPublic: false))
        #expect(try contents(store, Ditty.keyPrefix, 1) == [:], "no statistics before the first document")
        try store.insert(contentsOf: (1...200).map { Ditty(id: $0, text: "cat", isPublic: true) })
        try store.insert(Ditty(id: 201, text: "sat", isPublic: true))
        #expect(try Set(contents(store, Ditty.keyPrefix, 1).keys) == [number(0), number(1), number(2)])
        try Ditty.filter(\.text == "sat" || \.id < 200).delete(in: store)
        #expect(try Set(contents(store, Ditty.keyPrefix, 1).keys) == [number(0), number(1)])
        #expect(try contents(store, Ditty.keyPrefix, 1, part: TextPart.words.rawValue).count == 1)
        try Ditty.filter(\.id == 200).delete(in: store)
        #expect(try Set(contents(store, Ditty.keyPrefix, 1).keys) == [number(0)])
        for part: TextPart in [.words, .blocks] {
            #expect(try contents(store, Ditty.keyPrefix, 1, part: part.rawValue) == [:])
        }
    }

    @Test func recordNumbers_haveTheLastTable_andNoEntryInTheCatalog() throws {
        let store = try Store.temporary(records: [Ditty.self])
        try store.insert(Ditty(id: 1, text: "cat", isPublic: true))
        let name = TableName(keyPrefix: Ditty.keyPrefix, table: .recordNumbers)
        #expect(name.text.hasSuffix(".4294967295.0"))
        try store.read { context in
            #expect(context.catalogSnapshot.indexParts(Ditty.keyPrefix)[name] != nil)
            let catalog = try #require(try context.keyspace.table(named: CatalogStorage.name))
            var indexes: [[UInt8]] = []
            try context.keyspace.scan(catalog, ScanRange()) { key, _ in
                let bytes = copiedBytes(key)
                if bytes.first == CatalogEntryKind.index.rawValue { indexes.append(bytes) }
                return .continue
            }
            #expect(indexes == [[6] + KeyWriter.bytes(of: Ditty.keyPrefix) + [0, 0, 0, 1]])
        }
    }
}
