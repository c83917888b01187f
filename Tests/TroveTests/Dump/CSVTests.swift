// Tests of comma-separated values: RFC 4180, there and back.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Flat: Hashable {
    let id: Int
    var name: String
    var nickname: String?
    var weight: Double?
    var born: Date
    var photo: Data?
    var isActive: Bool
}

/// Its only row with nil is an empty line.
@IndexKeyRecord("word")
private struct Word: Hashable { let word: String? }

@IndexKeyRecord("number")
private struct Number: Hashable { let number: Int }

@Suite("CSV") struct CSVTests {
    private func rows(_ type: String, in store: Store) throws -> [String] {
        try store.read { context in
            var rows: [String] = []
            let type = try #require(try context.storedTypes().first { $0.name.hasSuffix("." + type) })
            try context.forEachCSVRow(of: type) { rows.append($0) }
            return rows
        }
    }

    @Test func records_haveARowEach_andComeBack() throws {
        let store = try Store.temporary()
        let records = [
            Flat(id: -1, name: "", nickname: nil, weight: nil, born: .distantPast, photo: nil, isActive: false),
            Flat(
                id: 2, name: "a,\"b\"\r\nc", nickname: "", weight: .infinity,
                born: Date(timeIntervalSinceReferenceDate: 0.5), photo: Data(), isActive: true),
        ]
        try store.insert(contentsOf: records)
        let rows = try rows("Flat", in: store)
        #expect(
            rows == [
                "id,name,nickname,weight,born,photo,isActive", "-1,\"\",,,0000-12-30T00:00:00Z,,false",
                "2,\"a,\"\"b\"\"\r\nc\",\"\",inf,2001-01-01T00:00:00.5Z,\"\",true",
            ])
        for end in ["\n", "\r\n"] {
            let other = try Store.temporary()
            let schema = try DumpedType.types(inSchema: store.dump(0).joined(separator: "\n"), path: "")
            let text = rows.joined(separator: end) + end
            let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String($0) ?? "" }
            try other.load(lines: lines, .csv, type: "Flat", schema: schema)
            #expect(try Flat.query().resolve(in: other) == records)
        }
    }

    @Test func columns_mayBeInAnyOrder_andMissingOptionalsAreNil() throws {
        let store = try Store.temporary()
        try store.insert(Flat(id: 1, name: "", born: .distantPast, isActive: true))
        try store.load(
            lines: ["\u{FEFF}name,id,isActive,born", "x,7,true,2020-02-29T12:00:00+01:00", ""], .csv, type: "Flat")
        let loaded = try #require(try store.get(Flat.self, key: 7))
        #expect(loaded.name == "x")
        #expect(loaded.nickname == nil)
        #expect(loaded.born.timeIntervalSinceReferenceDate == 604_666_800)
    }

    @Test func aSingleColumn_keepsItsNil() throws {
        let store = try Store.temporary()
        let words = [Word(word: nil), Word(word: ""), Word(word: "a")]
        try store.insert(contentsOf: words)
        let rows = try rows("Word", in: store)
        #expect(rows == ["word", "", "\"\"", "a"])
        for end in ["", "\r"] {
            #expect(try Word.query().delete(in: store) == 3)
            try store.load(lines: rows.map { $0 + end }, .csv, type: "Word")
            #expect(try Word.query().resolve(in: store) == words)
        }
        // A column without nil has no empty row.
        try store.insert(Number(number: 1))
        try store.load(lines: ["number", "", "2", "\r", "3", ""], .csv, type: "Number")
        #expect(try Number.query().keys(in: store) == [1, 2, 3])
    }

    @Test(arguments: [
        ("id,name,born,isActive\n1,x,0,yes", 2, "isActive: expected Bool"),
        ("id,name,born,isActive\n1,x,0,true\n,x,0,true", 3, "id: expected Int64"),
        ("id,name,born,isActive\n1,\"x\ny\",0,true\n2,x,0", 4, "expected 4 fields, not 3"),
        ("id,name\n1,x", 1, "the first row lacks born, which cannot be nil. The columns are: id, name"),
        ("id,no\n1,x", 1, "the type has no property “no”. Name columns in the first row: id, name, nickname"),
        ("id,id\n1,2", 1, "the first row has “id” twice"),
        // Spreadsheets write an empty row so. An empty field is nil, and `""` an empty text.
        ("id,name,born,isActive\n1,,0,true", 2, "name: expected String, not an empty field."),
        ("id,name,born,isActive\n,,,", 2, "id: expected Int64, not an empty field."),
        ("id,name,born,isActive\n5.0,x,0,true", 2, "id: expected Int64, not “5.0”."),
        // A long field is shortened, as in JSON.
        (
            "id,name,born,isActive\n0123456789012345678901234567890123456789and much more,x,0,true", 2,
            "id: expected Int64, not “0123456789012345678901234567890123456789…”."
        ),
        ("id,name,born,isActive\n1,\"x", 2, "expected the closing quote"),
        ("id,name,born,isActive\n1,\"x\"y", 2, "expected a comma after a closing quote"),
        ("id,name,born,isActive\n1,x\"y", 2, "expected no quote"),
    ])
    func whatDoesNotFit_isRefused_withItsLine(text: String, line: Int, words: String) throws {
        let store = try Store.temporary()
        try store.insert(Flat(id: 9, name: "", born: .distantPast, isActive: true))
        let lines = text.split(separator: "\n").map(String.init)
        let error = loadError { try store.load(lines: lines, .csv, type: "Flat") }
        #expect(error?.line == line)
        #expect(error?.description.contains(": \(words)") == true, "\(error?.description ?? "")")
        #expect(try Flat.query().count(in: store) == 1)
    }

    @Test func nestedLayouts_areRefused() throws {
        let store = try Store.temporary()
        try store.insert(Entry(group: 1, word: "", text: "", counts: []))
        let error = #expect(throws: CSVError.self) { try rows("Entry", in: store) }
        #expect(error == .nested(type: "TroveTests.Entry", property: "counts", layout: "[Int64]"))
        let refusal = loadError { try store.load(lines: ["group"], .csv, type: "Entry") }
        #expect(refusal?.line == 1)
        #expect(refusal?.reason == .noCSV(.nested(type: "TroveTests.Entry", property: "counts", layout: "[Int64]")))
        #expect(refusal?.description.contains("Use JSON") == true)
    }

    @Test func randomRows_comeBack() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let alphabet = ["a", ",", "\"", "\n", "\r", "\r\n", " ", "é", "\u{301}", "\0"]
        for _ in 0..<2000 {
            let rows = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (0..<Int.random(in: 2...4, using: &generator)).map { _ in
                    let text = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        alphabet.randomElement(using: &generator) ?? ""
                    }.joined()
                    return CSVField(text: text, isQuoted: Bool.random(using: &generator))
                }
            }
            let end = Bool.random(using: &generator) ? "\n" : "\r\n"
            let text = rows.map(CSVText.row).joined(separator: end) + end
            // The reader takes lines without their line feeds.
            let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String($0) ?? "" }
            var iterator = lines.makeIterator()
            var reader = CSVReader { iterator.next() }
            for row in rows {
                let read = try #require(try reader.next())
                let context: Comment = "\(text.debugDescription), TROVE_TEST_SEED=\(seed)"
                #expect(read.map(\.text) == row.map(\.text), context)
                // Only of an empty field is the difference kept.
                let empty = { (field: CSVField) in field.text.isEmpty && !field.isQuoted }
                #expect(read.map(empty) == row.map(empty), context)
            }
            #expect(try reader.next() == nil)
        }
    }
}
